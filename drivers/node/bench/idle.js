"use strict";
/** A server that does nothing, in the place of a driver; tells its port. */
const server = require("node:http").createServer((request, response) =>
  request.resume().on("end", () => response.end()),
);
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));

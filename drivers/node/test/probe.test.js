/** Where descriptions are looked for, and what is said where there is none. */
import assert from "node:assert/strict";
import http from "node:http";
import test from "node:test";
import { probe } from "../src/driver/probe.js";
import { readSettings } from "../src/settings.js";

/**
 * @param {string} place of the only description
 * @param {string} [schema]
 */
async function found(place, schema = "") {
  const server = http.createServer(({ url }, response) => {
    response.statusCode = url === place ? 200 : 404;
    response.end('{"openapi":"3.0.0","paths":{"/a":{}}}');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const url = `http://127.0.0.1:${port}`;
  try {
    const { problem } = await probe([url], readSettings({ WALLACE_SCHEMA: schema }));
    return problem.kind === "rest" ? problem.openApi.slice(url.length) : problem.kind;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("places that searches of other services know are known too", async () => {
  for (const place of ["/openapi.json", "/api-docs/openapi.json", "/api.json", "/openapi.yml"]) {
    assert.equal(await found(place), place);
  }
});

test("a path that was named and holds nothing is named", async () => {
  await assert.rejects(found("/a.json", "/b.json"), /at http:[^ ]*\/b\.json: leave --schema out/);
  await assert.rejects(found("/a.json"), /at http:[^ ]*: say where it is with --schema/);
});

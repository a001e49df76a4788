/**
 * The line between the driver's thread in the service and the process that started the service:
 * calls by name, one JSON text a line.
 */
import net from "node:net";

/** What is said of a process that is there no more. */
export const ENDED = "the service ended";

/** Methods that may be called over the line. */
const METHODS = new Set([
  "start",
  "reset",
  "newTest",
  "beginAction",
  "recorded",
  "keepOperands",
  "operands",
  "abandon",
  "leave",
  "listen",
  "reportSql",
  "schema",
  "insert",
  "query",
]);

/**
 * The service's side.
 *
 * @param {string} address of the supervisor: a path, or `host:port`
 * @param {any} instance
 */
export function answerSupervisor(address, instance) {
  const [host, port] = address.split(":");
  const isPath = address.startsWith("/");
  const place = isPath ? { path: address } : { host, port: Number(port), noDelay: true };
  const socket = net.connect(place);
  socket.on("error", () => {});
  // Nobody would end it after its supervisor, and its port would stay taken.
  socket.on("close", () => process.kill(process.pid, "SIGKILL"));
  instance.onCare = (/** @type {unknown} */ care) => send(socket, { care });
  instance.onHang = (/** @type {unknown} */ hang) =>
    new Promise((resolve) => socket.write(`${JSON.stringify({ hang })}\n`, () => resolve(null)));
  eachLine(socket, async ({ id, method, values, test }) => {
    try {
      if (!METHODS.has(method)) throw new Error(`no method ${method}`);
      if (test !== undefined) await instance.turnTo(test);
      send(socket, { id, result: await instance[method](...values) });
    } catch (error) {
      send(socket, { id, error: error instanceof Error ? error.message : String(error) });
    }
  });
}

/**
 * @param {net.Socket} socket
 * @param {unknown} message
 */
export function send(socket, message) {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * @param {net.Socket} socket
 * @param {(message: any) => void} hear
 */
export function eachLine(socket, hear) {
  let rest = "";
  socket.setEncoding("utf8").on("data", (/** @type {string} */ part) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(JSON.parse(line));
  });
}

/**
 * The line between the driver's thread in the service and the process that started the service:
 * calls by name, one JSON text a line.
 */
import net from "node:net";

/** @typedef {import("../driver/instance.js").HangReport} HangReport */

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
  instance.onCareful = (/** @type {boolean} */ isCareful) => send(socket, { isCareful });
  instance.onHang = (/** @type {unknown} */ hang) =>
    new Promise((resolve) => socket.write(`${JSON.stringify({ hang })}\n`, () => resolve(null)));
  eachLine(socket, async ({ id, method, values }) => {
    try {
      if (!METHODS.has(method)) throw new Error(`no method ${method}`);
      send(socket, { id, result: await instance[method](...values) });
    } catch (error) {
      send(socket, { id, error: error instanceof Error ? error.message : String(error) });
    }
  });
}

/** The supervisor's side: stands for the process of the service. */
export class RemoteProcess {
  /**
   * @param {net.Socket} socket
   * @param {() => Promise<void>} stop
   * @param {import("../driver/announcement.js").Announcer} announcer
   */
  constructor(socket, stop, announcer) {
    this.socket = socket;
    this.stop = stop;
    this.announcer = announcer;
    /** Whether the process has to hear of an action before its request comes. */
    this.isCareful = false;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.open = new Map();
    this.calls = 0;
    /** @type {Promise<void>} */
    this.ended = new Promise((resolve) => socket.once("close", () => resolve()));
    void this.ended.then(() => this.#abandon());
    /** Hears of what blocked the service, before it is ended. */
    this.onHang = /** @type {(hang: HangReport) => void} */ (() => {});
    eachLine(socket, ({ id, result, error, hang, isCareful }) => {
      if (hang) return this.onHang(hang);
      if (isCareful !== undefined) return void (this.isCareful = isCareful);
      const call = this.open.get(id);
      this.open.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error));
    });
  }

  #abandon() {
    for (const { reject } of this.open.values()) reject(new Error(ENDED));
    this.open.clear();
  }

  /**
   * @param {string} method
   * @param {...any} values
   * @returns {Promise<any>}
   */
  call(method, ...values) {
    if (this.socket.destroyed) return Promise.reject(new Error(ENDED));
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      send(this.socket, { id, method, values });
    });
  }

  start() {
    return this.call("start");
  }

  reset() {
    this.announcer.announce(-1, []);
    return this.call("reset");
  }

  newTest() {
    this.announcer.announce(-1, []);
    return this.call("newTest");
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   */
  async beginAction(index, inputs) {
    this.announcer.announce(index, inputs);
    if (this.isCareful || this.socket.destroyed) await this.call("beginAction", index, inputs);
  }

  recorded() {
    return this.call("recorded");
  }

  /** @param {boolean} isOn */
  keepOperands(isOn) {
    return this.call("keepOperands", isOn);
  }

  operands() {
    return this.call("operands");
  }

  abandon() {
    return this.call("abandon");
  }

  leave() {
    return this.call("leave");
  }

  listen() {
    return this.call("listen");
  }

  /** @param {boolean} isOn */
  reportSql(isOn) {
    return this.call("reportSql", isOn);
  }

  schema() {
    return this.call("schema");
  }

  /** @param {import("../sql/insertion.js").Insertion[]} rows */
  insert(rows) {
    return this.call("insert", rows);
  }

  /** @param {string} statement */
  query(statement) {
    return this.call("query", statement);
  }
}

/**
 * @param {net.Socket} socket
 * @param {unknown} message
 */
function send(socket, message) {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * @param {net.Socket} socket
 * @param {(message: any) => void} hear
 */
function eachLine(socket, hear) {
  let rest = "";
  socket.setEncoding("utf8").on("data", (/** @type {string} */ part) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) hear(JSON.parse(line));
  });
}

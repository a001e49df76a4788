/**
 * Starts the driver in a thread of its own, which answers while the service is busy and whose
 * requests do not run through the service's patched modules.
 */
import { Worker, receiveMessageOnPort, MessageChannel } from "node:worker_threads";
import { BLOCKED } from "../driver/blocked.js";
import { connect } from "../runtime/channel.js";
import { BEGUN, RESET, UNHEARD } from "../runtime/memory.js";
import { memory } from "../runtime/recording.js";
import * as databases from "../sql/databases.js";
import { announce } from "../taint/token.js";
import { Exchange } from "./exchange.js";
import { watchEnding } from "./ending.js";
import { startHeartbeat } from "./heartbeat.js";
import { abandonRequests } from "./requests.js";
import { loadReset } from "./reset.js";
import { restoreOnSignals } from "./signals.js";

/**
 * @param {import("../settings.js").Settings} settings
 * @param {import("../loader/scope.js").Scope} scope
 * @param {() => void} listen lets a spare process listen
 * @returns {{begin: () => void, answered: (end: () => void) => void, url: Promise<string>}} `begin`
 *   hears what the driver said, at once; `answered` tells what a request reached, and ends it; `url`
 *   is where the driver serves the protocol, if it does that itself
 */
export function startDriver(settings, scope, listen) {
  const { port1, port2 } = new MessageChannel();
  const environment = { ...process.env };
  delete environment.NODE_OPTIONS;
  const thread = new Worker(new URL("../driver/thread.js", import.meta.url), {
    execArgv: [],
    env: environment,
    stdin: false,
    name: "wallace-driver",
    workerData: { settings, root: scope.root, buffers: memory.buffers, port: port2 },
    transferList: [port2],
  });
  thread.unref();
  thread.on("error", (error) =>
    process.stderr.write(`wallace: the driver ended: ${error.stack}\n`),
  );
  startHeartbeat();
  const exchange = new Exchange(settings.actions, databases);
  const { actions } = settings;
  if (actions) watchEnding(`${actions}.ending`, scope.root, () => exchange.end());
  connect((message) => exchange.take(message) || port1.postMessage(message));
  port1.postMessage({ kind: "candidates", names: scope.candidates() });
  const reset = loadReset(settings.reset);
  /** @param {any} message */
  const hear = (message) => {
    if (message.kind === "inputs") announce(message.inputs);
    else if (message.kind === "reset") answerReset(port1, message.id, reset);
    else if (message.kind === "work") answerWork(port1, message);
    else if (message.kind === "abandon") abandonRequests();
    else if (message.kind === "listen") listen();
  };
  /** @type {Promise<string>} */
  const url = new Promise((resolve, reject) => {
    thread.once("message", ({ url, error }) => (error ? reject(new Error(error)) : resolve(url)));
  });
  // Whoever does not ask for it has been told on standard error.
  url.catch(() => {});
  port1.on("message", hear);
  port1.unref();
  const { control } = memory;
  // To look at the port costs more than to see that nothing was said.
  const begin = () => {
    if (control[UNHEARD] && Atomics.exchange(control, UNHEARD, 0)) drain(port1, hear);
    exchange.begin();
  };
  return { begin, answered: (end) => exchange.answered(end), url };
}

/**
 * @param {import("node:worker_threads").MessagePort} port
 * @param {(message: any) => void} hear
 */
function drain(port, hear) {
  for (let found = receiveMessageOnPort(port); found; found = receiveMessageOnPort(port)) {
    hear(found.message);
  }
}

/**
 * @param {import("node:worker_threads").MessagePort} port
 * @param {number} id
 * @param {() => Promise<void>} reset
 */
async function answerReset(port, id, reset) {
  const { control } = memory;
  Atomics.store(control, BEGUN, id);
  try {
    if (databases.isInUse()) await databases.restore();
    // The user has the last word about the state.
    await reset();
    // Who sleeps until then is woken, which is cheaper than a message.
    Atomics.store(control, RESET, id);
    if (!Atomics.notify(control, RESET)) port.postMessage({ kind: "done", id });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // What a test locked for good, only the end of the process unlocks.
    const isLocked = LOCKED.has(/** @type {any} */ (error)?.code);
    const complaint = isLocked ? `${BLOCKED}: ${reason}` : `the reset failed: ${reason}`;
    port.postMessage({ kind: "done", id, error: complaint });
  }
}

/** The words of databases for rows that somebody holds. */
const LOCKED = new Set(["55P03", "ER_LOCK_WAIT_TIMEOUT", "SQLITE_BUSY"]);

/**
 * @param {string} rows folder in which rows are kept for the next process; empty where none follows
 * @returns {Promise<string[]>} what people are told of the databases
 */
async function startDatabases(rows) {
  await databases.start(rows);
  // Where another process starts and ends the service, that has its rows brought back before.
  if (!rows && databases.isInUse()) restoreOnSignals();
  return databases.described();
}

/** What the driver may want to be done with databases. */
const WORK = new Map(
  Object.entries({
    startDatabases,
    settle: databases.settle,
    restore: databases.restore,
    schema: databases.schema,
    insert: databases.insert,
    query: databases.query,
  }),
);

/**
 * @param {import("node:worker_threads").MessagePort} port
 * @param {{id: number, method: string, value: any}} message
 */
async function answerWork(port, { id, method, value }) {
  try {
    const result = await WORK.get(method)?.(value);
    port.postMessage({ kind: "done", id, result });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    port.postMessage({ kind: "done", id, error: reason });
  }
}

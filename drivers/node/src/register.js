/**
 * Makes the process white-box: `node --import wallace-driver/register entry.js`.
 *
 * Every child of a service's command gets here, so nothing but the hooks is loaded until a module
 * of the service is.
 */
import module from "node:module";
import {
  MessageChannel,
  getEnvironmentData,
  isMainThread,
  setEnvironmentData,
} from "node:worker_threads";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { hookCommonJs, hookModules } from "./loader/hooks.js";
import { scopeOf } from "./loader/scope.js";
import { load } from "./quiet.js";
import { watchListening } from "./service/listen.js";
import { readSettings } from "./settings.js";
import { watchNodeSqlite, watchPackage } from "./sql/package/watch.js";

const settings = readSettings(process.env);
const own = fileURLToPath(new URL(".", import.meta.url));
// What resets the service is no part of it.
const reset = settings.reset && resolve(settings.reset);
const scope = scopeOf(process.argv[1], process.cwd(), settings.include);

/** @type {import("./agent.js").Agent | undefined} */
let agent;
let listen = () => {};

function theAgent() {
  agent ??= /** @type {import("./agent.js").Agent} */ (
    load("./agent.js").startAgent(settings, scope, () => listen())
  );
  return agent;
}

/** @type {import("./loader/hooks.js").Replace} */
function replace(file, text, isModule) {
  const isForeign = file.startsWith(own) || file === reset || !scope.owns(file);
  if (isForeign) return text;
  return theAgent().replace(file, text, isModule);
}

/** What a test runner tells its threads. */
const RUNS_TESTS = "wallace-driver runs tests";
if (isMainThread && scope.isStarted) setEnvironmentData(RUNS_TESTS, true);

// Threads of the service run as they are: their targets could not be told from the service's. Those
// of a test runner, such as AVA, are where it loads what is tested.
if (isMainThread || getEnvironmentData(RUNS_TESTS)) {
  hookCommonJs(replace, watchPackage);
  const builtin = (/** @type {string} */ name) => {
    if (name === "node:sqlite") watchNodeSqlite();
    else if (name === "node:assert" || name === "node:assert/strict") {
      load("./loader/assertion_text.js").watchAssertions();
    }
  };
  const isHooked = hookModules(replace, builtin);
  // One such thread serves all of a process.
  if (!isHooked && isMainThread) hookInThread();
}
if (isMainThread) {
  const hold = settings.isSpare ? () => theAgent().beServed() : undefined;
  listen = watchListening((server) => theAgent().serves(server), hold);
}

function hookInThread() {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  const { root, project } = scope;
  const { include, cache } = settings;
  const data = { root, project, include, cache, port: port2 };
  module.register("./loader/thread.js", import.meta.url, { data, transferList: [port2] });
  const value = (/** @type {string} */ id) => theAgent().claim(port1, id);
  Object.defineProperty(globalThis, "$w_claim", { value });
}

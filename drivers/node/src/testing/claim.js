/** What rewritten modules call first where a test runner loads them: Node's hooks do not see those. */
import { agentOfProcess, startAgent } from "../agent.js";
import { scopeOf } from "../loader/scope.js";
import { defineHelpers } from "../runtime/globals.js";
import { registerUnit } from "../runtime/units.js";
import { watchListening } from "../service/listen.js";
import { readSettings } from "../settings.js";

/** @typedef {import("../rewriter/sites.js").Unit} Unit */

/**
 * Makes the unit of a module known, before anything else of the module runs.
 *
 * @param {Unit} unit
 * @param {object} realm the global object that the module sees
 */
export function claim(unit, realm) {
  const agent = agentOfProcess() ?? start();
  defineHelpers(realm);
  if (!registerUnit(unit, realm)) throw new Error("there are too many modules for one process");
  return agent;
}

/**
 * Lets the modules of a context claim their units by `$w_claim`, whatever they do with the names
 * that led here.
 *
 * @param {object} realm the global object of the context
 * @returns {(unit: Unit) => unknown}
 */
export function prepare(realm) {
  const { $w_claim: known } = /** @type {any} */ (realm);
  if (known) return known;
  const value = (/** @type {Unit} */ unit) => claim(unit, realm);
  Object.defineProperty(realm, "$w_claim", { value });
  return value;
}

function start() {
  const settings = readSettings(process.env);
  const folder = process.cwd();
  const agent = startAgent(settings, scopeOf(undefined, folder, settings.include), () => {});
  // Tests start servers of all kinds; only a search wants to know of them.
  watchListening((server) => agent.driver && agent.serves(server), undefined);
  return agent;
}

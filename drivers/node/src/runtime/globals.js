/** Makes the helpers known to rewritten code, under names that no loop over `globalThis` shows. */
import { callHelpers } from "./calls.js";
import { conditionHelpers } from "./conditions.js";
import { parsingHelpers } from "./parsing.js";

/** @param {object} [realm] whose code calls them: the global object of a context */
export function defineHelpers(realm = globalThis) {
  const helpers = { ...conditionHelpers, ...callHelpers, ...parsingHelpers };
  for (const [name, value] of Object.entries(helpers)) {
    if (!Object.hasOwn(realm, `$w_${name}`)) Object.defineProperty(realm, `$w_${name}`, { value });
  }
}

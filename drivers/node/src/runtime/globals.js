/** Makes the helpers known to rewritten code, under names that no loop over `globalThis` shows. */
import { callHelpers } from "./calls.js";
import { conditionHelpers } from "./conditions.js";
import { parsingHelpers } from "./parsing.js";

export function defineHelpers() {
  const helpers = { ...conditionHelpers, ...callHelpers, ...parsingHelpers };
  for (const [name, value] of Object.entries(helpers)) {
    Object.defineProperty(globalThis, `$w_${name}`, { value });
  }
}

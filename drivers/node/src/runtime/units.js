/** The units of this process, and the marks of each. */
import { CALL, LINE } from "../rewriter/sites.js";
import { CAPACITY, USED } from "./memory.js";
import { memory } from "./recording.js";
import { tell } from "./channel.js";

/** @typedef {import("../rewriter/sites.js").Unit} Unit */

/**
 * A `switch`: what its arms ask for, and which values were seen since its marks were cleared.
 *
 * @typedef {{literals: any[], index: Map<any, number>, seen: Set<unknown>}} Switch
 */

/** @type {Switch[]} by the target of the first arm */
export const switches = [];

/** @type {Map<number, string>} name of the unit that starts at a target */
const names = new Map();
/** @type {Map<string, Uint8Array>} marks of units by their ids */
const known = new Map();

/**
 * Makes a unit's array of marks known to its code, before any of it runs.
 *
 * @param {Unit} unit
 * @param {object} [realm] whose code it is: the global object of a context
 * @returns {boolean} whether there was room for it
 */
export function registerUnit(unit, realm = globalThis) {
  const global = `$w_${unit.id}`;
  if (Object.hasOwn(realm, global)) return true;
  const value = known.get(unit.id) ?? add(unit);
  if (value) Object.defineProperty(realm, global, { value });
  return value !== undefined;
}

/**
 * @param {Unit} unit
 * @returns {Uint8Array | undefined} its marks, where there was room for them
 */
function add(unit) {
  const start = Atomics.add(memory.control, USED, unit.count);
  if (start + unit.count > CAPACITY) return undefined;
  const value = new Uint8Array(memory.marks.buffer, start, unit.count);
  known.set(unit.id, value);
  names.set(start, unit.name);
  let target = start;
  for (const [kind, , , targets, extra] of unit.sites) {
    if (kind === LINE || kind === CALL) memory.kinds.fill(1, target, target + targets);
    if (Array.isArray(extra)) {
      const index = new Map(extra.map((literal, arm) => [literal, arm]));
      switches[target] = { literals: extra, index, seen: new Set() };
    }
    target += targets;
  }
  tell({ kind: "unit", start, unit });
  return value;
}

/**
 * @param {Uint8Array} marks
 * @returns {string} the name of the unit
 */
export function unitName(marks) {
  return names.get(marks.byteOffset) ?? "";
}

/** Whether any code of the service was seen. */
export function hasUnits() {
  return names.size > 0;
}

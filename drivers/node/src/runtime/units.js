/** The units of this process, and the marks of each. */
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

/**
 * Makes a unit's array of marks known to its code, before any of it runs.
 *
 * @param {Unit} unit
 * @returns {boolean} whether there was room for it
 */
export function registerUnit(unit) {
  const global = `$w_${unit.id}`;
  if (Object.hasOwn(globalThis, global)) return true;
  const start = Atomics.add(memory.control, USED, unit.count);
  if (start + unit.count > CAPACITY) return false;
  const value = new Uint8Array(memory.marks.buffer, start, unit.count);
  Object.defineProperty(globalThis, global, { value });
  names.set(start, unit.name);
  let target = start;
  for (const [, , , targets, extra] of unit.sites) {
    if (Array.isArray(extra)) {
      const index = new Map(extra.map((literal, arm) => [literal, arm]));
      switches[target] = { literals: extra, index, seen: new Set() };
    }
    target += targets;
  }
  tell({ kind: "unit", start, unit });
  return true;
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

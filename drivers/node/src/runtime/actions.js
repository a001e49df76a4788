/**
 * Tests and actions begin and end: what ran until then is theirs. Both threads do that: the
 * service's where it learns of an action by itself, the driver's everywhere else.
 */
import * as layout from "./memory.js";

/** @typedef {import("./memory.js").Memory} Memory */

/** @param {Memory} memory */
function usedOf({ control }) {
  return Math.min(control[layout.USED] ?? 0, layout.CAPACITY);
}

/**
 * Takes over the lines and calls that ran since the action began.
 *
 * @param {Memory} memory
 */
export function collect(memory) {
  const { control, marks, kinds, scores, actions, touched } = memory;
  const action = control[layout.ACTION] ?? -1;
  // Behind what is used there is a megabyte without a mark.
  const own = marks.subarray(0, usedOf(memory));
  for (let at = own.indexOf(1); at >= 0; at = own.indexOf(1, at + 1)) {
    if (kinds[at] !== 1 || scores[at] !== 0) continue;
    touched[Atomics.add(control, layout.TOUCHED, 1)] = at;
    scores[at] = 1;
    actions[at] = action;
  }
}

/**
 * @param {Memory} memory
 * @param {number} action the one that begins; that before is over
 */
export function beginAction(memory, action) {
  const { control, marks, tries } = memory;
  if (action >= 0) collect(memory);
  // Settled sides are open again: a new action may use other texts.
  marks.fill(0, 0, usedOf(memory));
  tries.fill(0, 0, usedOf(memory));
  control[layout.MEASUREMENTS] = 0;
  Atomics.store(control, layout.ACTION, action);
}

/**
 * @param {Memory} memory
 * @param {number} [test] its number; both threads may begin it
 */
export function newTest(memory, test) {
  const { control, scores, touched } = memory;
  Atomics.store(control, layout.TEST, test ?? (control[layout.TEST] ?? 0) + 1);
  const count = Math.min(control[layout.TOUCHED] ?? 0, layout.CAPACITY);
  for (let at = 0; at < count; at += 1) scores[touched[at] ?? 0] = 0;
  control[layout.TOUCHED] = 0;
  control.fill(0, layout.STATUSES, layout.STATUSES + layout.MOST_STATUSES);
  beginAction(memory, -1);
}

/**
 * @param {Memory} memory
 * @returns {number[]} of the answers of the test, by action
 */
export function statusesOf({ control }) {
  const all = [...control.subarray(layout.STATUSES, layout.STATUSES + layout.MOST_STATUSES)];
  return all.slice(0, all.findLastIndex((status) => status > 0) + 1);
}

/**
 * Scores of targets, as the service's code reaches them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import * as layout from "./memory.js";

/** Evaluations without a better score after which a side is left alone for the action. */
const MOST_TRIES = 200;
/** Distances to patterns that one action may cost, as in the other drivers. */
const MOST_MEASUREMENTS = 50;

/** The call of the engine that work belongs to. */
/** @type {AsyncLocalStorage<{test: number, action: number}>} */
export const origin = new AsyncLocalStorage();

export const memory = layout.view(layout.allocate());
const { control, marks, scores, actions, touched, tries } = memory;

/**
 * The action that the running code belongs to.
 *
 * @returns {number | undefined} nothing for work that an earlier test left behind
 */
export function currentAction() {
  const store = origin.getStore();
  if (!store) return control[layout.ACTION];
  return store.test === control[layout.TEST] ? store.action : undefined;
}

/**
 * @param {number} place in `control`
 * @returns {number} what was counted before
 */
function count(place) {
  const before = control[place] ?? 0;
  control[place] = before + 1;
  return before;
}

/**
 * Keeps a score if it is the best of the test.
 *
 * @param {number} target
 * @param {number} score above 0
 * @returns {boolean} whether it was
 */
export function reach(target, score) {
  const before = scores[target] ?? 1;
  if (score <= before) return false;
  const action = currentAction();
  if (action === undefined) return false;
  if (before === 0) touched[Atomics.add(control, layout.TOUCHED, 1)] = target;
  scores[target] = score;
  actions[target] = action;
  return true;
}

/**
 * Keeps both sides of a condition, the true one first.
 *
 * @param {Uint8Array} unit marks of the unit
 * @param {number} side target of the true side, in the unit
 * @param {boolean} outcome
 * @param {number} missed score of the other side
 */
export function branch(unit, side, outcome, missed) {
  const whenTrue = unit.byteOffset + side;
  const taken = outcome ? whenTrue : whenTrue + 1;
  const other = outcome ? whenTrue + 1 : whenTrue;
  const isBetter = reach(other, missed);
  if (reach(taken, 1) || isBetter) tries[taken] = 0;
  if (scores[other] === 1) {
    marks[whenTrue] = 1;
    marks[whenTrue + 1] = 1;
  } else if ((tries[taken] = (tries[taken] ?? 0) + 1) >= MOST_TRIES) {
    marks[taken] = 1;
    tries[taken] = 0;
  }
}

/**
 * Whether nothing is to be learnt about a condition any more.
 *
 * @param {Uint8Array} unit
 * @param {number} side
 */
export function isSettled(unit, side) {
  return unit[side] === 1 && unit[side + 1] === 1;
}

/** @returns {boolean} whether the action may still compute a distance to a pattern */
export function mayMeasure() {
  return count(layout.MEASUREMENTS) < MOST_MEASUREMENTS;
}

/** Whether the values of decisions are wanted. */
export function keepsOperands() {
  return control[layout.KEEPS_OPERANDS] === 1;
}

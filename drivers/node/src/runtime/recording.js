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

/** Requests that leave no work behind, after which work is followed no longer. */
const TRIAL = 200;
let followed = 0;
/** Whether a request left work behind. */
let hasLateWork = false;
let hearLateWork = () => {};

/**
 * Work is followed through promises and timers, which costs 15 microseconds for a request: until it
 * is clear that the service does nothing behind its answers, and again once it does.
 *
 * @returns {boolean} whether that of the request that begins is
 */
export function followsWork() {
  if (hasLateWork || (control[layout.OPEN_REQUESTS] ?? 0) > 0) return true;
  followed += 1;
  if (followed === TRIAL) origin.disable();
  return followed < TRIAL;
}

/** @param {() => void} hear hears of work behind the answer of a request */
export function watchLateWork(hear) {
  hearLateWork = hear;
}

/**
 * The action that the running code belongs to.
 *
 * @returns {number | undefined} nothing for work that an earlier test left behind
 */
export function currentAction() {
  const store = origin.getStore();
  const isLate = !control[layout.OPEN_REQUESTS] && store?.test !== -1;
  if (isLate) {
    // Of what runs by itself since the start nobody knows while nothing is followed.
    if (store || followed >= TRIAL) hasLateWork = true;
    hearLateWork();
  }
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

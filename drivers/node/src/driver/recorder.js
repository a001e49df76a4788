/** Reads what the service's thread recorded, test by test. */
import { beginAction, collect, newTest, statusesOf } from "../runtime/actions.js";
import * as layout from "../runtime/memory.js";
import { CallSites } from "./call_sites.js";

/**
 * @typedef {import("../rewriter/sites.js").Unit} Unit
 * @typedef {[target: number, score: number, action: number]} Reached
 */

export class Recorder {
  /** @param {SharedArrayBuffer[]} buffers */
  constructor(buffers) {
    this.memory = layout.view(buffers);
    this.calls = new CallSites();
  }

  /**
   * @param {number} start
   * @param {Unit} unit
   */
  addUnit(start, unit) {
    this.calls.add(start, unit);
  }

  /** @param {number} [test] its number; one more than the last one where nobody counts */
  newTest(test) {
    newTest(this.memory, test);
  }

  /** @returns {number} the test that runs */
  test() {
    return Atomics.load(this.memory.control, layout.TEST);
  }

  /** @param {number} action the one that begins; that before is over */
  beginAction(action) {
    beginAction(this.memory, action);
  }

  /** @returns {Reached[]} what the test reached, by target */
  reached() {
    collect(this.memory);
    const { control, scores, actions, touched } = this.memory;
    /** @type {Reached[]} */
    const reached = [];
    const count = Math.min(control[layout.TOUCHED] ?? 0, layout.CAPACITY);
    for (let at = 0; at < count; at += 1) {
      const target = touched[at] ?? 0;
      const action = actions[target] ?? -1;
      reached.push([target, scores[target] ?? 0, action]);
    }
    return this.calls.complete(reached);
  }

  /** @returns {number[]} statuses of answers, by action */
  statuses() {
    return statusesOf(this.memory);
  }

  /** @returns {boolean} whether a request is being answered */
  isBusy() {
    return Atomics.load(this.memory.control, layout.OPEN_REQUESTS) > 0;
  }

  /**
   * Sleeps until a request is answered.
   *
   * @param {number} milliseconds at most
   */
  awaitRequests(milliseconds) {
    const { control } = this.memory;
    Atomics.store(control, layout.AWAITS_REQUESTS, 1);
    // Only now: whoever ends the last request before has not seen that somebody waits.
    const open = Atomics.load(control, layout.OPEN_REQUESTS);
    if (open > 0) Atomics.wait(control, layout.OPEN_REQUESTS, open, milliseconds);
    Atomics.store(control, layout.AWAITS_REQUESTS, 0);
  }

  /**
   * Sleeps until a reset is done.
   *
   * @param {number} id
   * @param {number} milliseconds at most
   * @returns {boolean} whether it is
   */
  awaitReset(id, milliseconds) {
    const { control } = this.memory;
    const before = Atomics.load(control, layout.RESET);
    if (before !== id) Atomics.wait(control, layout.RESET, before, milliseconds);
    return Atomics.load(control, layout.RESET) === id;
  }

  /** @returns {number} the last reset that the service's thread has begun */
  begunReset() {
    return Atomics.load(this.memory.control, layout.BEGUN);
  }

  /** @returns {number} the action that runs; -1 before the first */
  action() {
    return this.memory.control[layout.ACTION] ?? -1;
  }

  /** @param {boolean} isOn */
  keepOperands(isOn) {
    this.memory.control[layout.KEEPS_OPERANDS] = isOn ? 1 : 0;
  }

  /** @param {boolean} isOn */
  keepSql(isOn) {
    this.memory.control[layout.KEEPS_SQL] = isOn ? 1 : 0;
  }

  /** @returns {boolean} whether there are statements that nobody looked at yet */
  hasSql() {
    return Atomics.load(this.memory.control, layout.WAITING_SQL) > 0;
  }

  /** @param {number} target */
  isCovered(target) {
    return this.memory.scores[target] === 1;
  }
}

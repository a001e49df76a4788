/** Reads what the service's thread recorded, test by test. */
import * as layout from "../runtime/memory.js";
import { CALL, LINE } from "../rewriter/sites.js";

/**
 * @typedef {import("../rewriter/sites.js").Unit} Unit
 * @typedef {[target: number, score: number, action: number]} Reached
 */

/** Score of a call that was begun and did not return. */
const ENTERED = 0.5;

export class Recorder {
  /** @param {SharedArrayBuffer[]} buffers */
  constructor(buffers) {
    this.memory = layout.view(buffers);
    /** @type {Map<number, number>} line or call that ran, and its action */
    this.marked = new Map();
    /** Kinds of targets: 1 for those that are marked, 2 for those with scores. */
    this.kinds = new Uint8Array(layout.CAPACITY);
    /** @type {Map<number, number[]>} calls on a line */
    this.calls = new Map();
  }

  /**
   * @param {number} start
   * @param {Unit} unit
   */
  addUnit(start, unit) {
    let target = start;
    for (const [kind, , , targets, extra] of unit.sites) {
      const isMarked = kind === LINE || kind === CALL;
      this.kinds.fill(isMarked ? 1 : 2, target, target + targets);
      if (kind === CALL && extra !== undefined) {
        const line = start + extra;
        this.calls.set(line, [...(this.calls.get(line) ?? []), target]);
      }
      target += targets;
    }
  }

  /** Begins a test. */
  newTest() {
    const { control, scores, touched } = this.memory;
    Atomics.add(control, layout.TEST, 1);
    const count = Math.min(control[layout.TOUCHED] ?? 0, layout.CAPACITY);
    for (let at = 0; at < count; at += 1) scores[touched[at] ?? 0] = 0;
    control[layout.TOUCHED] = 0;
    this.marked.clear();
    this.beginAction(-1);
  }

  /** @param {number} action the one that begins; that before is over */
  beginAction(action) {
    const { control, marks, tries } = this.memory;
    if (action >= 0) this.#collect();
    const used = Math.min(control[layout.USED] ?? 0, layout.CAPACITY);
    // Settled sides are open again: a new action may use other texts.
    marks.fill(0, 0, used);
    tries.fill(0, 0, used);
    control[layout.MEASUREMENTS] = 0;
    Atomics.store(control, layout.ACTION, action);
  }

  /** Takes over the lines that ran since the action began. */
  #collect() {
    const { control, marks } = this.memory;
    const used = Math.min(control[layout.USED] ?? 0, layout.CAPACITY);
    const action = control[layout.ACTION] ?? -1;
    // Behind what is used there is a megabyte without a mark.
    const own = marks.subarray(0, used);
    for (let at = own.indexOf(1); at >= 0; at = own.indexOf(1, at + 1)) {
      if (this.kinds[at] === 1 && !this.marked.has(at)) this.marked.set(at, action);
    }
  }

  /** @returns {Reached[]} what the test reached, by target */
  reached() {
    this.#collect();
    const { control, scores, actions, touched } = this.memory;
    /** @type {Reached[]} */
    const reached = [...this.marked].map(([target, action]) => [target, 1, action]);
    for (const [line, action] of this.marked) {
      for (const call of this.calls.get(line) ?? []) {
        if (!this.marked.has(call)) reached.push([call, ENTERED, action]);
      }
    }
    const count = Math.min(control[layout.TOUCHED] ?? 0, layout.CAPACITY);
    for (let at = 0; at < count; at += 1) {
      const target = touched[at] ?? 0;
      reached.push([target, scores[target] ?? 0, actions[target] ?? -1]);
    }
    return reached.sort((one, other) => one[0] - other[0]);
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
    const open = Atomics.load(control, layout.OPEN_REQUESTS);
    if (open > 0) Atomics.wait(control, layout.OPEN_REQUESTS, open, milliseconds);
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

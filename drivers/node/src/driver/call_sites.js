/** Calls by the line on which they stand: one that was begun and did not return has half a score. */
import { CALL } from "../rewriter/sites.js";

/** Score of a call that was begun and did not return. */
const ENTERED = 0.5;

export class CallSites {
  constructor() {
    /** @type {Map<number, number[]>} calls on a line */
    this.calls = new Map();
    /** The first target behind those of all units. */
    this.end = 0;
  }

  /**
   * @param {number} start
   * @param {import("../rewriter/sites.js").Unit} unit
   */
  add(start, unit) {
    let target = start;
    for (const [kind, , , targets, extra] of unit.sites) {
      if (kind === CALL && typeof extra === "number") {
        const line = start + extra;
        this.calls.set(line, [...(this.calls.get(line) ?? []), target]);
      }
      target += targets;
    }
    this.end = Math.max(this.end, target);
  }

  /**
   * @param {import("./recorder.js").Reached[]} reached
   * @returns {import("./recorder.js").Reached[]} with the calls that did not return, by target
   */
  complete(reached) {
    if (!this.calls.size) return reached.sort(byTarget);
    const seen = new Set(reached.map(([target]) => target));
    const entered = reached.flatMap(([line, , action]) =>
      (this.calls.get(line) ?? [])
        .filter((call) => !seen.has(call))
        .map((call) => /** @type {[number, number, number]} */ ([call, ENTERED, action])),
    );
    return [...reached, ...entered].sort(byTarget);
  }
}

/**
 * @param {import("./recorder.js").Reached} one
 * @param {import("./recorder.js").Reached} other
 */
const byTarget = (one, other) => one[0] - other[0];

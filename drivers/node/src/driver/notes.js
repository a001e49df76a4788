/** What the service told about the actions of a test, besides scores. */

/**
 * @typedef {{tainted: string, specialisation: string, value: string | null, isFull: boolean}} Use
 * @typedef {import("../sql/activity.js").Activity} Activity
 * @typedef {{uses: Use[], statement: string | null, activity?: Activity}} ActionNote
 * @typedef {{target: number, score: number, left: string, relation: string, right: string,
 *   hasDistance: boolean}} Decision
 */

export class ActionNotes {
  constructor() {
    /** @type {Record<number, ActionNote>} */
    this.actions = {};
    /** @type {Map<number, Decision>} the nearest values of each side that was missed */
    this.nearest = new Map();
    /** The test of those values. */
    this.test = -1;
    /** The test of the actions. */
    this.testOfActions = -1;
  }

  newTest() {
    this.actions = {};
    this.nearest.clear();
  }

  /**
   * What is noted of another test says nothing of this one: the service's thread may turn to a test
   * before anybody tells.
   *
   * @param {number} test
   */
  turnTo(test) {
    if (test === this.testOfActions) return;
    this.testOfActions = test;
    this.actions = {};
  }

  /** @param {any} message */
  hear(message) {
    if (message.kind === "decision") {
      if (message.test !== this.test) this.nearest.clear();
      this.test = message.test;
      const before = this.nearest.get(message.target)?.score ?? 0;
      if (message.score >= before) this.nearest.set(message.target, message);
      return;
    }
    if (message.kind === "activities") return this.addActivities(message.activities);
    const note = this.#of(message.action);
    if (message.kind === "use") {
      const { tainted, specialisation, value, isFull } = message;
      note.uses.push({ tainted, specialisation, value, isFull });
    } else if (message.kind === "thrown") {
      note.statement = message.statement;
    }
  }

  /** @param {Record<number, Activity>} activities what was done with databases, by action */
  addActivities(activities) {
    for (const [action, activity] of Object.entries(activities)) {
      this.#of(Number(action)).activity = activity;
    }
  }

  /**
   * @param {number} action before the first one, it counts as the first
   * @returns {ActionNote}
   */
  #of(action) {
    const index = Math.max(action, 0);
    const note = this.actions[index] ?? { uses: [], statement: null };
    this.actions[index] = note;
    return note;
  }

  /**
   * @param {(decision: Decision) => boolean} isWanted
   * @returns {Decision[]}
   */
  decisions(isWanted) {
    return [...this.nearest.values()].filter(isWanted);
  }
}

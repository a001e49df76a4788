/**
 * State in the memory of the service that outlives a reset, as it shows in the answers: operations
 * that answered well refuse everything, test after test. A maintenance mode that a test switched on
 * does that, or a limit on requests.
 *
 * Only what no input explains counts: that the service is not available or asked too often, and, if
 * it stays so, that it fails.
 */

/** Operations that have to be lost at once, where the service has as many. */
const MOST_LOST = 3;
/** Answers of theirs that have to be bad. */
const ENOUGH = 4;
/** Failures of one operation that may be a fault which a search looks at closely. */
const FAULT = 2;
/** Tests before a process is replaced again. It doubles with each time that did not help. */
const PAUSE = 30;

const UNAVAILABLE = new Set([429, 502, 503, 504]);

/** @typedef {{status: number, tests: number}} Run tests in which it answered badly since it did well */

export class Answers {
  constructor() {
    /** @type {Map<string, Run>} operations that answered well once, by name */
    this.runs = new Map();
    /** @type {Map<string, number>} those for which a process was replaced, with their status */
    this.replaced = new Map();
    this.pause = PAUSE;
    this.tests = 0;
    /** The first test at which a process may be replaced. */
    this.next = 0;
  }

  /**
   * Looks at the answers of a test.
   *
   * @param {string[]} operations by action
   * @param {number[]} statuses by action; 0 for none
   * @returns {Map<string, number> | undefined} what a new process has mended: operations, with the
   *   status of their answers before
   */
  add(operations, statuses) {
    this.tests += 1;
    /** @type {Map<string, number>} one per operation: a test that repeats itself shows nothing new */
    const last = new Map();
    statuses.forEach((status, action) => {
      const name = operations[action];
      if (name && status) last.set(name, status);
    });
    let isMended = false;
    for (const [name, status] of last) {
      if (status < 400) {
        isMended ||= this.replaced.has(name);
        this.runs.set(name, { status, tests: 0 });
      } else {
        this.#count(name, status);
      }
    }
    return isMended ? this.#takeMended() : undefined;
  }

  /**
   * @param {string} name
   * @param {number} status of a bad answer
   */
  #count(name, status) {
    const run = this.runs.get(name);
    if (!run || !isRefusal(status)) return;
    run.tests = run.status === status ? run.tests + 1 : 1;
    run.status = status;
  }

  #takeMended() {
    const mended = this.replaced;
    this.replaced = new Map();
    this.pause = PAUSE;
    return mended;
  }

  /** @returns {boolean} whether the process is to be replaced: it counts as done then */
  isStale() {
    if (this.tests < this.next) return false;
    const lost = [...this.runs].filter(([, { status, tests }]) => isLost(status, tests));
    const answers = lost.reduce((sum, [, { tests }]) => sum + tests, 0);
    if (!lost.length || lost.length < Math.min(MOST_LOST, this.runs.size) || answers < ENOUGH) {
      return false;
    }
    if (this.replaced.size) this.pause *= 2;
    this.replaced = new Map(lost.map(([name, { status }]) => [name, status]));
    for (const [, run] of lost) run.tests = 0;
    this.next = this.tests + this.pause;
    return true;
  }
}

/** @param {number} status */
const isRefusal = (status) => status >= 500 || UNAVAILABLE.has(status);

/**
 * @param {number} status
 * @param {number} tests
 */
const isLost = (status, tests) => tests > (UNAVAILABLE.has(status) ? 0 : FAULT);

/**
 * State in the memory of the service that outlives a reset, as it shows in the answers: operations
 * that answered well refuse everything, test after test. A maintenance mode that a test switched on
 * does that, or a limit on requests.
 *
 * Only what no input explains counts: that the service is not available or asked too often. Failures
 * may come from inputs, which a search looks at closely: they count where most operations fail at once,
 * and a new process has mended them where none of them fails so again.
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
    /** @type {Set<string>} those of them that answered well since */
    this.mended = new Set();
    /** Whether one of them failed as before. */
    this.isDoubtful = false;
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
    for (const [name, status] of last) {
      const before = this.replaced.get(name);
      if (status < 400) {
        if (before) this.mended.add(name);
        this.runs.set(name, { status, tests: 0 });
      } else {
        this.isDoubtful ||= before === status && !UNAVAILABLE.has(status);
        this.#count(name, status);
      }
    }
    return this.#isMended() ? this.#takeMended() : undefined;
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

  #isMended() {
    const isPlain = [...this.replaced.values()].every((status) => UNAVAILABLE.has(status));
    const enough = isPlain ? 1 : Math.min(MOST_LOST, this.replaced.size);
    return this.mended.size >= enough && !this.isDoubtful;
  }

  #takeMended() {
    const mended = this.replaced;
    this.replaced = new Map();
    this.mended.clear();
    this.pause = PAUSE;
    return mended;
  }

  /** @returns {boolean} whether the process is to be replaced: it counts as done then */
  isStale() {
    if (this.tests < this.next) return false;
    const { size } = this.runs;
    const lost = [...this.runs].filter(([, { status, tests }]) => isLost(status, tests));
    const refusing = lost.filter(([, { status }]) => UNAVAILABLE.has(status));
    const areMost = 2 * lost.length > size;
    if (!isClear(refusing, size) && !(areMost && isClear(lost, size))) return false;
    if (this.replaced.size) this.pause *= 2;
    this.replaced = new Map(lost.map(([name, { status }]) => [name, status]));
    this.mended.clear();
    this.isDoubtful = false;
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

/**
 * @param {[name: string, run: Run][]} lost
 * @param {number} size number of all operations that answered well once
 */
function isClear(lost, size) {
  const answers = lost.reduce((sum, [, { tests }]) => sum + tests, 0);
  return lost.length >= Math.min(MOST_LOST, size) && answers >= ENOUGH;
}

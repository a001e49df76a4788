/** What people are told of the service while an engine uses it; each thing once. */

export class Teller {
  /** @param {(line: string) => void} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {Set<string>} */
    this.told = new Set();
  }

  /**
   * @param {import("../driver/instance.js").Found} found
   * @param {{names: string[], lines: number, branches: number}} sizes
   */
  start({ url, problem }, { names, lines, branches }) {
    if (!this.#isNew(url)) return;
    const kind = problem.kind === "rest" ? "OpenAPI" : "GraphQL";
    const counts = `${names.length} modules, ${lines} lines, ${branches} branches`;
    this.tell(`the service answers at ${url} (${kind}); ${counts}`);
  }

  /**
   * How the state of the service is brought back between tests.
   *
   * @param {string[]} databases
   * @param {{isFresh: boolean, hook: string}} how
   */
  state(databases, { isFresh, hook }) {
    const ways = [];
    if (hook) ways.push(`the hook of ${hook}`);
    ways.push(...databases);
    if (isFresh) ways.push("a new process for each test");
    const nothing = "nothing brings it back between tests; --reset FILE or --fresh would";
    const line = `state: ${ways.join(", ") || nothing}`;
    if (this.#isNew(line)) this.tell(line);
  }

  /**
   * State that outlived a reset.
   *
   * @param {Map<string, number>} operations that answer well in a new process, with the status before
   */
  mended(operations) {
    if (!this.#isNew("mended")) return;
    const [[name, status] = ["", 0]] = operations;
    const others = operations.size > 1 ? ` and ${operations.size - 1} more` : "";
    this.tell(
      `state in the memory of the service outlives its reset: ${name}${others} answered ${status} ` +
        "test after test, and well in a new process. Another process takes its place when that " +
        "shows; --reset FILE or --fresh would bring it back before each test",
    );
  }

  /** @param {import("../driver/watchdog.js").Hang} hang */
  hang({ statement, stack, seconds }) {
    const place = statement ?? stack[0] ?? "native code";
    if (!this.#isNew(place)) return;
    const frames = stack.map((frame) => `\n    at ${frame}`).join("");
    this.tell(`the service was blocked for ${seconds} s, and that was ended: ${place}${frames}`);
  }

  /** @param {import("../service/ending.js").Ending} ending */
  ending({ statement, stack, reason }) {
    if (!this.#isNew(statement ?? reason)) return;
    const frames = stack.map((frame) => `\n    at ${frame}`).join("");
    this.tell(`the service ended by itself: ${reason}${frames}`);
  }

  /** @param {unknown} error */
  lost(error) {
    const reason = error instanceof Error ? error.message : String(error);
    this.tell(`the service cannot be started again: ${reason}`);
  }

  /** @param {unknown} error */
  left(error) {
    const reason = error instanceof Error ? error.message : String(error);
    this.tell(`rows of tests stay in the database: ${reason}`);
  }

  /** @param {string} what */
  #isNew(what) {
    const isNew = !this.told.has(what);
    this.told.add(what);
    return isNew;
  }
}

/** The engine's calls that change something: start, reset, stop, searches, tests, actions. */
import { NEW_ACTION, RUN_SUT, isTrue, read } from "./body.js";
import { crashed, created, done, refused } from "./reply.js";

export class Session {
  /** @param {import("./controller.js").Controller} controller */
  constructor(controller) {
    this.controller = controller;
    /** The action announced last. */
    this.action = -1;
    this.reportsSql = false;
    /** Number of the last insertions. */
    this.insertions = -1;
  }

  /**
   * `PUT /runSUT`.
   *
   * @param {string} body
   * @param {string | undefined} type
   */
  async runSut(body, type) {
    const message = read(body, type, RUN_SUT);
    if ("refusal" in message) return message.refusal;
    const { value } = message;
    if (value.run === undefined || value.run === null) {
      return refused(400, "Invalid JSON: 'run' field is required");
    }
    const resets = isTrue(value.resetState);
    if (resets && !isTrue(value.run)) {
      return refused(400, "Invalid JSON: cannot reset state and stop service at same time");
    }
    this.reportsSql = isTrue(value.calculateSqlHeuristics) || isTrue(value.extractSqlExecutionInfo);
    try {
      await this.controller.reportSql(this.reportsSql);
      await this.#obey(isTrue(value.run), resets);
      return done();
    } catch (error) {
      return refused(500, error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * @param {boolean} runs
   * @param {boolean} resets
   */
  async #obey(runs, resets) {
    const { controller } = this;
    if (!runs) return controller.stop();
    const isStarting = !controller.isRunning;
    if (isStarting) await controller.start();
    if (!resets) return;
    try {
      // A service that has just started needs none, unless others used its process before, or the
      // state is what a hook makes.
      const isNeeded = !isStarting || controller.isShared || Boolean(controller.hook);
      if (isNeeded) await controller.reset();
    } finally {
      // A new test begins even after a failed reset.
      this.action = -1;
      await controller.newTest();
    }
  }

  /** `POST /newSearch`, with any body. */
  async newSearch() {
    this.controller.newSearch();
    this.action = -1;
    this.insertions = -1;
    await this.controller.newTest();
    return created();
  }

  /**
   * `PUT /newAction`.
   *
   * @param {string} body
   * @param {string | undefined} type
   */
  async newAction(body, type) {
    const message = read(body, type, NEW_ACTION);
    if ("refusal" in message) return message.refusal;
    const { value } = message;
    const collections = Object.keys(NEW_ACTION)
      .slice(2)
      .filter((name) => name !== "rpcCall");
    const hasNull = collections.some((name) => value[name] === null);
    const hasIndex = value.index !== undefined && value.index !== null;
    if (!hasIndex || hasNull || !this.controller.isRunning) return crashed();
    if (value.rpcCall) return refused(500, "Remote procedure calls are not supported");
    // The same action again is a repeated request, and any other an error: both change nothing.
    if (value.index === this.action + 1) {
      this.action += 1;
      await this.controller.beginAction(this.action, value.inputVariables ?? [], value.name);
    }
    return done();
  }
}

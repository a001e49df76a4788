/**
 * The service under the engine's control: processes come and go, names of targets and their
 * numbers stay.
 */
import { BLOCKED } from "../driver/instance.js";
import { sizesOf, targetsOf } from "../driver/names.js";

/**
 * @typedef {import("../driver/instance.js").Instance} Instance
 * @typedef {import("../driver/instance.js").PlacedUnit} PlacedUnit
 * @typedef {import("../driver/recorder.js").Reached} Reached
 * @typedef {import("../driver/notes.js").ActionNote} ActionNote
 * @typedef {{name: string, id: number, score: number, action: number, isNew: boolean}} Target
 * @typedef {Pick<Instance, "start" | "reset" | "newTest" | "beginAction" | "recorded" |
 *   "keepOperands" | "operands"> & {stop?: () => Promise<void>, ended?: Promise<void>}} Process
 *   who can be stopped can be started again
 */

export class Controller {
  /**
   * @param {() => Promise<Process>} launch gives a process of the service
   * @param {{isFresh?: boolean}} [options] `isFresh`: each reset is a new process
   */
  constructor(launch, { isFresh = false } = {}) {
    this.launch = launch;
    this.isFresh = isFresh;
    /** @type {Process | undefined} */
    this.process = undefined;
    /** @type {import("../driver/instance.js").Found | undefined} */
    this.found = undefined;
    /** @type {Map<string, import("../rewriter/sites.js").Unit>} */
    this.units = new Map();
    /** @type {string[]} names of the targets of the process, by its numbers */
    this.names = [];
    /** @type {Map<string, number>} best score of each target while the service started */
    this.boot = new Map();
    /** @type {Map<string, number>} */
    this.ids = new Map();
    /** @type {string[]} names by id */
    this.byId = [];
    /** @type {Set<string>} targets whose first report was in the current test */
    this.firstSeen = new Set();
  }

  /** Whether the service runs, as far as the engine was told. */
  get isRunning() {
    return this.found !== undefined;
  }

  async start() {
    const process = await this.launch();
    this.process = process;
    void process.ended?.then(() => this.#lose(process));
    const { boot, news, url, problem } = await process.start();
    this.names = [];
    this.#learn(news);
    for (const [target, score] of boot) {
      const name = this.names[target] ?? "";
      this.boot.set(name, Math.max(score, this.boot.get(name) ?? 0));
    }
    this.found = { url, problem };
  }

  async stop() {
    const { process } = this;
    this.process = undefined;
    this.found = undefined;
    await process?.stop?.();
  }

  /**
   * A service that ended by itself is started again when the engine next asks for it.
   *
   * @param {Process} process
   */
  #lose(process) {
    if (this.process !== process) return;
    this.process = undefined;
    this.found = undefined;
  }

  async reset() {
    const process = this.#running();
    if (!this.isFresh) {
      try {
        await process.reset();
        return;
      } catch (error) {
        // It is blocked: a new process takes over, where there can be one.
        if (!(error instanceof Error) || !error.message.includes(BLOCKED) || !process.stop) {
          throw error;
        }
      }
    }
    await this.stop();
    await this.start();
  }

  #running() {
    if (!this.process) throw new Error("the service does not run");
    return this.process;
  }

  /** @param {PlacedUnit[]} news */
  #learn(news) {
    for (const { start, unit } of news) {
      this.units.set(unit.name, unit);
      targetsOf(unit).forEach(({ name }, index) => (this.names[start + index] = name));
    }
  }

  /** Forgets numbers and first reports; keeps what the start covered. */
  newSearch() {
    this.ids = new Map();
    this.byId = [];
    this.firstSeen.clear();
  }

  async newTest() {
    this.firstSeen.clear();
    await this.process?.newTest();
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   */
  async beginAction(index, inputs) {
    await this.#running().beginAction(index, inputs);
  }

  /** @returns {Promise<{targets: Target[], actions: Record<number, ActionNote>}>} */
  async recorded() {
    const { news, reached, actions } = await this.#running().recorded();
    this.#learn(news);
    const targets = reached.map((one) => this.#target(one));
    return { targets: targets.sort((one, other) => one.id - other.id), actions };
  }

  /**
   * @param {Reached} reached
   * @returns {Target}
   */
  #target([target, score, action]) {
    const name = this.names[target] ?? "";
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.byId.push(name) - 1;
      this.ids.set(name, id);
      // What booting covers in every run is no news to a search.
      if (!this.isBoot(name)) this.firstSeen.add(name);
    }
    return { name, id, score, action, isNew: this.firstSeen.has(name) };
  }

  /** @param {string} name */
  isBoot(name) {
    return (this.boot.get(name) ?? 0) >= 1;
  }

  /** @returns {{names: string[], lines: number, branches: number}} */
  sizes() {
    const units = [...this.units.values()];
    const sizes = units.map(sizesOf);
    const lines = sizes.reduce((sum, one) => sum + one.lines, 0);
    const branches = sizes.reduce((sum, one) => sum + one.branches, 0);
    return { names: units.map((unit) => unit.name), lines, branches };
  }

  /** @param {boolean} isOn */
  async keepOperands(isOn) {
    await this.process?.keepOperands(isOn);
  }

  async operands() {
    const decisions = (await this.process?.operands()) ?? [];
    return decisions.map((one) => ({ ...one, target: this.names[one.target] ?? "" }));
  }
}

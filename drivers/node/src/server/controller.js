/**
 * The service under the engine's control: processes come and go, names of targets and their
 * numbers stay.
 */
import { BLOCKED } from "../driver/blocked.js";
import { sizesOf, targetsOf } from "../driver/names.js";
import { ENDED } from "../supervisor/link.js";
import { Answers } from "./answers.js";
import { joined } from "./kept.js";
import { Teller } from "./teller.js";

/**
 * @typedef {import("../driver/instance.js").Instance} Instance
 * @typedef {import("../driver/instance.js").PlacedUnit} PlacedUnit
 * @typedef {import("../driver/recorder.js").Reached} Reached
 * @typedef {import("../driver/notes.js").ActionNote} ActionNote
 * @typedef {{name: string, id: number, score: number, action: number, isNew: boolean}} Target
 * @typedef {Pick<Instance, "start" | "reset" | "newTest" | "beginAction" | "recorded" |
 *   "keepOperands" | "operands" | "abandon" | "leave" | "reportSql" | "schema" | "insert" | "query"> & {stop?: () => Promise<void>,
 *   ended?: Promise<void>, onHang: (hang: HangReport) => any,
 *   onEnding?: (ending: import("../service/ending.js").Ending, recorded: Recorded) => void}} Process
 *   who can be stopped can be started again
 * @typedef {import("../driver/instance.js").HangReport} HangReport
 * @typedef {import("../driver/instance.js").Recorded} Recorded
 * @typedef {import("./kept.js").Named} Named
 * @typedef {import("./kept.js").Kept} Kept
 */

/** What is said of a process that is to be replaced. */
const LOST = new RegExp(`${BLOCKED}|${ENDED}`);

export class Controller {
  /**
   * @param {() => Promise<Process>} launch gives a process of the service
   * @param {{isFresh?: boolean, isShared?: boolean, hook?: string, tell?: (line: string) => void,
   *   keepSpare?: () => void}} [options]
   *   `isFresh`: each reset is a new process; `hook` resets; `isShared`: the process
   *   does not begin with the search; `tell` is for people; `keepSpare` is called when a
   *   process had to be replaced
   */
  constructor(launch, options = {}) {
    const {
      isFresh = false,
      isShared = false,
      hook = "",
      tell = () => {},
      keepSpare = () => {},
    } = options;
    this.launch = launch;
    this.isShared = isShared;
    this.isFresh = isFresh;
    this.hook = hook;
    /** Whether the engine wants to know of statements on databases. */
    this.reportsSql = false;
    this.teller = new Teller(tell);
    this.keepSpare = keepSpare;
    /** @type {Kept | undefined} what a process recorded in this test that is there no more */
    this.kept = undefined;
    /** @type {Promise<void> | undefined} */
    this.recovering = undefined;
    /** @type {Process | undefined} */
    this.process = undefined;
    /** Whether the process was reset, and nothing was asked of it since. */
    this.isReset = false;
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
    this.answers = new Answers();
    /** @type {string[]} what the actions of the test are, as the engine calls them */
    this.operations = [];
  }

  /** Whether the service runs, as far as the engine was told. */
  get isRunning() {
    return this.found !== undefined;
  }

  async start() {
    const process = await this.launch();
    this.process = process;
    this.isReset = false;
    process.onHang = (hang) => this.#hang(process, hang);
    process.onEnding = (ending, recorded) => {
      if (this.process !== process) return;
      this.kept = this.#keep(recorded);
      this.teller.ending(ending);
    };
    void process.ended?.then(() => this.#lose(process));
    const { boot, news, url, problem, databases } = await this.#started(process);
    this.names = [];
    this.#learn(news);
    for (const [target, score] of boot) {
      const name = this.names[target] ?? "";
      this.boot.set(name, Math.max(score, this.boot.get(name) ?? 0));
    }
    this.found = { url, problem, databases };
    this.teller.start(this.found, this.sizes());
    this.teller.state(databases, { isFresh: this.isFresh, hook: this.hook });
    if (this.isFresh) this.#reserve();
  }

  /** @param {Process} process */
  async #started(process) {
    try {
      const found = await process.start();
      await process.reportSql(this.reportsSql);
      return found;
    } catch (error) {
      // The next attempt begins with another one.
      this.process = undefined;
      await process.stop?.();
      throw error;
    }
  }

  /** Keeps a spare, unless the service would write to the database of the one that runs. */
  #reserve() {
    if (!this.found?.databases.length) this.keepSpare();
  }

  /** Ends the service, and leaves its databases as they were. */
  async stop() {
    await this.recovering;
    try {
      if (this.found?.databases.length) await this.process?.leave();
    } catch (error) {
      this.teller.left(error);
    }
    await this.#end();
  }

  async #end() {
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
    void process.stop?.();
    if (this.kept) {
      // It was ended in the middle of a test, which goes on with another process.
      this.recovering = this.#recover().finally(() => (this.recovering = undefined));
    } else {
      this.found = undefined;
    }
  }

  async #recover() {
    try {
      await this.start();
      this.#reserve();
    } catch (error) {
      this.found = undefined;
      this.teller.lost(error);
    }
  }

  /**
   * What blocked the service, told before it is ended: the process may not survive that.
   *
   * @param {Process} process
   * @param {HangReport} hang
   */
  #hang(process, hang) {
    if (this.process !== process) return;
    this.kept = this.#keep(hang.recorded);
    this.teller.hang(hang);
  }

  /**
   * @param {Recorded} recorded
   * @returns {Kept}
   */
  #keep({ news, reached, actions }) {
    this.#learn(news);
    const named = reached.map(([target, score, action]) => {
      return { name: this.names[target] ?? "", score, action };
    });
    return joined(this.kept, { targets: named, actions });
  }

  async reset() {
    const process = await this.#running();
    const isNew = this.isFresh || (Boolean(process.stop) && this.answers.isStale());
    try {
      // A new process finds the rows that the last one left.
      if (!isNew || this.found?.databases.length) await process.reset();
      this.isReset = !isNew;
      if (!isNew) return;
    } catch (error) {
      // It is blocked, or was ended for that: a new process takes over, where there can be one.
      if (!(error instanceof Error) || !LOST.test(error.message) || !process.stop) throw error;
    }
    const isReplaced = !this.isFresh;
    await this.recovering;
    if (this.process !== process && this.process) return;
    await this.#end();
    await process.stop?.();
    await this.start();
    if (isReplaced) this.#reserve();
  }

  async #running() {
    await this.recovering;
    if (!this.process) throw new Error("the service does not run");
    return this.process;
  }

  /**
   * Asks the process, or the next one where it was ended meanwhile.
   *
   * @template T
   * @param {(process: Process) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async #ask(work) {
    try {
      return await work(await this.#running());
    } catch (error) {
      if (!this.kept || !(error instanceof Error) || !LOST.test(error.message)) throw error;
      return work(await this.#running());
    }
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
    await this.recovering;
    this.kept = undefined;
    this.operations = [];
    const { isReset } = this;
    this.isReset = false;
    // A reset begins a test, which saves a message.
    if (this.process && !isReset) await this.#ask((process) => process.newTest());
  }

  /** The engine waits no longer for what is open. */
  async abandon() {
    try {
      await this.process?.abandon();
    } catch {
      // The process was ended for it.
    }
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   * @param {string} [name] of the operation
   */
  async beginAction(index, inputs, name) {
    this.operations[index] = name ?? "";
    // What runs before the first action counts as that one, so it has begun.
    if (index === 0 && !inputs.length && !this.recovering) return;
    await this.#ask((process) => process.beginAction(index, inputs));
  }

  /** @returns {Promise<{targets: Target[], actions: Record<number, ActionNote>}>} */
  async recorded() {
    const recorded = await this.#ask((process) => process.recorded());
    const mended = this.answers.add(this.operations, recorded.statuses ?? []);
    if (mended) this.teller.mended(mended);
    this.operations = [];
    const { targets, actions } = this.#keep(recorded);
    const numbered = targets.map((one) => this.#target(one));
    return { targets: numbered.sort((one, other) => one.id - other.id), actions };
  }

  /**
   * @param {Named} named
   * @returns {Target}
   */
  #target({ name, score, action }) {
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
  async reportSql(isOn) {
    if (this.reportsSql === isOn) return;
    this.reportsSql = isOn;
    await this.process?.reportSql(isOn);
  }

  /** @returns {Promise<import("../sql/schema.js").SchemaMessage | null>} of the databases */
  async schema() {
    return this.process ? this.process.schema() : null;
  }

  /** @param {import("../sql/insertion.js").Insertion[]} rows */
  async insert(rows) {
    return this.#ask((process) => process.insert(rows));
  }

  /** @param {string} statement */
  async query(statement) {
    return this.#ask((process) => process.query(statement));
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

/**
 * One process of the service, as a server of the protocol sees it. Every answer brings the units
 * that are new since the last one.
 */
import { receiveMessageOnPort } from "node:worker_threads";
import { UNHEARD } from "../runtime/memory.js";
import { Recorder } from "./recorder.js";
import { BLOCKED } from "./blocked.js";
import { ActionNotes } from "./notes.js";
import { ThreadTime, within } from "./thread_time.js";
import { Watchdog } from "./watchdog.js";
import { probe } from "./probe.js";

/**
 * @typedef {import("../rewriter/sites.js").Unit} Unit
 * @typedef {{start: number, unit: Unit}} PlacedUnit
 * @typedef {{url: string, problem: import("./probe.js").Problem, databases: string[]}} Found what
 *   the service offers, and a description of each of its databases
 * @typedef {import("./recorder.js").Reached} Reached
 * @typedef {{news: PlacedUnit[], reached: Reached[],
 *   actions: Record<number, import("./notes.js").ActionNote>, statuses?: number[]}} Recorded
 * @typedef {import("./watchdog.js").Hang & {recorded: Recorded, test: number}} HangReport
 */

/** How long open requests may take to end behind their answer, in milliseconds. */
const PATIENCE = 10;
/** The same where the thread waits for the processor all the while. */
const LONGEST = 2_000;
/** How much time the service's thread may have for what it is asked, in milliseconds. */
const RESET = 5_000;
/** Time between two looks whether it has begun with a reset, in milliseconds. */
const BEGIN = 250;
/** How long the service may take to listen, in milliseconds. */
const START = 120_000;

export class Instance {
  /**
   * @param {import("../settings.js").Settings} settings
   * @param {string} root
   * @param {SharedArrayBuffer[]} buffers
   * @param {import("node:worker_threads").MessagePort} port to the service's thread
   */
  constructor(settings, root, buffers, port) {
    this.settings = settings;
    this.root = root;
    this.port = port;
    this.recorder = new Recorder(buffers);
    this.notes = new ActionNotes();
    /** @type {PlacedUnit[]} */
    this.news = [];
    this.unitCount = 0;
    /** Whether the service's thread knows of inputs. */
    this.hasInputs = false;
    /** Things that the service's thread was asked to do. */
    this.works = 0;
    /** @type {string[]} */
    this.candidates = [];
    /** @type {Set<string>} */
    this.listeners = new Set(settings.service ? [settings.service] : []);
    /** @type {Map<number, (answer: {error?: string, result?: any}) => void>} */
    this.waiting = new Map();
    /** Whether actions have to be told before they begin: it is not enough to announce them. */
    this.isCareful = false;
    this.hasDatabases = false;
    /** Hears when one of both changes. */
    this.onCare = /** @type {(care: {isCareful: boolean, hasDatabases: boolean}) => void} */ (
      () => {}
    );
    /** Hears of hangs, with what was recorded until then, before they are ended. */
    this.onHang = /** @type {(hang: HangReport) => Promise<void>} */ (async () => {});
    this.watchdog = new Watchdog(this.recorder.memory, root, settings.hang, (hang) =>
      this.#report(hang),
    );
    this.watchdog.onLook = () => this.#tellCare();
    port.on("message", (message) => this.#hear(message));
  }

  /** A service that is blocked is ended before the next action. */
  #tellCare() {
    const isCareful = this.watchdog.isBlocked();
    if (isCareful !== this.isCareful) this.onCare({ isCareful, hasDatabases: this.hasDatabases });
    this.isCareful = isCareful;
  }

  /** Statements are looked at while their rows are there. */
  #keepDatabases() {
    this.hasDatabases = true;
    this.onCare({ isCareful: this.isCareful, hasDatabases: true });
  }

  /** @param {any} message */
  #hear(message) {
    if (message.kind === "unit") {
      this.recorder.addUnit(message.start, message.unit);
      this.news.push({ start: message.start, unit: message.unit });
      this.unitCount += 1;
    } else if (message.kind === "listener") {
      this.listeners.add(message.url);
    } else if (message.kind === "candidates") {
      this.candidates = message.names;
    } else if (message.kind === "database") {
      this.#keepDatabases();
    } else if (message.kind === "done") {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    } else {
      this.#notes().hear(message);
    }
  }

  /** Hears what the service said until now. */
  #drain() {
    const { port } = this;
    for (let found = receiveMessageOnPort(port); found; found = receiveMessageOnPort(port)) {
      this.#hear(found.message);
    }
  }

  /** What is noted of the test that runs. */
  #notes() {
    this.notes.turnTo(this.recorder.test());
    return this.notes;
  }

  #takeNews() {
    this.#drain();
    const { news } = this;
    this.news = [];
    return news;
  }

  /**
   * Waits until the service listens, and finds out what it offers.
   *
   * @returns {Promise<Found & {boot: Reached[], news: PlacedUnit[]}>}
   */
  async start() {
    await until(() => this.listeners.size > 0, START, "the service does not listen");
    this.#drain();
    if (!this.unitCount) throw new Error(this.#nothingOwned());
    const boot = this.recorder.reached();
    const found = await probe([...this.listeners], this.settings);
    /** @type {string[]} */
    const databases = await this.#work("startDatabases", this.settings.rows);
    if (databases.length) this.#keepDatabases();
    this.newTest();
    // Only now: to start may take long.
    this.watchdog.start();
    return { ...found, databases, boot, news: this.#takeNews() };
  }

  #nothingOwned() {
    const named = this.candidates.join(", ") || "none";
    return (
      `no module of the service was loaded: none lies below ${this.root} outside of node_modules. ` +
      `Packages that --include may name: ${named}`
    );
  }

  /**
   * Restores databases, runs the reset hook, and begins a test; without both, the service still has
   * to answer.
   */
  async reset(/** @type {number | undefined} */ test = undefined) {
    await this.watchdog.ending;
    const id = (this.works += 1);
    this.#post({ kind: "reset", id });
    // Most resets take no longer than a message about them would.
    if (!this.recorder.awaitReset(id, PATIENCE)) {
      const timer = setInterval(() => this.#beginOrEnd(id), BEGIN);
      await this.#answerOf(id).finally(() => clearInterval(timer));
    }
    await this.newTest(test);
  }

  /**
   * Says something to the service's thread, which hears it before the next request.
   *
   * @param {{kind: string, [name: string]: any}} message
   */
  #post(message) {
    this.port.postMessage(message);
    Atomics.store(this.recorder.memory.control, UNHEARD, 1);
  }

  /** @param {string[]} inputs */
  #announce(inputs) {
    if (inputs.length || this.hasInputs) this.#post({ kind: "inputs", inputs });
    this.hasInputs = inputs.length > 0;
  }

  /** Leaves the databases of the service as they were when it had started. */
  async leave() {
    await this.watchdog.ending;
    if (this.watchdog.isBlocked()) await this.watchdog.end();
    await this.#work("restore");
  }

  /**
   * Has something done in the service's thread.
   *
   * @param {string} method
   * @param {any} [value]
   * @returns {Promise<any>}
   */
  async #work(method, value) {
    const id = (this.works += 1);
    this.#post({ kind: "work", id, method, value });
    return this.#answerOf(id);
  }

  /** @param {number} id of what the service's thread was asked to do */
  async #answerOf(id) {
    /** @type {Promise<{error?: string, result?: any}>} */
    const done = new Promise((resolve) => this.waiting.set(id, resolve));
    const { error, result } = (await within(done, RESET)) ?? { error: BLOCKED };
    this.waiting.delete(id);
    if (error) throw new Error(error);
    return result;
  }

  /**
   * What an earlier test left behind may block the service; a reset of its own may take its time.
   *
   * @param {number} id of the reset
   */
  #beginOrEnd(id) {
    if (this.recorder.begunReset() < id && this.watchdog.isBlocked()) void this.watchdog.end();
  }

  /** Lets a spare process listen. */
  async listen() {
    this.port.postMessage({ kind: "listen" });
  }

  /** Gives up the requests that are open: the engine waits for them no longer. */
  async abandon() {
    if (this.watchdog.isBlocked()) await this.watchdog.end();
    this.#post({ kind: "abandon" });
  }

  /** @param {import("./watchdog.js").Hang} hang */
  async #report(hang) {
    this.#drain();
    const action = this.recorder.isBusy() ? this.recorder.action() : undefined;
    if (action !== undefined && hang.statement) {
      this.#notes().hear({ kind: "thrown", action, statement: hang.statement });
    }
    const reached = this.recorder.reached();
    const recorded = { news: this.#takeNews(), reached, actions: this.#notes().actions };
    await this.onHang({ ...hang, recorded, test: this.recorder.test() });
  }

  /** @param {number} [test] its number */
  async newTest(test) {
    this.#drain();
    this.recorder.newTest(test);
    this.#notes().newTest();
    this.#announce([]);
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   */
  async beginAction(index, inputs) {
    if (this.watchdog.isBlocked()) await this.watchdog.end();
    await this.watchdog.ending;
    await this.#settle();
    this.recorder.beginAction(index);
    if (inputs.length) this.#announce(inputs);
  }

  /**
   * Whoever announced a test does not always wait until it has begun.
   *
   * @param {number} test
   */
  async turnTo(test) {
    if (this.recorder.test() !== test) await this.newTest(test);
  }

  /**
   * What was recorded since the test began.
   *
   * @returns {Promise<Recorded>}
   */
  async recorded() {
    await this.watchdog.ending;
    await this.#settle();
    const news = this.#takeNews();
    const { actions } = this.#notes();
    return { news, reached: this.recorder.reached(), actions, statuses: this.recorder.statuses() };
  }

  /** Waits until what a request left behind is done, as far as it is quick. */
  async #settle() {
    this.#awaitRequests();
    if (!this.recorder.hasSql()) return;
    await this.#settleSql();
    // What is known of the statements is told behind them.
    this.#awaitRequests();
  }

  /** Waits until requests end behind their answers, for as long as the service's thread may have. */
  #awaitRequests() {
    const { recorder } = this;
    const begun = Date.now();
    // The thread sleeps: looking again and again would take the time from the service.
    while (recorder.isBusy() && Date.now() - begun < PATIENCE) recorder.awaitRequests(PATIENCE);
    if (!recorder.isBusy()) return;
    // One that waits for the processor is not done.
    const time = new ThreadTime();
    for (let left = PATIENCE; left > 0 && Date.now() - begun < LONGEST; left -= time.had()) {
      recorder.awaitRequests(PATIENCE);
      if (!recorder.isBusy()) return;
    }
  }

  /** Has the statements looked at that were executed, while their rows are there. */
  async #settleSql() {
    if (!this.recorder.hasSql() || this.watchdog.isBlocked()) return;
    try {
      const activities = await this.#work("settle");
      this.#notes().addActivities(activities);
    } catch {
      // Nothing is known of them, which is no reason to lose the rest.
    }
  }

  /** @param {boolean} isOn whether statements on databases are kept */
  async reportSql(isOn) {
    this.recorder.keepSql(isOn);
  }

  /** @returns {Promise<import("../sql/schema.js").SchemaMessage | null>} of the databases */
  async schema() {
    return this.#work("schema");
  }

  /**
   * @param {import("../sql/insertion.js").Insertion[]} rows
   * @returns {Promise<{keys: Record<string, number>, isInserted: boolean[]}>}
   */
  async insert(rows) {
    return this.#work("insert", rows);
  }

  /**
   * @param {string} statement
   * @returns {Promise<string[][]>}
   */
  async query(statement) {
    return this.#work("query", statement);
  }

  /** @param {boolean} isOn */
  async keepOperands(isOn) {
    this.recorder.keepOperands(isOn);
  }

  async operands() {
    this.#drain();
    return this.notes.decisions(({ target }) => !this.recorder.isCovered(target));
  }
}

/**
 * @param {() => boolean} isDone
 * @param {number} patience
 * @param {string} complaint
 */
async function until(isDone, patience, complaint) {
  const deadline = Date.now() + patience;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(complaint);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

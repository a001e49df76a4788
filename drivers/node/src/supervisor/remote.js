/**
 * Stands for the process of the service in the one that serves the protocol. What a test needs is
 * told through files where that is enough, since each message wakes a thread of the service.
 */
import { existsSync } from "node:fs";
import { ENDED, eachLine, send } from "./link.js";
import { Told } from "./told.js";

/**
 * @typedef {import("../driver/instance.js").HangReport} HangReport
 * @typedef {import("../driver/instance.js").Recorded} Recorded
 * @typedef {{announcer: import("../driver/announcement.js").Announcer,
 *   reports: import("../driver/report.js").ReportReader, hasHook: boolean, ending: string}} Means
 * @typedef {import("../service/ending.js").Ending} Ending
 */

export class RemoteProcess {
  /**
   * @param {import("node:net").Socket} socket
   * @param {() => Promise<void>} stop
   * @param {Means} means files between the processes, and whether the service has a hook for resets
   */
  constructor(socket, stop, { announcer, reports, hasHook, ending }) {
    this.socket = socket;
    this.stop = stop;
    this.announcer = announcer;
    this.told = new Told(reports);
    this.hasHook = hasHook;
    this.ending = ending;
    /** Number of the test that was begun last. */
    this.test = 0;
    /** Whether the process has to hear of an action before its request comes. */
    this.isCareful = false;
    /** Whether statements have to be looked at before the next action changes their rows. */
    this.hasDatabases = false;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
    this.open = new Map();
    this.asked = 0;
    /** @type {Promise<void>} */
    this.ended = new Promise((resolve) => socket.once("close", () => resolve()));
    socket.once("close", () => this.#tellEnding());
    /** Hears of an end that the service brought about itself, with what the test reached. */
    this.onEnding = /** @type {(ending: Ending, recorded: Recorded) => void} */ (() => {});
    void this.ended.then(() => this.#abandon());
    /** Hears of what blocked the service, before it is ended. */
    this.onHang = /** @type {(hang: HangReport) => void} */ (() => {});
    eachLine(socket, ({ id, result, error, hang, care }) => {
      if (hang) return this.onHang(this.#ofTest(hang));
      if (care) return void Object.assign(this, care);
      const call = this.open.get(id);
      this.open.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error));
    });
  }

  #abandon() {
    for (const { reject } of this.open.values()) reject(new Error(ENDED));
    this.open.clear();
  }

  /**
   * @param {string} method
   * @param {...any} values
   * @returns {Promise<any>}
   */
  call(method, ...values) {
    return this.#send({ method, values });
  }

  /**
   * @param {{method: string, values: any[], test?: number}} message
   * @returns {Promise<any>}
   */
  async #send(message) {
    if (this.socket.destroyed) {
      // Whoever asks again then finds the next process.
      await this.ended;
      throw new Error(ENDED);
    }
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.open.set(id, { resolve, reject });
      send(this.socket, { id, ...message });
    });
  }

  /** What the process is asked while a test runs, which it may not have heard of yet. */
  #ask(/** @type {string} */ method, /** @type {any[]} */ ...values) {
    return this.#send({ method, values, test: this.test });
  }

  async start() {
    const found = await this.call("start");
    this.test += 1;
    this.told.learn(found.news);
    return found;
  }

  async reset() {
    if (!this.hasHook && this.#isIdle()) return this.#beginTest();
    this.#beginTest();
    return this.call("reset", this.test);
  }

  async newTest() {
    const isIdle = this.#isIdle();
    this.#beginTest();
    if (!isIdle) await this.call("newTest", this.test);
  }

  /** Announces a test: the service's thread begins it with the next request. */
  #beginTest() {
    this.test += 1;
    this.announcer.announce(this.test, -1, []);
  }

  /**
   * Whether nothing has to be waited for: there is nothing to bring back, the last request is
   * answered, and the loop has turned since.
   */
  #isIdle() {
    if (this.isCareful || this.socket.destroyed) return false;
    return this.told.isNew(this.announcer.count) && !this.told.mayDiffer();
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   */
  async beginAction(index, inputs) {
    // It has answered that it ends, and is about to.
    if (existsSync(this.ending)) await this.ended;
    const isSettled = !this.hasDatabases || !index || this.told.isComplete(this.announcer.count);
    const isTold = isSettled && !this.isCareful && !this.socket.destroyed;
    this.announcer.announce(this.test, index, inputs);
    if (!isTold) await this.#ask("beginAction", index, inputs);
  }

  /** @returns {Promise<Recorded>} */
  async recorded() {
    const told = this.isCareful ? undefined : this.told.report(this.announcer.count);
    if (told) return told;
    const recorded = /** @type {Recorded} */ (await this.#ask("recorded"));
    this.told.learn(recorded.news);
    return { ...recorded, actions: this.told.withNotes(recorded.actions, this.test) };
  }

  /**
   * @param {HangReport} hang
   * @returns {HangReport} without what belongs to an earlier test
   */
  #ofTest(hang) {
    const { recorded, test } = hang;
    this.told.learn(recorded.news);
    const isOfTest = test === this.test;
    const reached = isOfTest ? recorded.reached : [];
    const actions = isOfTest ? this.told.withNotes(recorded.actions, test) : {};
    return { ...hang, recorded: { news: recorded.news, reached, actions } };
  }

  /** Tells what the service wrote if it ended by itself. */
  #tellEnding() {
    const found = this.told.ending(this.ending, this.test);
    if (found) this.onEnding(found.ending, found.recorded);
  }

  /** @param {boolean} isOn */
  keepOperands(isOn) {
    return this.#ask("keepOperands", isOn);
  }

  operands() {
    return this.#ask("operands");
  }

  abandon() {
    return this.#ask("abandon");
  }

  leave() {
    return this.call("leave");
  }

  listen() {
    return this.call("listen");
  }

  /** @param {boolean} isOn */
  reportSql(isOn) {
    return this.call("reportSql", isOn);
  }

  schema() {
    return this.call("schema");
  }

  /** @param {import("../sql/insertion.js").Insertion[]} rows */
  insert(rows) {
    return this.call("insert", rows);
  }

  /** @param {string} statement */
  query(statement) {
    return this.call("query", statement);
  }
}

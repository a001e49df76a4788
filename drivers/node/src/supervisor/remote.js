/**
 * Stands for the process of the service in the one that serves the protocol. What a test needs is
 * told through files where that is enough, since each message wakes a thread of the service.
 */
import { existsSync, readFileSync } from "node:fs";
import { ActionNotes } from "../driver/notes.js";
import { CallSites } from "../driver/call_sites.js";
import { clock } from "../driver/report.js";
import { ENDED, eachLine, send } from "./link.js";

/**
 * @typedef {import("../driver/instance.js").HangReport} HangReport
 * @typedef {import("../driver/instance.js").Recorded} Recorded
 * @typedef {import("../driver/instance.js").PlacedUnit} PlacedUnit
 * @typedef {{announcer: import("../driver/announcement.js").Announcer,
 *   reports: import("../driver/report.js").ReportReader, hasHook: boolean, ending: string}} Means
 * @typedef {import("../service/ending.js").Ending} Ending
 */

/** How long a report may be on its way, and how long is slept between two looks, in milliseconds. */
const PATIENCE = 2;
const LOOK = 0.1;
/** How old a report may be to show that nothing blocks the service, in milliseconds. */
const OLDEST = 50;

const sleeping = new Int32Array(new SharedArrayBuffer(4));

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
    this.reports = reports;
    this.hasHook = hasHook;
    this.ending = ending;
    this.calls = new CallSites();
    /** Number of the test that was begun last. */
    this.test = 0;
    /** Whether the process has to hear of an action before its request comes. */
    this.isCareful = false;
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
    eachLine(socket, ({ id, result, error, hang, isCareful }) => {
      if (hang) return this.onHang(this.#ofTest(hang));
      if (isCareful !== undefined) return void (this.isCareful = isCareful);
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
    this.#learn(found.news);
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
    const { announcement, time } = this.reports.head();
    return announcement === this.announcer.count && Math.abs(clock() - time) < OLDEST;
  }

  /**
   * @param {number} index
   * @param {string[]} inputs
   */
  async beginAction(index, inputs) {
    // It has answered that it ends, and is about to.
    if (existsSync(this.ending)) await this.ended;
    this.announcer.announce(this.test, index, inputs);
    if (this.isCareful || this.socket.destroyed) await this.#ask("beginAction", index, inputs);
  }

  /** @returns {Promise<Recorded>} */
  async recorded() {
    const told = this.isCareful ? undefined : this.#report();
    if (told) return told;
    const recorded = /** @type {Recorded} */ (await this.#ask("recorded"));
    this.#learn(recorded.news);
    return { ...recorded, actions: this.#withNotes(recorded.actions) };
  }

  /** @returns {Recorded | undefined} nothing where the report is not all there is */
  #report() {
    const deadline = performance.now() + PATIENCE;
    const isThere = () => this.reports.head().announcement === this.announcer.count;
    while (!isThere()) {
      if (performance.now() > deadline) return undefined;
      Atomics.wait(sleeping, 0, 0, LOOK);
    }
    const body = this.reports.body();
    const isKnown = body?.reached.every(([target]) => target < this.calls.end);
    if (!body || !isKnown) return undefined;
    const { actions } = notesOf(body.notes);
    const { statuses } = body;
    return { news: [], reached: this.calls.complete(body.reached), actions, statuses };
  }

  /**
   * @param {Recorded["actions"]} actions as the driver's thread knows them
   * @returns {Recorded["actions"]} with what stands in the report
   */
  #withNotes(actions) {
    const isOfTest = this.reports.head().test === this.test;
    const body = isOfTest ? this.reports.body() : undefined;
    const told = notesOf(body?.notes ?? []).actions;
    for (const [index, note] of Object.entries(actions)) {
      const { uses, statement } = told[Number(index)] ?? { uses: [], statement: null };
      const all = { ...note, uses: [...uses, ...note.uses] };
      told[Number(index)] = { ...all, statement: note.statement ?? statement };
    }
    return told;
  }

  /**
   * @param {HangReport} hang
   * @returns {HangReport} without what belongs to an earlier test
   */
  #ofTest(hang) {
    const { recorded, test } = hang;
    this.#learn(recorded.news);
    const isOfTest = test === this.test;
    const reached = isOfTest ? recorded.reached : [];
    const actions = isOfTest ? this.#withNotes(recorded.actions) : {};
    return { ...hang, recorded: { news: recorded.news, reached, actions } };
  }

  /** Tells what the service wrote if it ended by itself. */
  #tellEnding() {
    /** @type {Ending} */
    let ending;
    try {
      ending = JSON.parse(readFileSync(this.ending, "utf8"));
    } catch {
      return;
    }
    const isOfTest = ending.test === this.test && this.reports.head().test === this.test;
    const body = isOfTest ? this.reports.body() : undefined;
    const reached = body?.reached.filter(([target]) => target < this.calls.end) ?? [];
    const notes = notesOf(body?.notes ?? []);
    if (isOfTest && ending.statement) notes.hear({ kind: "thrown", ...ending });
    const { actions } = notes;
    const recorded = { news: [], reached: this.calls.complete(reached), actions };
    this.onEnding(ending, { ...recorded, statuses: body?.statuses ?? [] });
  }

  /** @param {PlacedUnit[]} news */
  #learn(news) {
    for (const { start, unit } of news) this.calls.add(start, unit);
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

/** @param {any[]} messages of the service's thread */
function notesOf(messages) {
  const notes = new ActionNotes();
  for (const message of messages) notes.hear(message);
  return notes;
}

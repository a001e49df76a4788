/**
 * What the service's thread and the process that serves the protocol tell each other through files:
 * the action that comes next, and what the test has reached once a request is answered.
 */
import { existsSync } from "node:fs";
import { Listener } from "../driver/announcement.js";
import { Reporter } from "../driver/report.js";
import { beginAction, collect, newTest, statusesOf } from "../runtime/actions.js";
import { ACTION, OPEN_REQUESTS, TEST, TOUCHED } from "../runtime/memory.js";
import { memory, watchLateWork } from "../runtime/recording.js";
import { announce } from "../taint/token.js";
import { setImmediate } from "../time.js";

/** What is told of an action; other things are for the driver's thread. */
const NOTES = new Set(["use", "thrown"]);

/** @typedef {Pick<typeof import("../sql/databases.js"), "hasWaiting" | "settle" | "mayDiffer">} Databases */

export class Exchange {
  /**
   * @param {string} file of announcements, beside which that of reports stands; empty for none
   * @param {Databases} databases of the service
   */
  constructor(file, databases) {
    this.listener = new Listener(file);
    const report = `${file}.report`;
    this.reporter = file && existsSync(report) ? new Reporter(report) : undefined;
    this.databases = databases;
    this.notes = "";
    /** What was done with databases, as a note. */
    this.activities = "";
    this.test = 0;
    /** Whether a module was loaded in this test: the driver's thread knows of its targets. */
    this.hasNews = false;
    this.isWriting = false;
    /** @type {(() => void)[]} requests that are answered, and end once that is told */
    this.ends = [];
    this.finish = () => void this.#finish();
    watchLateWork(() => this.#tell());
  }

  /** A request begins: hears of its action. */
  begin() {
    const { control } = memory;
    const next = this.listener.next();
    if (!next) {
      // It is not the first request of its action, and what was told of that one is not all.
      if (this.reporter && !control[OPEN_REQUESTS]) this.reporter.reopen();
      return;
    }
    const { test, action, inputs } = next;
    if (test !== control[TEST]) newTest(memory, test);
    if (action >= 0 && action !== control[ACTION]) beginAction(memory, action);
    announce(inputs);
  }

  /** @param {() => void} end of a request that is answered */
  answered(end) {
    if (!this.#tell()) return end();
    this.ends.push(end);
  }

  /** @returns {boolean} whether what was reached is about to be told */
  #tell() {
    if (!this.reporter) return false;
    // Behind what follows at once. That the loop turned shows that nothing blocks it.
    if (!this.isWriting) setImmediate(this.finish);
    this.isWriting = true;
    return true;
  }

  /** Has statements looked at while their rows are there, and tells what is known. */
  async #finish() {
    while (this.databases.hasWaiting()) {
      try {
        const activities = await this.databases.settle();
        this.#turnTo(memory.control[TEST] ?? 0);
        this.activities = `${JSON.stringify({ kind: "activities", activities })}\n`;
      } catch {
        // Nothing is known of them, which is no reason to lose the rest.
      }
    }
    this.#write();
  }

  /** The service ends: tells what is known. */
  end() {
    this.#write(true);
  }

  #write(isEnd = false) {
    this.isWriting = false;
    const { control } = memory;
    this.#turnTo(control[TEST] ?? 0);
    collect(memory);
    const isAll = !isEnd && control[OPEN_REQUESTS] === this.ends.length && !this.hasNews;
    const announcement = isAll ? this.listener.count : undefined;
    const known = { statuses: statusesOf(memory), mayDiffer: this.databases.mayDiffer() };
    const lines = `${JSON.stringify(known)}\n${this.notes}${this.activities}`;
    this.reporter?.write(announcement, memory, control[TOUCHED] ?? 0, this.test, lines);
    for (const end of this.ends.splice(0)) end();
  }

  /** @param {number} test whose notes are kept */
  #turnTo(test) {
    if (test === this.test) return;
    this.test = test;
    this.notes = "";
    this.activities = "";
    this.hasNews = false;
  }

  /**
   * @param {{kind: string, [name: string]: any}} message
   * @returns {boolean} whether it is told in the report, and nobody else has to hear it
   */
  take(message) {
    if (!this.reporter) return false;
    this.#turnTo(memory.control[TEST] ?? 0);
    if (message.kind === "unit") this.hasNews = true;
    if (!NOTES.has(message.kind)) return false;
    this.notes += `${JSON.stringify(message)}\n`;
    return true;
  }
}

/** What the service's thread told of a test through files. */
import { readFileSync } from "node:fs";
import { CallSites } from "../driver/call_sites.js";
import { ActionNotes } from "../driver/notes.js";
import { clock } from "../driver/report.js";

/**
 * @typedef {import("../driver/instance.js").Recorded} Recorded
 * @typedef {import("../service/ending.js").Ending} Ending
 */

/** How long a report may be on its way, and how long is slept between two looks, in milliseconds. */
const PATIENCE = 2;
const LOOK = 0.1;
/** How old a report may be to show that nothing blocks the service, in milliseconds. */
const OLDEST = 50;

const sleeping = new Int32Array(new SharedArrayBuffer(4));

export class Told {
  /** @param {import("../driver/report.js").ReportReader} reports */
  constructor(reports) {
    this.reports = reports;
    this.calls = new CallSites();
  }

  /** @param {import("../driver/instance.js").PlacedUnit[]} news */
  learn(news) {
    for (const { start, unit } of news) this.calls.add(start, unit);
  }

  /**
   * @param {number} announcement the last one
   * @returns {boolean} whether its request was answered just now, and the loop has turned since
   */
  isNew(announcement) {
    const head = this.reports.head();
    return head.announcement === announcement && Math.abs(clock() - head.time) < OLDEST;
  }

  /** @returns {boolean} whether there may be rows to bring back */
  mayDiffer() {
    return this.reports.body()?.mayDiffer ?? true;
  }

  /**
   * @param {number} announcement the last one
   * @returns {boolean} whether all is told, at once or soon
   */
  isComplete(announcement) {
    const deadline = performance.now() + PATIENCE;
    while (this.reports.head().announcement !== announcement) {
      if (performance.now() > deadline) return false;
      Atomics.wait(sleeping, 0, 0, LOOK);
    }
    return true;
  }

  /**
   * @param {number} announcement the last one
   * @returns {Recorded | undefined} nothing where the report is not all there is
   */
  report(announcement) {
    const body = this.isComplete(announcement) ? this.reports.body() : undefined;
    const isKnown = body?.reached.every(([target]) => target < this.calls.end);
    if (!body || !isKnown) return undefined;
    const { actions } = notesOf(body.notes);
    const { statuses } = body;
    return { news: [], reached: this.calls.complete(body.reached), actions, statuses };
  }

  /** @param {number} test whose report is wanted */
  #body(test) {
    return this.reports.head().test === test ? this.reports.body() : undefined;
  }

  /**
   * @param {Recorded["actions"]} actions as the driver's thread knows them
   * @param {number} test
   * @returns {Recorded["actions"]} with what stands in the report
   */
  withNotes(actions, test) {
    const told = notesOf(this.#body(test)?.notes ?? []).actions;
    for (const [index, note] of Object.entries(actions)) {
      const { uses, statement } = told[Number(index)] ?? { uses: [], statement: null };
      const all = { ...note, uses: [...uses, ...note.uses] };
      told[Number(index)] = { ...all, statement: note.statement ?? statement };
    }
    return told;
  }

  /**
   * @param {string} file that is there if the service ended by itself
   * @param {number} test
   * @returns {{ending: Ending, recorded: Recorded} | undefined} with what the test reached
   */
  ending(file, test) {
    /** @type {Ending} */
    let ending;
    try {
      ending = JSON.parse(readFileSync(file, "utf8"));
    } catch {
      return undefined;
    }
    const isOfTest = ending.test === test;
    const body = isOfTest ? this.#body(test) : undefined;
    const reached = body?.reached.filter(([target]) => target < this.calls.end) ?? [];
    const notes = notesOf(body?.notes ?? []);
    if (isOfTest && ending.statement) notes.hear({ kind: "thrown", ...ending });
    const { actions } = notes;
    const statuses = body?.statuses ?? [];
    const recorded = { news: [], reached: this.calls.complete(reached), actions, statuses };
    return { ending, recorded };
  }
}

/** @param {any[]} messages of the service's thread */
function notesOf(messages) {
  const notes = new ActionNotes();
  for (const message of messages) notes.hear(message);
  return notes;
}

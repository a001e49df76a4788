/**
 * Ends what blocks the service: a loop without an end, a regular expression that tries everything.
 * Who waits for an answer gets one from here, on the socket of the request.
 */
import { BEAT, OWN_WORK, SOCKET } from "../runtime/memory.js";
import { answerInstead } from "./instead.js";
import { MainThread } from "./main_thread.js";
import { isOwn, placeOf } from "./place.js";
import { LOOK, ThreadTime, later } from "./thread_time.js";

/** How long the loop stands still before it is asked where it does, once a hang is known. */
const SUSPICIOUS = 300;
/** How long the loop stands still before the service counts as blocked, in milliseconds. */
const BLOCKED = 250;
/** How much time the loop may take to turn again after its end was ordered, in milliseconds. */
const PATIENCE = 300;

/** @typedef {{statement: string | null, stack: string[], seconds: number}} Hang */

export class Watchdog {
  /**
   * @param {import("../runtime/memory.js").Memory} memory
   * @param {string} root folder of the service
   * @param {number} seconds that the service may be blocked
   * @param {(hang: Hang) => Promise<void>} report is told before anything is ended
   */
  constructor(memory, root, seconds, report) {
    this.control = memory.control;
    this.root = root;
    this.seconds = seconds;
    this.report = report;
    this.time = new ThreadTime();
    /** Hears of each look. */
    this.onLook = () => {};
    this.beats = 0;
    /** Time that the thread had since the last turn, in milliseconds. */
    this.silent = 0;
    /** Of that the one since it worked for the driver. */
    this.theirs = 0;
    /** @type {Promise<void> | undefined} */
    this.ending = undefined;
    /** Whether another process comes after this one. */
    this.isReplaced = false;
    /** @type {Set<string>} statements at which the service hung */
    this.known = new Set();
  }

  /** Watches from now on. */
  start() {
    setInterval(() => this.#look(), LOOK).unref();
  }

  #look() {
    const beats = Atomics.load(this.control, BEAT);
    const had = this.time.had();
    const before = this.theirs;
    this.silent = beats === this.beats ? this.silent + had : 0;
    this.theirs = this.silent && !Atomics.load(this.control, OWN_WORK) ? before + had : 0;
    this.beats = beats;
    this.onLook();
    if (this.silent >= this.seconds * 1000) return void this.end();
    // A search comes back to where it was: it need not wait as long each time.
    const isSuspicious = before < SUSPICIOUS && this.theirs >= SUSPICIOUS;
    if (isSuspicious && this.known.size) void this.end(true);
  }

  /** @returns {boolean} whether the service has not let the loop turn for a while */
  isBlocked() {
    return this.theirs >= BLOCKED;
  }

  /**
   * Ends what blocks the service, or the process where it cannot be ended.
   *
   * @param {boolean} isSuspicion whether only what is known to hang is ended
   */
  end(isSuspicion = false) {
    this.ending ??= this.#end(isSuspicion).finally(() => (this.ending = undefined));
    return this.ending;
  }

  /** @param {boolean} isSuspicion */
  async #end(isSuspicion) {
    const seconds = Math.round(this.silent / 100) / 10;
    const before = Atomics.load(this.control, BEAT);
    const hasTurned = () => Atomics.load(this.control, BEAT) !== before;
    const thread = new MainThread();
    const frames = await thread.pause((frame) => isOwn(frame, this.root));
    // It came back by itself, and stands at some innocent statement.
    if (hasTurned()) return thread.release();
    const place = placeOf(frames, this.root);
    if (isSuspicion && !this.known.has(place.statement ?? "")) return thread.release();
    // Node's own work, with nothing of the service on the stack: a machine with much to do is slow, too.
    const isNodes = frames.length > 0 && !place.statement;
    if (isNodes && this.silent < this.seconds * 1000) return thread.release();
    if (place.statement) this.known.add(place.statement);
    await this.report({ ...place, seconds });
    answerInstead(Atomics.exchange(this.control, SOCKET, -1), "the service was blocked");
    thread.terminate();
    const time = new ThreadTime();
    for (let left = PATIENCE; left > 0; left -= time.had()) {
      await later(LOOK);
      if (hasTurned()) {
        this.silent = 0;
        this.theirs = 0;
        return thread.release();
      }
    }
    thread.release();
    // Native code does not listen to anybody. Without a supervisor nobody would replace the process.
    if (this.isReplaced) process.kill(process.pid, "SIGKILL");
  }
}

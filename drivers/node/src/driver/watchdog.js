/**
 * Ends what blocks the service: a loop without an end, a regular expression that tries everything.
 * Who waits for an answer gets one from here, on the socket of the request.
 */
import { writeSync } from "node:fs";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BEAT, SOCKET } from "../runtime/memory.js";
import { MainThread, later } from "./main_thread.js";

/** Time between two looks, in milliseconds. */
const LOOK = 50;
/** How long the loop stands still before it is asked where it does, once a hang is known. */
const SUSPICIOUS = 300;
/** How long the loop stands still before the service counts as blocked, in milliseconds. */
const BLOCKED = 250;
/** How long the loop may take to turn again after its end was ordered, in milliseconds. */
const PATIENCE = 300;

/** The folder of this package, whose frames tell nobody anything. */
const DRIVER = fileURLToPath(new URL("..", import.meta.url));

/** Names of files of the service. */
const OWN = /^(?!\.\.|node:|.*node_modules\/)/;

/** @typedef {import("./main_thread.js").Frame} Frame */
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
    /** Hears of each look. */
    this.onLook = () => {};
    this.beats = 0;
    /** Looks since the last turn. Not a time: a machine may sleep. */
    this.silent = 0;
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
    this.silent = beats === this.beats ? this.silent + 1 : 0;
    this.beats = beats;
    this.onLook();
    const silence = this.silent * LOOK;
    if (silence >= this.seconds * 1000) void this.end();
    // A search comes back to where it was: it need not wait as long each time.
    else if (silence === SUSPICIOUS && this.known.size) void this.end(true);
  }

  /** @returns {boolean} whether the loop has not turned for some looks */
  isBlocked() {
    return this.silent * LOOK >= BLOCKED;
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
    const seconds = Math.round((this.silent * LOOK) / 100) / 10;
    const before = Atomics.load(this.control, BEAT);
    const hasTurned = () => Atomics.load(this.control, BEAT) !== before;
    const thread = new MainThread();
    const isOwn = (/** @type {Frame} */ frame) => OWN.test(nameOf(frame.file, this.root));
    const frames = await thread.pause(isOwn);
    // It came back by itself, and stands at some innocent statement.
    if (hasTurned()) return thread.release();
    const place = placeOf(frames, this.root);
    if (isSuspicion && !this.known.has(place.statement ?? "")) return thread.release();
    if (place.statement) this.known.add(place.statement);
    await this.report({ ...place, seconds });
    this.#answer();
    thread.terminate();
    for (let waited = 0; waited < PATIENCE; waited += LOOK) {
      await later(LOOK);
      if (hasTurned()) {
        this.silent = 0;
        return thread.release();
      }
    }
    thread.release();
    // Native code does not listen to anybody. Without a supervisor nobody would replace the process.
    if (this.isReplaced) process.kill(process.pid, "SIGKILL");
  }

  #answer() {
    const socket = Atomics.exchange(this.control, SOCKET, -1);
    if (socket < 0) return;
    // The same each time: tests compare it.
    const body = "ended: the service was blocked\n";
    const head = [
      "HTTP/1.1 503 Service Unavailable",
      "content-type: text/plain",
      `content-length: ${body.length}`,
      "connection: close",
    ];
    try {
      writeSync(socket, `${head.join("\r\n")}\r\n\r\n${body}`);
    } catch {
      // Nobody waits any more.
    }
  }
}

/**
 * @param {Frame[]} frames
 * @param {string} root
 * @returns {{statement: string | null, stack: string[]}} the innermost place in the service's code,
 *   as the protocol names statements, and all places for people
 */
function placeOf(frames, root) {
  const foreign = frames.filter(({ file }) => !file.startsWith(DRIVER));
  const placed = foreign.map((frame) => ({ ...frame, file: nameOf(frame.file, root) }));
  const own = placed.find(({ file }) => OWN.test(file));
  const statement = own ? `${own.file}_${own.line}_${own.name || "module"}` : null;
  const stack = placed.map(({ name, file, line }) => `${name || "<anonymous>"} (${file}:${line})`);
  return { statement, stack };
}

/**
 * @param {string} file
 * @param {string} root
 */
function nameOf(file, root) {
  if (!file || file.startsWith("node:")) return file || "node:internal";
  return relative(root, file).replaceAll(sep, "/");
}

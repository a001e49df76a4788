/**
 * The service's thread as a debugger sees it: where it stands, and an end for what it does.
 */
import { Session } from "node:inspector";
import { within } from "./thread_time.js";

/** How much time the thread may take to stop at its next statement, in milliseconds. */
const PATIENCE = 300;
/** How many statements are looked at to find one of the service. */
const ATTEMPTS = 200;

/** @typedef {import("./place.js").Frame} Frame */

export class MainThread {
  constructor() {
    this.session = new Session();
    this.session.connectToMainThread();
    /** @type {Map<string, string>} URLs of scripts */
    this.urls = new Map();
  }

  /**
   * Stops the thread, at a statement of the service if it comes to one.
   *
   * @param {(frame: Frame) => boolean} isOwn whether a frame is the service's
   * @returns {Promise<Frame[]>} where it stands, innermost first; nothing inside of native code
   */
  async pause(isOwn) {
    const { session } = this;
    session.on("Debugger.scriptParsed", ({ params }) => this.urls.set(params.scriptId, params.url));
    this.#post("Debugger.enable");
    /** @type {Frame[]} */
    let frames = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const paused = new Promise((resolve) => session.once("Debugger.paused", resolve));
      // Between two statements of the service there is work of Node's own.
      this.#post(attempt ? "Debugger.stepInto" : "Debugger.pause");
      const event = await within(paused, PATIENCE);
      if (!event) break;
      frames = event.params.callFrames.map((/** @type {any} */ frame) => this.#frame(frame));
      if (frames.some(isOwn)) break;
    }
    return frames;
  }

  /**
   * @param {any} frame of the debugger
   * @returns {Frame}
   */
  #frame({ functionName, location, url }) {
    const file = fileOf(url || this.urls.get(location.scriptId) || "");
    return { name: functionName, file, line: location.lineNumber + 1 };
  }

  /** Ends what the thread does. No code of the service hears of it. */
  terminate() {
    this.#post("Runtime.terminateExecution");
    this.#post("Debugger.resume");
  }

  /** Lets the thread go on. */
  release() {
    this.#post("Debugger.resume");
    this.#post("Debugger.disable");
    this.session.disconnect();
  }

  /** @param {string} method whose outcome is seen elsewhere */
  #post(method) {
    this.session.post(method, () => {});
  }
}

/** @param {string} url of a script: that of a file, or a path */
function fileOf(url) {
  try {
    return url.startsWith("file:") ? decodeURIComponent(new URL(url).pathname) : url;
  } catch {
    return url;
  }
}

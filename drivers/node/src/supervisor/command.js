/** Starts the command of a service, and waits until its driver's thread calls. */
import { spawn } from "node:child_process";
import net from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Announcer } from "../driver/announcement.js";
import { ReportReader } from "../driver/report.js";
import { RemoteProcess } from "./remote.js";
import { VARIABLES } from "../settings.js";

/** How long a command may take until the service listens, in milliseconds. */
const START = 120_000;

/** Longest path of a socket that every system takes. */
const LONGEST_PATH = 100;

const REGISTER = fileURLToPath(new URL("../register.cjs", import.meta.url));

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

export class Command {
  /**
   * @param {string[]} words the command
   * @param {Record<string, string>} variables settings, as environment variables
   * @param {string} folder for files between this process and those of the service
   */
  constructor(words, variables, folder) {
    this.words = words;
    this.folder = folder;
    this.starts = 0;
    this.variables = variables;
    /** @type {Set<ChildProcess>} */
    this.children = new Set();
    /** @type {((socket: net.Socket) => void) | undefined} */
    this.called = undefined;
    this.server = net.createServer({ noDelay: true }, (socket) => {
      socket.on("error", () => socket.destroy());
      this.called?.(socket);
      this.called = undefined;
    });
    /** One start at a time: who calls is known by that. */
    this.starting = Promise.resolve();
    /** @type {Promise<RemoteProcess | undefined> | undefined} */
    this.spare = undefined;
  }

  /** Listens for the driver's thread: at a socket in the folder, which costs half of what TCP does. */
  async listen() {
    const path = join(this.folder, "link");
    const isPossible = process.platform !== "win32" && path.length <= LONGEST_PATH;
    const place = isPossible ? { path } : { port: 0, host: "127.0.0.1" };
    await new Promise((resolve) => this.server.listen(place, () => resolve(undefined)));
  }

  /** @returns {string} where it listens: a path, or a host and a port */
  #address() {
    const address = /** @type {net.AddressInfo | string} */ (this.server.address());
    return typeof address === "string" ? address : `${address.address}:${address.port}`;
  }

  /** @returns {Promise<RemoteProcess>} a process that listens, or is about to */
  async launch() {
    const spare = await this.spare;
    this.spare = undefined;
    try {
      await spare?.listen();
    } catch {
      // It ended while it waited.
      await spare?.stop();
      return this.#start(false);
    }
    return spare ?? this.#start(false);
  }

  /** Loads a process that waits before it listens, for the next launch. */
  keepSpare() {
    // A service that cannot be loaded twice is started when it is needed.
    this.spare ??= this.#start(true).catch(() => undefined);
  }

  /**
   * @param {boolean} isSpare
   * @returns {Promise<RemoteProcess>}
   */
  #start(isSpare) {
    const started = this.starting.then(() => this.#startAlone(isSpare));
    this.starting = started.then(
      () => {},
      () => {},
    );
    return started;
  }

  /** @param {boolean} isSpare */
  async #startAlone(isSpare) {
    const called = new Promise((resolve) => (this.called = resolve));
    this.starts += 1;
    const actions = join(this.folder, `actions-${this.starts}`);
    const announcer = new Announcer(actions);
    const reports = new ReportReader(`${actions}.report`);
    const child = this.#spawn(isSpare, actions);
    const stop = async () => {
      await this.#stop(child);
      announcer.close();
      reports.close();
    };
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const failed = new Promise((_, reject) => {
      const fail = (/** @type {string} */ reason) => reject(new Error(reason));
      child.once("error", (error) => fail(`the command cannot start: ${error.message}`));
      child.once("exit", (code) => fail(`the command ended with ${code} and did not listen`));
      timer = setTimeout(fail, START, "the service does not listen");
    });
    try {
      const socket = await Promise.race([called, failed]);
      const hasHook = Boolean(this.variables[VARIABLES.reset]);
      return new RemoteProcess(socket, stop, {
        announcer,
        reports,
        hasHook,
        ending: `${actions}.ending`,
      });
    } catch (error) {
      await stop();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {boolean} isSpare
   * @param {string} actions file that tells of the action that comes next
   */
  #spawn(isSpare, actions) {
    const [program = "", ...values] = this.words;
    const options =
      `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(REGISTER)}`.trim();
    const own = {
      NODE_OPTIONS: options,
      [VARIABLES.supervisor]: this.#address(),
      [VARIABLES.actions]: actions,
    };
    // A group of its own: what the command starts ends with it.
    const child = spawn(program, values, {
      env: { ...process.env, ...this.variables, ...own, [VARIABLES.spare]: isSpare ? "1" : "" },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    this.children.add(child);
    return child;
  }

  /**
   * Ends a process of the command and all that it started.
   *
   * @param {ChildProcess} child
   */
  async #stop(child) {
    this.children.delete(child);
    const hasEnded = !child.pid || child.exitCode !== null || child.signalCode !== null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    kill(child);
    if (!hasEnded) await ended;
  }

  /** Ends all processes, at once. */
  kill() {
    for (const child of this.children) kill(child);
  }
}

/** @param {ChildProcess} child */
function kill(child) {
  try {
    // Also after its end: what it started may live on.
    if (child.pid) process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

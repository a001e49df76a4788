/** Starts the command of a service, and waits until its driver's thread calls. */
import { spawn } from "node:child_process";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { RemoteProcess } from "./link.js";
import { VARIABLES } from "../settings.js";

/** How long a command may take until the service listens, in milliseconds. */
const START = 120_000;

const REGISTER = fileURLToPath(new URL("../register.cjs", import.meta.url));

export class Command {
  /**
   * @param {string[]} words the command
   * @param {Record<string, string>} variables settings, as environment variables
   */
  constructor(words, variables) {
    this.words = words;
    this.variables = variables;
    /** @type {import("node:child_process").ChildProcess | undefined} */
    this.child = undefined;
    /** @type {((socket: net.Socket) => void) | undefined} */
    this.called = undefined;
    this.server = net.createServer({ noDelay: true }, (socket) => {
      socket.on("error", () => socket.destroy());
      this.called?.(socket);
      this.called = undefined;
    });
  }

  /** Listens for the driver's thread. */
  async listen() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", () => resolve(undefined)));
  }

  /** @returns {Promise<RemoteProcess>} */
  async launch() {
    await this.stop();
    const called = new Promise((resolve) => (this.called = resolve));
    const child = this.#spawn();
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
      return new RemoteProcess(socket, () => this.stop());
    } finally {
      clearTimeout(timer);
    }
  }

  #spawn() {
    const [program = "", ...values] = this.words;
    const address = /** @type {net.AddressInfo} */ (this.server.address());
    const options =
      `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(REGISTER)}`.trim();
    const supervisor = `127.0.0.1:${address.port}`;
    const own = { NODE_OPTIONS: options, [VARIABLES.supervisor]: supervisor };
    // A group of its own: what the command starts ends with it.
    const child = spawn(program, values, {
      env: { ...process.env, ...this.variables, ...own },
      stdio: ["ignore", "inherit", "inherit"],
      detached: true,
    });
    this.child = child;
    return child;
  }

  /** Ends the command and all that it started. */
  async stop() {
    const { child } = this;
    this.child = undefined;
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.kill(child);
    await ended;
  }

  /** @param {import("node:child_process").ChildProcess | undefined} [child] */
  kill(child = this.child) {
    try {
      if (child?.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/** A driver and its service, for tests. */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BIN = new URL("../../bin/wallace-driver.js", import.meta.url).pathname;
const REGISTER = new URL("../../src/register.js", import.meta.url).href;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

export class Driver {
  /**
   * @param {string} folder of the service
   * @param {string[]} command
   * @param {string[]} [options]
   */
  static async start(folder, command, options = []) {
    const words = [BIN, "--port", "0", "--no-cache", ...options, "--", ...command];
    const child = spawn(process.execPath, words, { cwd: folder, stdio: "pipe" });
    return Driver.#of(child, /(http:\/\/\S+)/);
  }

  /**
   * A driver in the process of the service itself.
   *
   * @param {string} folder
   * @param {string} file
   */
  static async within(folder, file) {
    const env = { ...process.env, WALLACE_DRIVER_PORT: "0", WALLACE_CACHE: "" };
    const words = ["--import", REGISTER, file];
    const child = spawn(process.execPath, words, { cwd: folder, env, stdio: "pipe" });
    return Driver.#of(child, /driver at (http:\/\/\S+)/, "/controller/api");
  }

  /**
   * @param {import("node:child_process").ChildProcessWithoutNullStreams} child
   * @param {RegExp} place how it says where it is
   * @param {string} [path]
   */
  static async #of(child, place, path = "") {
    let shown = "";
    child.stderr.on("data", (part) => (shown += part));
    const said = () => shown;
    const url = await new Promise((resolve, reject) => {
      child.once("exit", () => reject(new Error(shown)));
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (part) => {
          const found = place.exec(String(part))?.[1];
          if (found) resolve(found + path);
        });
      }
    });
    return new Driver(url, child, said);
  }

  /**
   * @param {string} url
   * @param {import("node:child_process").ChildProcess} child
   * @param {() => string} said what it said to people
   */
  constructor(url, child, said) {
    this.said = said;
    this.url = url;
    this.child = child;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<{status: number, text: string, json: any}>}
   */
  call(method, path, body) {
    return request(method, this.url + path, body);
  }

  /** Resets, and begins a test. */
  reset() {
    return this.call("PUT", "/runSUT", {
      run: true,
      resetState: true,
      calculateSqlHeuristics: true,
    });
  }

  /** @returns {Promise<any>} */
  async info() {
    return (await this.call("GET", "/infoSUT")).json.data;
  }

  /**
   * One action that gets a path of the service.
   *
   * @param {string} path
   * @param {number} [index]
   */
  async get(path, index = 0) {
    await this.call("PUT", "/newAction", { index, name: path });
    const { baseUrlOfSUT } = await this.info();
    return request("GET", baseUrlOfSUT + path);
  }

  /**
   * @param {string} [query]
   * @returns {Promise<any>}
   */
  async results(query = "descriptiveIds=true") {
    return (await this.call("GET", `/testResults?${query}`)).json.data;
  }

  /** @returns {Promise<Record<string, number>>} scores by name */
  async scores() {
    const { targets } = await this.results();
    return Object.fromEntries(
      targets.map((/** @type {any} */ one) => [one.descriptiveId, one.value]),
    );
  }

  /** @param {NodeJS.Signals} [signal] */
  async stop(signal = "SIGTERM") {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.removeAllListeners("exit");
    this.child.once("exit", () => {});
    this.child.kill(signal);
    await Promise.race([ended, new Promise((resolve) => this.child.once("close", resolve))]);
  }
}

/**
 * @param {string} method
 * @param {string} url
 * @param {unknown} [body]
 * @returns {Promise<{status: number, text: string, json: any}>}
 */
export function request(method, url, body) {
  const headers = {
    connection: "keep-alive",
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text, json: readable(text) });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Starts a service of these files, of which server.js is run, and stops it again.
 *
 * @param {Record<string, string>} files
 * @param {(driver: Driver) => Promise<void>} inside
 * @param {string[]} [options] of the driver
 */
export async function withService(files, inside, options = []) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const all = { "package.json": "{}", ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  const driver = await Driver.start(folder, ["node", "server.js"], options);
  try {
    await inside(driver);
  } finally {
    await driver.stop();
  }
}

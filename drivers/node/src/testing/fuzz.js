/**
 * A search of a request listener from a test of your own: driver and service in this process, the
 * engine beside it.
 *
 * The engine is the command `wallace`. What it finds fails the test with the smallest requests.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentOfProcess } from "../agent.js";
import { setReset } from "../service/reset.js";
import { restore } from "../sql/databases.js";
import { failuresOf } from "./report.js";

/** How the command says that it found faults. */
const FAULTS = 1;

/**
 * @typedef {object} FuzzOptions
 * @property {number} [calls] calls to make, 5,000 by default
 * @property {number} [seed] same seed and calls, same tests; 42 by default
 * @property {() => unknown} [reset] brings the state back before each test
 * @property {string} [out] folder for suite and reports; none are kept by default
 * @property {string[]} [options] further options of `wallace fuzz`
 */

/** The service has faults. */
export class FaultsFoundError extends Error {
  /** @param {import("./report.js").Failure[]} failures */
  constructor(failures) {
    const shown = failures.map(({ name, text }, index) => `${index + 1}. ${name}\n${text}`);
    const count = failures.length === 1 ? "1 fault" : `${failures.length} faults`;
    super(`${count}\n\n${shown.join("\n\n")}`);
    this.name = "FaultsFoundError";
    this.failures = failures;
  }
}

/**
 * Searches a service for faults. The command is that of the variable `WALLACE`, or `wallace`.
 *
 * @param {http.RequestListener | http.Server} service a listener of requests, such as an Express
 *   application, or a server that does not listen yet
 * @param {FuzzOptions} [options]
 * @throws {FaultsFoundError} when it has faults
 * @throws {Error} when it could not be searched
 */
export async function fuzz(service, options = {}) {
  const agent = agentOfProcess();
  if (!agent) {
    throw new Error(
      "the modules of the service were loaded without instrumentation: start the tests with " +
        "`node --import wallace-driver/register`, in Vitest use the plugin `wallace-driver/vite`, " +
        "and in Jest the transform `wallace-driver/jest`",
    );
  }
  const server = service instanceof http.Server ? service : http.createServer(service);
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const out = options.out ?? join(folder, "out");
  setReset(options.reset);
  agent.useAnyPort(options.reset && "the test");
  try {
    const driver = await agent.driverUrl();
    await new Promise((resolve, reject) => {
      server.once("error", reject).listen(0, "127.0.0.1", () => resolve(undefined));
    });
    const { code, said } = await engine(driver, out, options);
    await restore();
    const report = code === FAULTS ? read(out) : undefined;
    if (report) throw new FaultsFoundError(failuresOf(report));
    if (code !== 0) throw new Error(`the search failed: ${said.trim() || `exit code ${code}`}`);
  } finally {
    server.close();
    server.closeAllConnections();
    setReset(undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} out
 * @returns {string | undefined} nothing where the command ended before it could report
 */
function read(out) {
  try {
    return readFileSync(join(out, "report/junit.xml"), "utf8");
  } catch {
    return undefined;
  }
}

/**
 * @param {string} driver
 * @param {string} out
 * @param {FuzzOptions} options
 * @returns {Promise<{code: number | null, said: string}>}
 */
function engine(driver, out, { calls = 5_000, seed = 42, options = [] }) {
  const words = ["fuzz", "--driver", driver, "--out", out, "--quiet"];
  words.push("--calls", String(calls), "--seed", String(seed), ...options);
  // The settings of a search come from the test, and the engine is no part of the service.
  const kept = Object.entries(process.env).filter(([name]) => !/^(WALLACE_|NODE_)/.test(name));
  const command = process.env.WALLACE || "wallace";
  const child = spawn(command, words, {
    env: Object.fromEntries(kept),
    stdio: ["ignore", "ignore", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (part) => (said += part));
    child.once("close", (code) => resolve({ code, said }));
    child.once("error", (error) => {
      const advice = "install it, or name it in WALLACE";
      reject(new Error(`${command} cannot be started (${error.message}): ${advice}`));
    });
  });
}

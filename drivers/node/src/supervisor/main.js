/** The command `wallace-driver`: serves the driver of a service that it starts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Controller } from "../server/controller.js";
import { serve } from "../server/server.js";
import { DEFAULT_HANG, DEFAULT_PORT, VARIABLES } from "../settings.js";
import { Command } from "./command.js";

const USAGE = `Usage: wallace-driver [OPTIONS] -- COMMAND

Starts a Node service and serves a driver for search-based engines.

Options:
  --port N          port of the driver [default: ${DEFAULT_PORT}; 0: any free one]
  --include NAME    package in node_modules that belongs to the service [repeatable, * allowed]
  --reset FILE      module whose default export brings the state of the service back
  --fresh           bring the state back by a new process for each test
  --service URL     where the service answers [default: found by watching it listen]
  --schema PATH     path of the OpenAPI description or of the GraphQL endpoint
  --no-cache        rewrite all modules at each start
  --hang SECONDS    end what blocks the service for longer [default: ${DEFAULT_HANG}]
  --no-spare        keep no loaded process for the next time that one has to be replaced

Example: wallace-driver -- npm start
`;

/** How long rows may take to come back before the end, in milliseconds: less than `wallace node` waits. */
const PATIENCE = 1_200;

/** @type {import("node:util").ParseArgsConfig["options"]} */
const OPTIONS = {
  port: { type: "string", default: String(DEFAULT_PORT) },
  include: { type: "string", multiple: true, default: [] },
  reset: { type: "string" },
  fresh: { type: "boolean", default: false },
  service: { type: "string" },
  schema: { type: "string" },
  "no-cache": { type: "boolean", default: false },
  hang: { type: "string" },
  "no-spare": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
};

/** @param {string[]} words of the command line */
export async function run(words) {
  const wanted = read(words);
  if (!wanted || !hasPackages()) return;
  const { options, command } = wanted;
  const rows = mkdtempSync(join(tmpdir(), "wallace-rows-"));
  const runner = new Command(command, { ...variables(options), [VARIABLES.rows]: rows }, rows);
  await runner.listen();
  process.once("exit", () => {
    runner.kill();
    rmSync(rows, { recursive: true, force: true });
  });
  const controller = new Controller(() => runner.launch(), {
    isFresh: options.fresh,
    hook: options.reset,
    tell: (line) => process.stderr.write(`wallace: ${line}\n`),
    keepSpare: options["no-spare"] ? undefined : () => runner.keepSpare(),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => end(controller));
  try {
    const url = await serve(controller, Number(options.port));
    process.stdout.write(`Started controller server on: ${url}/controller/api\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    process.stderr.write(
      `wallace-driver: the driver cannot listen (${reason}): say another --port\n`,
    );
    process.exit(2);
  }
}

/**
 * A folder that npm only links to, such as that of a checkout, has none of its packages by that, and
 * every module of the service would be left as it is.
 */
function hasPackages() {
  try {
    return Boolean(import.meta.resolve("acorn"));
  } catch {
    const folder = fileURLToPath(new URL("../..", import.meta.url));
    process.stderr.write(
      `wallace-driver: the package acorn is missing: \`npm ci\` in ${folder}, or ` +
        `\`npm install --save-dev --install-links ${folder}\` beside the service\n`,
    );
    process.exitCode = 2;
    return false;
  }
}

/**
 * Ends the service in order; whoever asks twice does not want to wait.
 *
 * @param {Controller} controller
 */
function end(controller) {
  const exit = () => process.exit(0);
  if (isEnding) exit();
  isEnding = true;
  setTimeout(exit, PATIENCE);
  controller.stop().then(exit, exit);
}

let isEnding = false;

/**
 * @param {string[]} words
 * @returns {{options: any, command: string[]} | undefined}
 */
function read(words) {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const command = end < 0 ? [] : words.slice(end + 1);
  try {
    /** @type {any} */
    const values = parseArgs({ args: own, options: OPTIONS, allowPositionals: false }).values;
    if (values.help) {
      process.stdout.write(USAGE);
      return undefined;
    }
    if (command.length) return { options: values, command };
    return fail("no command given: put it behind --");
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {any} options
 * @returns {Record<string, string>}
 */
function variables(options) {
  /** @type {Record<string, string>} */
  const result = { [VARIABLES.include]: options.include.join(",") };
  if (options.reset) result[VARIABLES.reset] = resolve(options.reset);
  if (options.service) result[VARIABLES.service] = options.service;
  if (options.schema) result[VARIABLES.schema] = options.schema;
  if (options["no-cache"]) result[VARIABLES.cache] = "";
  if (options.hang) result[VARIABLES.hang] = options.hang;
  return result;
}

/**
 * @param {string} reason
 * @returns {undefined}
 */
function fail(reason) {
  process.stderr.write(`wallace-driver: ${reason}\n\n${USAGE}`);
  process.exitCode = 2;
  return undefined;
}

/**
 * Runs the language's own tests, test262, plain and rewritten, and compares how they end.
 *
 *     node --experimental-vm-modules suites/test262.mjs CHECKOUT FOLDER...
 *
 * FOLDERs are below `test` of the checkout: `language/expressions`, `annexB/language`. Modules that
 * import others are left out, and what the rewriter refuses runs as it is.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";
import { rewrite } from "../src/rewriter/rewrite.js";
import { defineHelpers } from "../src/runtime/globals.js";
import { registerUnit } from "../src/runtime/units.js";

/** Milliseconds that a test may take, and that a promise of it may. */
const LONGEST = 3_000;
const PATIENCE = 300;

const { structuredClone } = globalThis;
const [checkout = "", ...folders] = process.argv.slice(2);

/** @typedef {{flags: string[], includes: string[]}} Wanted what a test asks for */

/** @type {Map<string, vm.Script>} */
const harness = new Map();

/** @param {string} name */
function harnessScript(name) {
  const file = join(checkout, "harness", name);
  const script = harness.get(name) ?? new vm.Script(readFileSync(file, "utf8"), { filename: name });
  harness.set(name, script);
  return script;
}

/**
 * @param {string} text
 * @param {string} name
 * @returns {string[]} of a list in the head of a test
 */
function listOf(text, name) {
  const head = /\/\*---([\s\S]*?)---\*\//.exec(text)?.[1] ?? "";
  const inline = new RegExp(`^${name}:\\s*\\[([^\\]]*)\\]`, "m").exec(head)?.[1];
  const lines = new RegExp(`^${name}:\\s*\\n((?:\\s+- .*\\n)*)`, "m").exec(head)?.[1] ?? "";
  const found = inline?.split(",") ?? lines.split("\n").map((line) => line.replace(/\s*- /, ""));
  return found.map((one) => one.trim()).filter(Boolean);
}

/** @param {vm.Context} context */
function hostOf(context) {
  const global = vm.runInContext("globalThis", context);
  return {
    global,
    evalScript: (/** @type {string} */ text) => vm.runInContext(text, context),
    gc: () => {},
    detachArrayBuffer: (/** @type {ArrayBuffer} */ buffer) =>
      void structuredClone(buffer, { transfer: [buffer] }),
    createRealm: () => hostOf(vm.createContext({})),
    agent: {},
  };
}

/**
 * @param {string} text
 * @param {Wanted} wanted
 * @param {(global: any) => void} prepare
 * @returns {Promise<string>} how it ended
 */
async function outcome(text, { flags, includes }, prepare) {
  const context = vm.createContext({});
  const host = hostOf(context);
  const { global } = host;
  let said = "";
  const told = new Promise((resolve) => {
    global.print = (/** @type {string} */ line) => {
      said += `${line}\n`;
      resolve(undefined);
    };
  });
  global.$262 = host;
  prepare(global);
  const isAsync = flags.includes("async");
  const own = flags.includes("raw") ? [] : ["assert.js", "sta.js"];
  try {
    for (const name of [...own, ...(isAsync ? ["doneprintHandle.js"] : []), ...includes]) {
      harnessScript(name).runInContext(context);
    }
    await execute(text, context, flags.includes("module"));
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, PATIENCE)));
    if (isAsync) await Promise.race([told, late]);
    clearTimeout(timer);
    return `ends ${said}`;
  } catch (error) {
    const { constructor, message } = /** @type {any} */ (error ?? {});
    return `${constructor?.name}: ${message}`;
  }
}

/**
 * @param {string} text
 * @param {vm.Context} context
 * @param {boolean} isModule
 */
async function execute(text, context, isModule) {
  if (!isModule) return void new vm.Script(text).runInContext(context, { timeout: LONGEST });
  const { SourceTextModule } = /** @type {any} */ (vm);
  const module = new SourceTextModule(text, { context });
  await module.link(() => {
    throw new Error("imports are left out");
  });
  await module.evaluate({ timeout: LONGEST });
}

/** @param {string[]} flags */
function modesOf(flags) {
  if (/module|raw|noStrict/.test(flags.join())) return [""];
  return flags.includes("onlyStrict") ? ['"use strict";\n'] : ["", '"use strict";\n'];
}

/** @type {Record<string, number>} */
const counts = { compared: 0, refused: 0, differ: 0 };

/** @param {string} name of a test, below the checkout */
async function compare(name) {
  const written = readFileSync(join(checkout, name), "utf8");
  const wanted = { flags: listOf(written, "flags"), includes: listOf(written, "includes") };
  for (const mode of modesOf(wanted.flags)) {
    const text = mode + written;
    const id = ((counts.compared ?? 0) + 1).toString(16).padStart(8, "0");
    const isModule = wanted.flags.includes("module");
    let rewritten;
    try {
      rewritten = rewrite({ text, isModule, name, id });
    } catch {
      counts.refused = (counts.refused ?? 0) + 1;
      continue;
    }
    const { unit } = rewritten;
    counts.compared = (counts.compared ?? 0) + 1;
    const plain = await outcome(text, wanted, () => {});
    const other = await outcome(rewritten.text, wanted, (global) => {
      defineHelpers(global);
      registerUnit(unit, global);
    });
    if (plain === other) continue;
    counts.differ = (counts.differ ?? 0) + 1;
    process.stdout.write(`${name} ${mode.trim()}\n  ${plain.trim()}\n  ${other.trim()}\n`);
  }
}

// Tests leave promises behind.
process.on("unhandledRejection", () => {});
for (const folder of folders) {
  const below = readdirSync(join(checkout, "test", folder), { recursive: true, encoding: "utf8" });
  const names = below.filter((name) => name.endsWith(".js") && !name.includes("_FIXTURE"));
  for (const name of names.sort()) await compare(join("test", folder, name));
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exit(counts.differ ? 1 : 0);

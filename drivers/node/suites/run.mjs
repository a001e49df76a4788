/**
 * Runs the own suite of a package twice, plain and instrumented, and compares both by the names of
 * tests.
 *
 *     node suites/run.mjs FOLDER [INCLUDE] -- node node_modules/.bin/mocha --reporter json
 *
 * FOLDER is a checkout with its packages installed; INCLUDE names packages in `node_modules` that
 * are the tested ones. In the command, `{out}` is the file of the report, where it is not what the
 * command prints; `{vitest:FILE}` is the configuration of Vitest, to which the plugin is added, and
 * `{jest}` the place of the option that names the transform; `{jest:ts-jest}` where that compiles.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { outcomesOf } from "./outcomes.mjs";

const REGISTER = new URL("../src/register.js", import.meta.url).href;
const COUNT = new URL("./count.mjs", import.meta.url).href;
const VITE = new URL("../src/vite.js", import.meta.url).href;
const JEST = fileURLToPath(new URL("../src/jest.js", import.meta.url));
/** Most bytes that a report may have. */
const LARGEST = 1 << 29;
/** Differences that are shown. */
const SHOWN = 20;

const end = process.argv.indexOf("--");
const [place = ".", include = ""] = process.argv.slice(2, end);
const folder = resolve(place);
const words = process.argv.slice(end + 1);
const runner = words.some((word) => /\{(vitest:|jest[:}])/.test(word));

/**
 * @param {string} theirs configuration of Vitest
 * @returns {string} one with the plugin
 */
function withPlugin(theirs) {
  const file = join(folder, "vitest.instrumented.config.mjs");
  const text = [
    `import wallace from ${JSON.stringify(VITE)};`,
    'import { loadConfigFromFile, mergeConfig } from "vite";',
    "export default async (environment) => {",
    `  const theirs = await loadConfigFromFile(environment, ${JSON.stringify(join(folder, theirs))});`,
    `  return mergeConfig(theirs?.config ?? {}, { plugins: [wallace({ include: ${JSON.stringify(include.split(",").filter(Boolean))} })] });`,
    "};",
  ];
  writeFileSync(file, text.join("\n"));
  return file;
}

/** @param {string | undefined} transform what compiles */
function jestOption(transform) {
  const ours = transform ? [JEST, { transform, include: include.split(",") }] : JEST;
  return `--transform=${JSON.stringify({ "\\.[cm]?[jt]sx?$": ours })}`;
}

/**
 * @param {boolean} isInstrumented
 * @param {string} out
 */
function command(isInstrumented, out) {
  return words.flatMap((word) => {
    const [isJest, transform] = /^\{jest:?(.*)\}$/.exec(word) ?? [];
    if (isJest) return isInstrumented ? [jestOption(transform)] : [];
    const theirs = /\{vitest:(.*)\}/.exec(word)?.[1];
    if (theirs) return [isInstrumented ? withPlugin(theirs) : join(folder, theirs)];
    return [word.replace("{out}", out)];
  });
}

/** @param {boolean} isInstrumented */
function run(isInstrumented) {
  const counts = mkdtempSync(join(tmpdir(), "suite-"));
  const out = join(counts, "out");
  const imports = [...(runner ? [] : [REGISTER]), COUNT].map((file) => `--import ${file}`);
  const options = `${process.env.NODE_OPTIONS ?? ""} ${isInstrumented ? imports.join(" ") : ""}`;
  const env = { ...process.env, NODE_OPTIONS: options, SUITE_COUNTS: counts, CI: "1" };
  Object.assign(env, { WALLACE_INCLUDE: include, WALLACE_DRIVER_PORT: "0" });
  const [program = "", ...values] = command(isInstrumented, out);
  const began = performance.now();
  const { stdout, stderr } = spawnSync(program, values, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: LARGEST,
  });
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  writeFileSync(join(folder, `said-${isInstrumented}.txt`), stdout + stderr);
  const files = readdirSync(counts);
  const report = files.includes("out") ? readFileSync(out, "utf8") : stdout;
  const reached = files.filter((file) => file !== "out");
  const most = reached.map((file) => Number(readFileSync(join(counts, file), "utf8")));
  rmSync(counts, { recursive: true, force: true });
  return { outcomes: outcomesOf(report), targets: Math.max(0, ...most), seconds };
}

const plain = run(false);
const instrumented = run(true);
const names = [...new Set([...plain.outcomes.keys(), ...instrumented.outcomes.keys()])].sort();
const differing = names.filter(
  (name) => plain.outcomes.get(name) !== instrumented.outcomes.get(name),
);
/** @type {Record<string, number>} */
const counts = {};
for (const outcome of plain.outcomes.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
process.stdout.write(
  `${place}: ${JSON.stringify(counts)} plain in ${plain.seconds} s; instrumented ` +
    `${differing.length} of ${names.length} differ, ${instrumented.targets} targets reached, ` +
    `${instrumented.seconds} s\n`,
);
for (const name of differing.slice(0, SHOWN)) {
  const [one, other] = [plain.outcomes.get(name), instrumented.outcomes.get(name)];
  process.stdout.write(`  ${name}: ${one} -> ${other}\n`);
}
process.exitCode = differing.length || !instrumented.targets || !plain.outcomes.size ? 1 : 0;

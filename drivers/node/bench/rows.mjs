/**
 * Operations that only rows open: the library, with rows in tests and without.
 *
 *     npm install --prefix fixtures/library
 *     node bench/rows.mjs [SEEDS] [CALLS] [COMMAND wallace]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [seeds = 20, calls = 500] = process.argv.slice(2, 4).map(Number);
const wallace = process.argv[4] ?? "wallace";
const library = fileURLToPath(new URL("../fixtures/library/", import.meta.url));
const driver = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {number} seed
 * @param {string} sql
 * @returns {{operations: string, branches: string}}
 */
function search(seed, sql) {
  const out = mkdtempSync(join(tmpdir(), "wallace-"));
  const own = ["--sql", sql, "--seed", String(seed), "--calls", String(calls), "--out", out];
  const words = ["node", ...own, "--driver-package", driver, "--", "node", "src/server.js"];
  const { stdout, stderr } = spawnSync(wallace, words, { cwd: library, encoding: "utf8" });
  rmSync(out, { recursive: true, force: true });
  const text = stdout + stderr;
  const operations = /operations +(\d+ of \d+)/.exec(text)?.[1] ?? text;
  return { operations, branches: /branches +(\d+ of \d+)/.exec(text)?.[1] ?? "" };
}

for (let seed = 1; seed <= seeds; seed += 1) {
  const [rows, none] = [search(seed, "on"), search(seed, "off")];
  const parts = [seed, rows.operations, rows.branches, none.operations, none.branches];
  process.stdout.write(`| ${parts.join(" | ")} |\n`);
}

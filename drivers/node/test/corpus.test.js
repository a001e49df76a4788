/** Snippets that run plain and rewritten, with equal output. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";
import { inspect } from "node:util";
import { rewrite } from "../src/rewriter/rewrite.js";
import { defineHelpers } from "../src/runtime/globals.js";
import { registerUnit } from "../src/runtime/units.js";

defineHelpers();
const folder = new URL("./corpus/", import.meta.url);
const EXPRESSIONS = "expressions.js.txt";

/**
 * The snippets of a file, each under a line `//// name`.
 *
 * @param {string} file
 */
function snippets(file) {
  const text = readFileSync(new URL(file, folder), "utf8");
  if (file === EXPRESSIONS) return expressions(text);
  return text
    .split(/^\/\/\/\/ /m)
    .slice(1)
    .map((part) => ({
      name: part.slice(0, part.indexOf("\n")).trim(),
      code: part.slice(part.indexOf("\n") + 1),
    }));
}

/**
 * The expressions of a file, one a line.
 *
 * @param {string} text
 */
function expressions(text) {
  const lines = text.split("\n").filter(Boolean);
  return lines.map((name) => ({ name, code: `log(\n${name}\n);` }));
}

/**
 * Runs a snippet as CommonJS runs a module.
 *
 * @param {string} code
 * @returns {Promise<string[]>} what it logged, and how it ended
 */
async function output(code) {
  /** @type {string[]} */
  const lines = [];
  const log = (/** @type {unknown[]} */ ...values) => {
    lines.push(values.map((value) => shown(value)).join(" "));
  };
  try {
    const hashbang = /^#![^\n]*/.exec(code)?.[0] ?? "";
    const body = code.slice(hashbang.length);
    const run = vm.runInThisContext(`(function (log, exports, require) {${body}\n})`);
    log("returns", await run.call({}, log, {}, undefined));
  } catch (error) {
    log("throws", error);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return lines;
}

/** @param {unknown} value */
function shown(value) {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  // The text of a function shows what was inserted; its name and length must not.
  if (typeof value === "function") return `function ${value.name}/${value.length}`;
  return inspect(value, { depth: 4 });
}

let number = 0;
for (const file of readdirSync(folder).sort()) {
  test(file, async (t) => {
    for (const { name, code } of snippets(file)) {
      await t.test(name, async () => {
        number += 1;
        const id = number.toString(16).padStart(8, "0");
        const { text, unit } = rewrite({ text: code, isModule: false, name: file, id });
        registerUnit(unit);
        assert.equal(text.split("\n").length, code.split("\n").length + 1, "lines stay");
        const plain = await output(code);
        const rewritten = await output(text);
        assert.deepEqual(rewritten, plain, text);
        // Once more, with sides settled.
        assert.deepEqual(await output(text), plain, text);
      });
    }
  });
}

test("there are enough snippets", () => {
  const count = readdirSync(folder).flatMap((file) => snippets(file)).length;
  assert.ok(count >= 300, `${count} snippets`);
});

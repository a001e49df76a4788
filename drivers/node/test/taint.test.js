/** What is told of tainted texts, by running rewritten code on them. */
import assert from "node:assert/strict";
import test from "node:test";
import { rewrite } from "../src/rewriter/rewrite.js";
import { connect } from "../src/runtime/channel.js";
import { defineHelpers } from "../src/runtime/globals.js";
import { TEST } from "../src/runtime/memory.js";
import { memory } from "../src/runtime/recording.js";
import { registerUnit } from "../src/runtime/units.js";
import { toProtocol } from "../src/taint/pattern.js";

defineHelpers();
/** @type {any[]} */
let heard = [];
connect((message) => message.kind === "use" && heard.push(message));
let number = 0;

/**
 * @param {string} code an expression or statements on the text `t`
 * @returns {string[]} the uses of `t`
 */
function uses(code, t = "_EM_7_XYZ_") {
  number += 1;
  const id = `b${number.toString(16).padStart(7, "0")}`;
  const { text, unit } = rewrite({ text: code, isModule: false, name: "t.js", id });
  registerUnit(unit);
  heard = [];
  Atomics.add(memory.control, TEST, 1);
  try {
    new Function("t", text)(t);
  } catch {
    // Some code throws where a text cannot be read.
  }
  return heard.map(({ specialisation, value, isFull }) => {
    return `${specialisation}${value === null ? "" : ` ${value}`}${isFull ? "" : " (part)"}`;
  });
}

test("comparisons", () => {
  assert.deepEqual(uses("t === 'mon'"), ["CONSTANT mon"]);
  assert.deepEqual(uses("'mon' != t.toLowerCase()"), ["CONSTANT_IGNORE_CASE mon"]);
  assert.deepEqual(uses("if (('x' + t) > 'y') {}"), ["CONSTANT y (part)"]);
  assert.deepEqual(uses("t == 5"), ["CONSTANT 5", "DOUBLE"]);
  assert.deepEqual(uses("t === '_EM_8_XYZ_'"), [
    "EQUAL _EM_7_XYZ_____EM_8_XYZ_",
    "EQUAL _EM_7_XYZ_____EM_8_XYZ_",
  ]);
  assert.deepEqual(uses("t === 'mon'", "plain"), []);
});

test("parts", () => {
  assert.deepEqual(uses("t.startsWith('us.er')"), [
    "CONSTANT us.er_EM_7_XYZ_",
    "REGEX_WHOLE us\\.er.*",
  ]);
  assert.deepEqual(uses("t.endsWith('.txt')"), ["CONSTANT _EM_7_XYZ_.txt", "REGEX_WHOLE .*\\.txt"]);
  const separated = ["CONSTANT _EM_7_XYZ_@_EM_70_XYZ_", "REGEX_PARTIAL @"];
  assert.deepEqual(uses("t.includes('@')"), separated);
  assert.deepEqual(uses("t.split('@')"), separated);
  assert.deepEqual(uses("t.indexOf('@')"), separated);
});

test("patterns", () => {
  assert.deepEqual(uses("/^a+$/.test(t)"), ["REGEX_WHOLE a+"]);
  assert.deepEqual(uses("t.match(/a\\/b/i)"), ["REGEX_PARTIAL (?i)a/b"]);
  assert.deepEqual(uses("t.replace(/^a|b$/, '')"), ["REGEX_PARTIAL ^a|b$"]);
  assert.equal(toProtocol(/(?=a)b/), undefined);
  assert.deepEqual(toProtocol(/^a\$/), { source: "^a\\$", isWhole: false });
});

test("collections and keys", () => {
  const two = ["CONSTANT a", "CONSTANT b"];
  assert.deepEqual(uses("['a', 'b'].includes(t)"), two);
  assert.deepEqual(uses("new Set(['a', 'b']).has(t)"), two);
  assert.deepEqual(uses("new Map([['a', 1], ['b', 2]]).get(t)"), two);
  assert.deepEqual(uses("const o = { a: 1, b: 2 }; o[t]"), two);
  assert.deepEqual(uses("t in { a: 1, b: 2 }"), two);
  assert.deepEqual(uses("switch (t) { case 'a': case 'b': }"), two);
});

test("what is read", () => {
  assert.deepEqual(uses("parseInt(t, 10)"), ["INTEGER"]);
  assert.deepEqual(uses("Number(t)"), ["DOUBLE"]);
  assert.deepEqual(uses("+t"), ["DOUBLE"]);
  assert.deepEqual(uses("new Date(t)"), ["DATE_YYYY_MM_DD"]);
  assert.deepEqual(uses("JSON.parse(t)"), ["JSON_OBJECT"]);
  assert.deepEqual(uses("new URL(t)"), ["URL"]);
  assert.deepEqual(uses("const Number = (x) => x; Number(t)"), []);
});

/** Scores, by the vectors that the drivers of the protocol share. */
import assert from "node:assert/strict";
import test from "node:test";
import { comparison, truth } from "../src/distance/comparison.js";
import { edits } from "../src/distance/pattern.js";
import { membership } from "../src/distance/predicate.js";
import * as text from "../src/distance/text.js";

/**
 * @param {number} found
 * @param {number} wanted
 */
function near(found, wanted) {
  assert.ok(Math.abs(found - wanted) < 1e-6, `${found} is not ${wanted}`);
}

const [EQUAL, STRICTLY_EQUAL, LESS] = [0, 1, 4];

test("numbers", () => {
  near(comparison(STRICTLY_EQUAL, false, 5, 10), 1 / 6);
  near(comparison(STRICTLY_EQUAL, true, 5, 5), 0.5);
  near(comparison(LESS, true, 5, 10), 1 / 6.1);
  near(comparison(LESS, false, 3n, 3), 1 / 1.1);
  near(comparison(EQUAL, false, "5", 10), 1 / 6);
  near(comparison(LESS, false, new Date(9), 4), 1 / 6.1);
  assert.ok(comparison(LESS, false, NaN, 1) > 0);
});

test("texts", () => {
  near(comparison(STRICTLY_EQUAL, false, "foo", "bar"), 0.140909);
  near(comparison(STRICTLY_EQUAL, false, "", "a"), 0.100014);
  near(text.number("a1", false), 0.121951);
  near(text.containment("hello", "xy"), 0.043478);
  assert.ok(text.prefix("usex", "user") > text.prefix("xxxx", "user"));
  assert.ok(text.suffix("a.tx", ".txt") > text.suffix("tx", ".txt"));
  assert.equal(text.order("abd", "aba"), text.order("aba", "abdz"));
});

test("nothing, and what has no distance", () => {
  near(comparison(STRICTLY_EQUAL, false, undefined, "a"), 0.05);
  near(comparison(STRICTLY_EQUAL, false, {}, "a"), 0.1);
  near(truth(true), 0.5);
  near(truth(undefined), 0.05);
  near(truth("abc"), 0.25);
  const strange = new Proxy({}, { get: () => assert.fail("no code of the service runs") });
  near(comparison(STRICTLY_EQUAL, false, strange, 1), 0.1);
  near(truth(strange), 0.1);
});

test("members of collections", () => {
  assert.ok(membership(new Set(["abc"]), "abd") > membership(new Set(["xyz"]), "abd"));
  assert.ok(membership(new Map([[5, 1]]), 6) > membership([100], 6));
  near(membership([], "a"), 0.05);
});

test("patterns", () => {
  for (const [source, subject, wanted] of /** @type {[string, string, number | undefined][]} */ ([
    ["^abc$", "abc", 0],
    ["^abc$", "abd", 1],
    ["^abc$", "", 3],
    ["abc", "xxabxx", 1],
    ["^abc", "xabc", 1],
    ["^(mon|tue)\\d{2}$", "mon0", 1],
    ["^(?:mon|tue)[0-9]{2}$", "tua99", 1],
    ["^[^a-c]+$", "abd", 2],
    ["^(ab)*$", "ababa", 1],
    ["^a{2,4}$", "aaaaaa", 2],
    ["^(?<year>\\w+)\\.x$", "ab.x", 0],
    ["^[\\d_-]+$", "1-a", 1],
    ["(?=a)b", "a", undefined],
    ["(a{100}){100}", "a", undefined],
    ["(a)\\1", "a", undefined],
  ])) {
    assert.equal(edits(source, "", subject), wanted, `${source} ${subject}`);
  }
  assert.equal(edits("^abc$", "i", "ABC"), 0);
  assert.equal(edits("^[a-z]+$", "i", "AB1"), 1);
});

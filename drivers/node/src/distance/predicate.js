/** Scores of methods that answer yes or no about a text or a collection. */
import { types } from "node:util";
import { keysOf } from "../taint/parts.js";
import { comparison } from "./comparison.js";
import { edits } from "./pattern.js";
import * as text from "./text.js";
import { ABSENT, BASE, closeness, closenessAbove, difference, missed } from "./truthness.js";

const { isRegExp } = types;

/** Elements that are looked at. */
const MOST_ELEMENTS = 50;
const STRICTLY_EQUAL = 1;

/**
 * @param {string} receiver
 * @param {string} argument
 * @param {number} method see the rewriter's `PREDICATES`
 * @returns {number} closeness of a text to having a part, which it has not
 */
export function textual(method, receiver, argument) {
  if (method === 1) return missed(text.prefix(receiver, argument));
  if (method === 2) return missed(text.suffix(receiver, argument));
  return missed(text.containment(receiver, argument));
}

/**
 * @param {RegExp} pattern
 * @param {unknown} subject
 * @returns {number} closeness of a text to a match, when there is none
 */
export function matching(pattern, subject) {
  if (typeof subject !== "string" || !isRegExp(pattern)) return BASE;
  return missed(closeness(edits(pattern.source, pattern.flags, subject) ?? 1));
}

/**
 * @param {unknown} collection
 * @param {unknown} key
 * @returns {number} closeness of the nearest element to what was looked up and is not there
 */
export function membership(collection, key) {
  let nearest = ABSENT;
  let count = 0;
  for (const element of keysOf(collection)) {
    if (count++ >= MOST_ELEMENTS) break;
    nearest = Math.max(nearest, likeness(element, key));
  }
  return missed(nearest);
}

/**
 * @param {unknown} element
 * @param {unknown} key
 */
function likeness(element, key) {
  if (typeof element === "number" && typeof key === "number") {
    return closenessAbove(BASE, difference(element, key));
  }
  return Math.max(BASE, comparison(STRICTLY_EQUAL, false, element, key));
}

/** Scores of the sides that comparisons and truth values missed. */
import { types } from "node:util";
import * as text from "./text.js";
import { ABSENT, BASE, FLAG, closeness, difference, missed, orderCloseness } from "./truthness.js";

const { isDate } = types;
const dateValue = Date.prototype.getTime;

/**
 * A value as far as distances are defined on it. No code of the service runs for it.
 *
 * @param {unknown} value
 * @returns {string | number | boolean | null | undefined} `null` for nothing, `undefined` for what
 *   has no distance
 */
export function observe(value) {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "undefined":
      return null;
    default:
      if (value === null) return null;
      return isDate(value) ? dateValue.call(value) : undefined;
  }
}

/**
 * @param {number} operator see the rewriter's `OPERATORS`
 * @param {boolean} outcome
 * @param {unknown} left
 * @param {unknown} right
 * @returns {number} the score of the side that was missed
 */
export function comparison(operator, outcome, left, right) {
  // `in`, `instanceof`, and operands that say nothing about the way, as of `typeof`.
  if (operator >= 8) return FLAG;
  const [one, other] = converted(operator, observe(left), observe(right));
  if (operator >= 4) return missed(order(one, other));
  const isEqual = operator < 2 ? outcome : !outcome;
  return missed(equality(isEqual, one, other));
}

/** @typedef {ReturnType<typeof observe>} Observation */

/**
 * The operands of all but the strict operators, as the language converts them.
 *
 * @param {number} operator
 * @param {Observation} left
 * @param {Observation} right
 * @returns {[Observation, Observation]}
 */
function converted(operator, left, right) {
  const isStrict = operator === 1 || operator === 3;
  if (isStrict || typeof left === typeof right) return [left, right];
  if (typeof left === "number" && typeof right === "string") return [left, Number(right)];
  if (typeof left === "string" && typeof right === "number") return [Number(left), right];
  return [left, right];
}

/**
 * @param {boolean} isEqual
 * @param {Observation} left
 * @param {Observation} right
 */
function equality(isEqual, left, right) {
  if (typeof left === "boolean" && typeof right === "boolean") return FLAG;
  if (typeof left === "number" && typeof right === "number") {
    return closeness(isEqual ? 1 : difference(left, right));
  }
  if (isEqual) return BASE;
  if (typeof left === "string" && typeof right === "string") return text.equality(left, right);
  return left === null || right === null ? ABSENT : BASE;
}

/**
 * @param {Observation} left
 * @param {Observation} right
 */
function order(left, right) {
  if (typeof left === "number" && typeof right === "number") {
    return orderCloseness(difference(left, right));
  }
  if (typeof left === "string" && typeof right === "string") {
    return orderCloseness(text.order(left, right));
  }
  return left === null || right === null ? ABSENT : BASE;
}

/**
 * @param {unknown} value of which the truth was asked
 * @returns {number} the score of the side that was missed
 */
export function truth(value) {
  const seen = observe(value);
  if (typeof seen === "boolean") return FLAG;
  if (typeof seen === "number") return missed(closeness(seen ? difference(seen, 0) : 1));
  if (typeof seen === "string") return seen ? closeness(seen.length) : BASE;
  return seen === null ? ABSENT : BASE;
}

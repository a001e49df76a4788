/** What rewritten code tells about comparisons, truth values and chains. */
import { comparison, truth } from "../distance/comparison.js";
import { ABSENT, BASE } from "../distance/truthness.js";
import { lookedUp } from "../taint/parts.js";
import { compared } from "../taint/uses.js";
import { noteDecision, relationOf, shown } from "./operands.js";
import { branch, isSettled, keepsOperands, reach } from "./recording.js";
import { armsOf } from "./units.js";
import { arm } from "../distance/arm.js";
import { find } from "../taint/token.js";
import { constant } from "../taint/uses.js";

const IN = 8;

/**
 * @param {Uint8Array} unit
 * @param {number} side
 * @param {number} operator
 * @param {boolean} outcome
 * @param {unknown} left
 * @param {unknown} right
 */
function compare(unit, side, operator, outcome, left, right) {
  if (operator < IN) {
    if (typeof left === "string" || typeof right === "string") compared(left, right, operator >= 4);
  } else if (operator === IN) {
    lookedUp(right, left);
  }
  if (isSettled(unit, side)) return;
  const missed = comparison(operator, outcome, left, right);
  branch(unit, side, outcome, missed);
  if (keepsOperands()) {
    noteDecision(unit.byteOffset + side + (outcome ? 1 : 0), missed, () => ({
      left,
      relation: relationOf(operator, outcome),
      right: shown(right),
      hasDistance: operator < IN && isPrimitive(left) && isPrimitive(right),
    }));
  }
}

/** @param {unknown} value */
function isPrimitive(value) {
  return typeof value !== "object" && typeof value !== "function";
}

/**
 * @param {Uint8Array} unit
 * @param {number} side
 * @param {boolean} outcome
 * @param {unknown} value
 */
function decide(unit, side, outcome, value) {
  const missed = truth(value);
  branch(unit, side, outcome, missed);
  if (keepsOperands()) {
    noteDecision(unit.byteOffset + side + (outcome ? 1 : 0), missed, () => ({
      left: value,
      relation: "is not",
      right: `a truth value of ${!outcome}`,
      hasDistance: typeof value === "number" || typeof value === "string",
    }));
  }
}

/**
 * Evaluates a comparison where the code cannot keep its operands.
 *
 * @param {number} operator
 * @param {any} left
 * @param {any} right
 * @returns {boolean}
 */
function evaluate(operator, left, right) {
  switch (operator & 15) {
    case 0:
      return left == right;
    case 1:
      return left === right;
    case 2:
      return left != right;
    case 3:
      return left !== right;
    case 4:
      return left < right;
    case 5:
      return left <= right;
    case 6:
      return left > right;
    case 7:
      return left >= right;
    case 8:
      return left in right;
    default:
      return left instanceof right;
  }
}

/**
 * @param {Uint8Array} unit
 * @param {number} first target of the first arm
 * @param {unknown} value
 */
function choose(unit, first, value) {
  const literals = armsOf.get(unit.byteOffset + first) ?? [];
  const taint = find(value);
  const taken = literals.indexOf(value);
  literals.forEach((literal, index) => {
    if (literal === null) return;
    if (taint && typeof literal === "string") constant(taint, literal);
    reach(unit.byteOffset + first + index, index === taken ? 1 : arm(literal, value));
  });
  const isKnown = !literals.includes(null);
  if (isKnown) reach(unit.byteOffset + first + literals.length, taken < 0 ? 1 : BASE);
}

/** @type {Record<string, (...values: any[]) => any>} */
export const conditionHelpers = {
  c: (unit, side, operator, left, right) => compare(unit, side, operator, true, left, right),
  d: (unit, side, operator, left, right) => compare(unit, side, operator, false, left, right),
  e: (unit, side, operator, left, right) => {
    const outcome = evaluate(operator, left, right);
    compare(unit, side, operator, outcome, left, right);
    return outcome;
  },
  f: (unit, side, value) => decide(unit, side, true, value),
  g: (unit, side, value) => decide(unit, side, false, value),
  b: (unit, side, value) => {
    if (!isSettled(unit, side)) decide(unit, side, Boolean(value), value);
    return value;
  },
  n: (unit, side, value) => {
    const isThere = value !== null && value !== undefined;
    if (unit[isThere ? side : side + 1] !== 1) branch(unit, side, isThere, isThere ? BASE : ABSENT);
    return value;
  },
  s: (unit, first, value) => {
    choose(unit, first, value);
    return value;
  },
  a: (unit, target) => {
    reach(unit.byteOffset + target, 1);
    unit[target] = 1;
  },
};

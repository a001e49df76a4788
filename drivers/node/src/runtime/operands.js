/** The values of decisions, for people who ask why a target is not covered. */
import { KEEPS_OPERANDS, TEST } from "./memory.js";
import { memory } from "./recording.js";
import { tell } from "./channel.js";

/** Longest text that is shown, in characters. */
const LONGEST = 200;

const EQUAL = "should equal";
const DIFFERENT = "should differ from";
const ORDER = "should be on the other side of";

/** What a comparison asks for where it was false, and where it was true. */
const RELATIONS = [
  ...[0, 1].map(() => [EQUAL, DIFFERENT]),
  ...[2, 3].map(() => [DIFFERENT, EQUAL]),
  ...[4, 5, 6, 7].map(() => [ORDER, ORDER]),
  ["should be a key of", "should not be a key of"],
  ["should be an instance of", "should not be an instance of"],
];

/**
 * Tells the values of a decision, where anybody wants them.
 *
 * @param {number} target the side that was missed
 * @param {number} score how near it was
 * @param {() => {left: unknown, relation: string, right: string, hasDistance: boolean}} decide
 */
export function noteDecision(target, score, decide) {
  if (memory.control[KEEPS_OPERANDS] !== 1) return;
  const { left, relation, right, hasDistance } = decide();
  const values = { left: shown(left), relation, right, hasDistance };
  tell({ kind: "decision", test: memory.control[TEST], target, score, ...values });
}

/**
 * @param {number} operator
 * @param {boolean} outcome
 */
export function relationOf(operator, outcome) {
  return RELATIONS[operator & 15]?.[outcome ? 1 : 0] ?? "";
}

/**
 * @param {unknown} value
 * @returns {string} the value for people; no code of the service runs for it
 */
export function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, LONGEST));
  if (value instanceof RegExp) return String(value).slice(0, LONGEST);
  if (value === null || typeof value !== "object") return String(value).slice(0, LONGEST);
  return Array.isArray(value) ? `a collection of ${value.length}` : "a value without distance";
}

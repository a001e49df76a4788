/**
 * How near a condition was to the side that it missed.
 *
 * Formulas and constants are those of the other drivers of the protocol, so that scores of systems
 * in different languages compare.
 */

/** Score of a side whose predicate met nothing, or something empty. */
export const ABSENT = 0.05;
/** Lowest score of a side whose predicate met a value. */
export const BASE = 0.1;
/** Score of the missed side of a plain truth value: the distance is 1. */
export const FLAG = 0.5;
/** Distance between two texts per character that one of them has too many. */
export const CHARACTER = 65_536;

/**
 * A missed side is nearer than one that was not evaluated, and rounding must not cover it.
 *
 * @param {number} score
 */
export function missed(score) {
  return Math.min(Math.max(score, 2.3e-308), 1 - Number.EPSILON);
}

/** @param {number} distance */
export function closeness(distance) {
  return 1 / (1 + distance);
}

/**
 * As `closeness`, from 1 down to `base`.
 *
 * @param {number} base
 * @param {number} distance
 */
export function closenessAbove(base, distance) {
  return base + (1 - base) * closeness(distance);
}

/**
 * Score of the missed side of an order on values `distance` apart: below 1 at distance 0, where
 * one step is still missing.
 *
 * @param {number} distance
 */
export function orderCloseness(distance) {
  return 1 / (1.1 + distance);
}

/**
 * @param {number} left
 * @param {number} right
 * @returns {number} absolute difference; the largest number where there is none
 */
export function difference(left, right) {
  const result = Math.abs(left - right);
  return result < Infinity ? result : Number.MAX_VALUE;
}

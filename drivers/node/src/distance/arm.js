/** How near a value came to an arm of a `switch`. */
import { comparison } from "./comparison.js";
import { BASE, closenessAbove, difference, missed } from "./truthness.js";

const STRICTLY_EQUAL = 1;

/**
 * @param {string | number | boolean} literal what the arm asks for
 * @param {unknown} value another one
 * @returns {number}
 */
export function arm(literal, value) {
  if (typeof literal === "number" && typeof value === "number") {
    return missed(closenessAbove(BASE, difference(literal, value)));
  }
  return comparison(STRICTLY_EQUAL, false, value, literal);
}

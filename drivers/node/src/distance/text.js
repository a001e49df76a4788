/** Distances between texts, on UTF-16 units. */
import { BASE, CHARACTER, closeness, closenessAbove } from "./truthness.js";

/** Comparisons of single characters that one search for a window may cost. */
const WINDOW_BUDGET = 1 << 16;
/** Units of a text that are looked at. */
const LONGEST = 1 << 14;

/**
 * Left-alignment distance of `right` and the units of `left` from `start` on.
 *
 * @param {string} left
 * @param {string} right
 * @param {number} [start]
 * @param {number} [end]
 */
export function alignment(left, right, start = 0, end = left.length) {
  const length = end - start;
  const common = Math.min(length, right.length, LONGEST);
  let distance = Math.abs(length - right.length) * CHARACTER;
  for (let at = 0; at < common; at += 1) {
    distance += Math.abs(left.charCodeAt(start + at) - right.charCodeAt(at));
  }
  return distance;
}

/**
 * @param {string} left
 * @param {string} right
 * @returns {number} closeness to equality
 */
export function equality(left, right) {
  return closenessAbove(BASE, alignment(left, right));
}

/**
 * Distance in lexicographic order: only the first pair of characters that differ decides, and the
 * further behind it is, the smaller the distance.
 *
 * @param {string} left
 * @param {string} right
 */
export function order(left, right) {
  const longest = Math.max(left.length, right.length);
  for (let at = 0; at < longest; at += 1) {
    const one = at < left.length ? left.charCodeAt(at) : 0;
    const other = at < right.length ? right.charCodeAt(at) : 0;
    if (one === other && at < left.length && at < right.length) continue;
    const low = closeness(at + 1);
    const high = closeness(at);
    return high - (high - low) * closeness(Math.abs(one - other));
  }
  return 0;
}

/**
 * @param {string} text
 * @param {string} part
 * @returns {number} closeness to starting with the part, which it does not
 */
export function prefix(text, part) {
  if (text.length < part.length) {
    return closeness((2 * part.length - text.length) * (CHARACTER - 1));
  }
  return closenessAbove(BASE, alignment(text, part, 0, part.length));
}

/**
 * @param {string} text
 * @param {string} part
 * @returns {number} closeness to ending with the part, which it does not
 */
export function suffix(text, part) {
  const missing = part.length - text.length;
  if (missing > 0) return closeness((part.length + 2 * missing) * (CHARACTER - 1));
  return closenessAbove(BASE, alignment(text, part, -missing, text.length));
}

/**
 * @param {string} text
 * @param {string} part
 * @returns {number} closeness to containing the part, which it does not: the best window counts
 */
export function containment(text, part) {
  if (text.length <= part.length) return equality(text, part);
  const most = Math.floor(WINDOW_BUDGET / Math.max(part.length, 1));
  const last = Math.min(text.length - part.length, most);
  let best = Number.MAX_VALUE;
  for (let start = 0; start <= last; start += 1) {
    best = Math.min(best, alignment(text, part, start, start + part.length));
  }
  return closeness(best);
}

/**
 * @param {string} text
 * @param {boolean} hasPoint whether one point is allowed
 * @returns {number} closeness to a number
 */
export function number(text, hasPoint) {
  if (!text) return BASE;
  let distance = 0;
  let mayHavePoint = hasPoint;
  for (let at = 0; at < Math.min(text.length, LONGEST); at += 1) {
    const unit = text.charCodeAt(at);
    const digit = Math.max(48 - unit, 0) + Math.max(unit - 57, 0);
    const point = mayHavePoint ? Math.abs(unit - 46) : Infinity;
    const sign = at === 0 && text.length > 1 ? Math.abs(unit - 45) : Infinity;
    if (point === 0) mayHavePoint = false;
    distance += Math.min(digit, point, sign);
  }
  return closenessAbove(BASE, distance);
}

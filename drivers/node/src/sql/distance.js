/**
 * Distances of single comparisons of SQL.
 *
 * Own formulas: all are in (0, 1) and grow with what is wrong. That a comparison is true is not
 * decided here but by the database.
 */

/** Distance of what can never become true by small steps: a null, other types. */
const FAR = 1;
/** What a comparison of unlike types gives: nearer than a null. */
const UNLIKE = 0.99;
/** Characters of a text that are compared with a pattern. */
const PATTERN_LENGTH = 200;
/** Distance between a character and none. */
const CHARACTER = 65_536;

/**
 * @param {string} operator that is to hold: `=`, `<>`, `<`, `<=`, `>` or `>=`
 * @param {unknown} left
 * @param {unknown} right
 * @returns {number}
 */
export function comparison(operator, left, right) {
  if (left === null || right === null || left === undefined || right === undefined) return FAR;
  const [one, other] = [numberOf(left), numberOf(right)];
  if (one !== undefined && other !== undefined) {
    if (operator === "<>") return UNLIKE;
    const gap = Math.abs(one - other);
    return normalised(operator === "<" || operator === ">" ? gap + 1 : gap);
  }
  if (typeof left !== "string" || typeof right !== "string") return UNLIKE;
  return texts(operator, left, right);
}

/**
 * @param {string} operator
 * @param {string} left
 * @param {string} right
 */
function texts(operator, left, right) {
  // Texts differ as soon as one changes.
  if (operator === "<>") return normalised(0.5);
  if (operator === "=") return normalised(alignment(left, right) / 128);
  const [one, other] = [time(left), time(right)];
  if (one !== undefined && other !== undefined) return normalised(Math.abs(one - other) + 1e-3);
  return Math.max(order(left, right) * 0.98, 1e-6);
}

/**
 * From [0, ..) to (0, 1), keeping the order.
 *
 * @param {number} distance
 */
export function normalised(distance) {
  if (!Number.isFinite(distance)) return UNLIKE;
  // What is not true is never at distance 0, however near.
  return Math.min(Math.max(distance / (distance + 1), 1e-9), 1 - 1e-9);
}

/**
 * @param {unknown} value
 * @returns {number | undefined}
 */
function numberOf(value) {
  if (typeof value === "number") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  const text = typeof value === "string" ? value.trim() : "";
  return text && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/**
 * @param {string} left
 * @param {string} right
 * @returns {number} differences of characters in the same places
 */
function alignment(left, right) {
  const common = Math.min(left.length, right.length);
  let distance = CHARACTER * (Math.max(left.length, right.length) - common);
  for (let at = 0; at < common; at += 1) {
    distance += Math.abs(left.charCodeAt(at) - right.charCodeAt(at));
  }
  return distance;
}

/**
 * Of texts that are ordered only the first characters that differ decide: the further behind they
 * are, the smaller the distance.
 *
 * @param {string} left
 * @param {string} right
 */
function order(left, right) {
  let equal = 0;
  while (equal < left.length && left[equal] === right[equal]) equal += 1;
  if (equal === left.length && equal === right.length) return 0;
  const code = (/** @type {string} */ text) => text.charCodeAt(equal) || 0;
  const [low, high] = [1 / (equal + 2), 1 / (equal + 1)];
  return high - (high - low) / (1 + Math.abs(code(left) - code(right)));
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?/;

/**
 * @param {string} text
 * @returns {number | undefined} days since some day long ago
 */
function time(text) {
  const parts = TIME.exec(text);
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return year * 372 + month * 31 + day + (hours * 3600 + minutes * 60 + seconds) / 86_400;
}

/**
 * Least number of characters to change, add or take away until a text matches a pattern of `LIKE`.
 *
 * @param {unknown} value
 * @param {unknown} pattern
 * @param {string | undefined} escape
 * @returns {number}
 */
export function pattern(value, pattern, escape) {
  if (typeof value !== "string" || typeof pattern !== "string") return FAR;
  const text = [...value.slice(0, PATTERN_LENGTH).toLowerCase()];
  // Changes from the text so far to the pattern so far, for every length of the text.
  let costs = Array.from({ length: text.length + 1 }, (_, length) => length);
  let isEscaped = false;
  for (const character of pattern.slice(0, PATTERN_LENGTH).toLowerCase()) {
    if (!isEscaped && character === escape?.toLowerCase()) {
      isEscaped = true;
      continue;
    }
    const wanted = isEscaped ? { character } : { character, isAny: character === "_" };
    costs = character === "%" && !isEscaped ? anything(costs) : next(costs, text, wanted);
    isEscaped = false;
  }
  return normalised(costs[text.length] ?? 0);
}

/** @param {number[]} costs before a place where any text fits */
function anything(costs) {
  let least = Infinity;
  return costs.map((cost) => (least = Math.min(least, cost)));
}

/**
 * @param {number[]} costs
 * @param {string[]} text
 * @param {{character: string, isAny?: boolean}} wanted
 */
function next(costs, text, { character, isAny }) {
  /** @type {number[]} */
  const result = [];
  costs.forEach((cost, place) => {
    const missing = cost + 1;
    if (!place) return result.push(missing);
    const change = isAny ? 0 : changeOf(text[place - 1] ?? "", character);
    return result.push(
      Math.min(missing, (costs[place - 1] ?? 0) + change, (result[place - 1] ?? 0) + 1),
    );
  });
  return result;
}

/**
 * A near character is a little nearer.
 *
 * @param {string} from
 * @param {string} to
 */
function changeOf(from, to) {
  if (from === to) return 0;
  return 0.5 + 0.5 * normalised(Math.abs((from.codePointAt(0) ?? 0) - (to.codePointAt(0) ?? 0)));
}

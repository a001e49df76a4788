/** Uses of tainted texts, told to the driver once per action. */
import { TEST } from "../runtime/memory.js";
import { currentAction, memory } from "../runtime/recording.js";
import { tell } from "../runtime/channel.js";
import { find, hasChangedCase } from "./token.js";

/** @typedef {import("./token.js").Taint} Taint */

/** Uses that are kept per action: more tell an engine nothing new. */
const MOST_USES = 200;
/** Longest value that is reported: that of two inputs which must be equal. */
const LONGEST_VALUE = 4_099;

/** @type {Set<string>} uses of the action that were told */
const told = new Set();
let era = "";

/**
 * @param {Taint} taint
 * @param {string} specialisation its name in the protocol
 * @param {string | null} [value] the constant, pattern or partner
 */
export function use(taint, specialisation, value = null) {
  const action = currentAction();
  if (action === undefined || (value?.length ?? 0) > LONGEST_VALUE) return;
  const now = `${memory.control[TEST]}:${action}`;
  if (now !== era) {
    era = now;
    told.clear();
  }
  const key = `${specialisation} ${taint.text.length} ${taint.text} ${value}`;
  if (told.has(key) || told.size >= MOST_USES) return;
  told.add(key);
  const isFull = taint.text.length === taint.token.length;
  const test = memory.control[TEST];
  tell({ kind: "use", test, action, tainted: taint.text, specialisation, value, isFull });
}

/**
 * @param {Taint} taint
 * @param {string} value
 */
export function constant(taint, value) {
  use(taint, hasChangedCase(taint) ? "CONSTANT_IGNORE_CASE" : "CONSTANT", value);
}

/**
 * Two values are compared. The bound of an ordering is told too: it is where the order turns.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @param {boolean} isOrder
 */
export function compared(left, right, isOrder) {
  if (typeof left === "number" || typeof right === "number") {
    number(left, right);
    return;
  }
  if (typeof left !== "string" || typeof right !== "string") return;
  const one = find(left);
  const other = find(right);
  if (one && other) {
    if (!isOrder) equal(one, other);
  } else if (one) {
    constant(one, right);
  } else if (other) {
    constant(other, left);
  }
}

/**
 * A text is compared with a number, which converts it.
 *
 * @param {unknown} left
 * @param {unknown} right
 */
function number(left, right) {
  const taint = find(left) ?? find(right);
  if (!taint) return;
  use(taint, "CONSTANT", String(typeof left === "number" ? left : right));
  use(taint, "DOUBLE");
}

/**
 * Two inputs must be equal: the value joins both, as the protocol wants it.
 *
 * @param {Taint} left
 * @param {Taint} right
 */
export function equal(left, right) {
  if (left.token.toLowerCase() === right.token.toLowerCase()) return;
  const value = `${left.text}___${right.text}`;
  use(left, "EQUAL", value);
  use(right, "EQUAL", value);
}

/** What rewritten code tells about calls. */
import { types } from "node:util";
import { truth } from "../distance/comparison.js";
import { matching, membership, textual } from "../distance/predicate.js";
import { BASE, closeness } from "../distance/truthness.js";
import { lookedUp, matched, part } from "../taint/parts.js";
import { compared } from "../taint/uses.js";
import { find } from "../taint/token.js";
import { use } from "../taint/uses.js";
import { tell } from "./channel.js";
import { noteDecision, shown } from "./operands.js";
import {
  branch,
  currentAction,
  isSettled,
  keepsOperands,
  mayMeasure,
  memory,
} from "./recording.js";
import { TEST } from "./memory.js";
import { unitName } from "./units.js";

const { isProxy, isRegExp } = types;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Numbers of methods, as the rewriter writes them. */
const STARTS = 1;
const ENDS = 2;
const OWN = 5;
const TEST_PATTERN = 6;
const EXEC = 7;
const MATCH = 8;
const SEARCH = 9;
const INDEX = 10;

/**
 * Whether a call gave what was asked for.
 *
 * @param {number} method
 * @param {unknown} result
 */
function isSuccess(method, result) {
  const isPosition = method === SEARCH || method === INDEX;
  return isPosition && typeof result === "number" ? result >= 0 : Boolean(result);
}

/**
 * @param {number} method
 * @param {unknown} receiver
 * @param {unknown} argument
 */
function taint(method, receiver, argument) {
  if (method === STARTS) part("start", receiver, argument);
  else if (method === ENDS) part("end", receiver, argument);
  else if (method === TEST_PATTERN || method === EXEC) matched(receiver, argument);
  else if (method === MATCH || method === SEARCH) pattern(receiver, argument);
  else if (typeof receiver === "string") part("inside", receiver, argument);
  else if (typeof argument === "string") lookedUp(receiver, argument);
}

/**
 * @param {unknown} text
 * @param {unknown} separator a pattern or a text
 */
function pattern(text, separator) {
  if (isRegExp(separator)) matched(separator, text);
  else part("inside", text, separator);
}

/**
 * @param {number} method
 * @param {boolean} outcome
 * @param {any} receiver
 * @param {any} argument
 * @returns {number} the score of the side that was missed
 */
function score(method, outcome, receiver, argument) {
  if (outcome) return BASE;
  const isPattern = method >= TEST_PATTERN && method <= SEARCH;
  if (isPattern) {
    const isReceiver = method <= EXEC;
    const [by, text] = isReceiver ? [receiver, argument] : [argument, receiver];
    return isRegExp(by) && mayMeasure() ? matching(by, text) : closeness(1);
  }
  if (typeof receiver === "string") {
    return typeof argument === "string" ? textual(method, receiver, argument) : BASE;
  }
  if (method >= 3 && (method <= OWN || method === INDEX)) return membership(receiver, argument);
  return truth(false);
}

/**
 * Whether a member can be called, as far as that is known without running code of the service.
 *
 * @param {unknown} receiver
 * @param {string} name
 */
function isCallable(receiver, name) {
  for (let holder = Object(receiver); holder; holder = getPrototypeOf(holder)) {
    if (isProxy(holder)) return true;
    const member = getOwnPropertyDescriptor(holder, name);
    if (member) return !("value" in member) || typeof member.value === "function";
  }
  return false;
}

/** Separators and patterns of methods that are only looked at. */
/** @type {Record<number, (receiver: any, argument: any) => void>} */
const lookUps = {
  20: lookedUp,
  21: pattern,
  22: pattern,
  23: pattern,
  24: (receiver, argument) => compared(receiver, argument, true),
};

/** @type {Record<string, (...values: any[]) => any>} */
export const callHelpers = {
  m: (unit, side, method, result, receiver, argument) => {
    taint(method, receiver, argument);
    if (isSettled(unit, side)) return result;
    const outcome = isSuccess(method, result);
    const missed = score(method, outcome, receiver, argument);
    branch(unit, side, outcome, missed);
    if (keepsOperands()) {
      noteDecision(unit.byteOffset + side + (outcome ? 1 : 0), missed, () => ({
        left: receiver,
        relation: outcome ? "should not contain or match" : "should contain or match",
        right: shown(argument),
        hasDistance: !outcome,
      }));
    }
    return result;
  },
  h: (receiver, name, text, argument) => {
    if (typeof receiver !== "string" && !isCallable(receiver, name)) {
      throw new TypeError(`${text} is not a function`);
    }
    return argument;
  },
  l: (method, result, receiver, argument) => {
    lookUps[method]?.(receiver, argument);
    return result;
  },
  k: (object, key) => {
    if (typeof key === "string" && key.length >= 10) lookedUp(object, key);
    return key;
  },
  u: (value) => {
    const found = typeof value === "string" ? find(value) : undefined;
    if (found) use(found, "DOUBLE");
    return value;
  },
  r: (unit, target, result) => {
    unit[target] = 1;
    return result;
  },
  t: (unit, line, name, error) => {
    const action = currentAction();
    if (action !== undefined) {
      const statement = `${unitName(unit)}_${line}_${name || "module"}`;
      tell({ kind: "thrown", test: memory.control[TEST], action, statement });
    }
    return error;
  },
};

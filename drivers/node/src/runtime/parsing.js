/** What rewritten code tells about texts that built-ins read. */
import { edits } from "../distance/pattern.js";
import { number } from "../distance/text.js";
import { BASE, closeness, missed } from "../distance/truthness.js";
import { find } from "../taint/token.js";
import { use } from "../taint/uses.js";
import { branch, isSettled, mayMeasure, reach } from "./recording.js";

const DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const URL_LIKE = "https?://[a-z]+(/[a-z]+)*";

const parseJson = JSON.parse;
const canParse = URL.canParse.bind(URL);
const toBigInt = BigInt;

/**
 * What a built-in reads: how engines are told, how near a text is, and, of those that throw,
 * whether they would.
 *
 * @typedef {object} Reading
 * @property {Function} built
 * @property {string} specialisation
 * @property {(text: string) => number} near
 * @property {(text: string) => boolean} [canRead]
 */

/** @param {string} text */
const nearDate = (text) => nearPattern(`^${DATE}$`, text);
/** @param {string} text */
const nearWhole = (text) => number(text, false);
/** @param {string} text */
const nearNumber = (text) => number(text, true);

/** @type {Record<number, Reading>} */
const READINGS = {
  1: { built: parseInt, specialisation: "INTEGER", near: nearWhole },
  2: { built: parseFloat, specialisation: "DOUBLE", near: nearNumber },
  3: { built: Number, specialisation: "DOUBLE", near: nearNumber },
  4: { built: Date.parse, specialisation: "DATE_YYYY_MM_DD", near: nearDate },
  5: { built: Date, specialisation: "DATE_YYYY_MM_DD", near: nearDate },
  6: { built: JSON.parse, specialisation: "JSON_OBJECT", near: () => BASE, canRead: isJson },
  7: { built: BigInt, specialisation: "LONG", near: nearWhole, canRead: isBigInt },
  8: {
    built: URL,
    specialisation: "URL",
    near: (text) => nearPattern(`^${URL_LIKE}$`, text),
    canRead: canParse,
  },
};

/**
 * @param {string} source
 * @param {string} text
 */
function nearPattern(source, text) {
  return mayMeasure() ? missed(closeness(edits(source, "", text) ?? 1)) : BASE;
}

/** @param {string} text */
function isJson(text) {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text */
function isBigInt(text) {
  try {
    toBigInt(text);
    return true;
  } catch {
    return false;
  }
}

/** Longest text that is read a second time to know whether it can be. */
const LONGEST = 2_048;

/** @type {Record<string, (...values: any[]) => any>} */
export const parsingHelpers = {
  q: (unit, side, kind, built, text) => {
    const reading = READINGS[kind];
    if (typeof text !== "string" || !reading || reading.built !== built) return text;
    const taint = find(text);
    if (taint) use(taint, reading.specialisation);
    if (isSettled(unit, side)) return text;
    // Behind a built-in that throws, nobody is told.
    if (reading.canRead && text.length <= LONGEST && !reading.canRead(text)) {
      branch(unit, side, false, reading.near(text));
    } else if (!reading.canRead) {
      reach(unit.byteOffset + side, missed(reading.near(text) * (1 - BASE)));
    }
    return text;
  },
  p: (unit, side, kind, built, result) => {
    if (isSettled(unit, side) || READINGS[kind]?.built !== built) return result;
    const value = typeof result === "object" && kind === 5 ? Number(result) : result;
    const outcome = !Number.isNaN(value);
    branch(unit, side, outcome, BASE);
    return result;
  },
};

/** Tainted texts in calls that look for a part, a pattern or a key. */
import { types } from "node:util";
import { find, sibling } from "./token.js";
import { compared, constant, use } from "./uses.js";
import { toProtocol } from "./pattern.js";

const { isProxy, isMap, isSet, isRegExp } = types;

/** Elements of a collection that are told for a look-up, as in the other drivers. */
const MOST_ELEMENTS = 10;

/**
 * A part is looked for at the start, at the end, or anywhere.
 *
 * @param {"start" | "end" | "inside"} where
 * @param {unknown} text
 * @param {unknown} part
 */
export function part(where, text, part) {
  if (typeof text !== "string" || typeof part !== "string" || !part) return;
  const taint = find(text);
  const other = find(part);
  if (!taint || other) {
    if (taint || other) compared(text, part, false);
    return;
  }
  const quoted = part.replace(/[\\^$.*+?()[\]{}|-]/g, "\\$&");
  if (where === "start") {
    constant(taint, part + text);
    use(taint, "REGEX_WHOLE", `${quoted}.*`);
  } else if (where === "end") {
    constant(taint, text + part);
    use(taint, "REGEX_WHOLE", `.*${quoted}`);
  } else if (!text.includes(part)) {
    constant(taint, text + part + sibling(taint));
    use(taint, "REGEX_PARTIAL", quoted);
  }
}

/**
 * A pattern is looked for in a text.
 *
 * @param {unknown} pattern
 * @param {unknown} text
 */
export function matched(pattern, text) {
  if (!isRegExp(pattern)) return;
  const taint = find(text);
  if (!taint) return;
  const told = toProtocol(pattern);
  if (told) use(taint, told.isWhole ? "REGEX_WHOLE" : "REGEX_PARTIAL", told.source);
}

/**
 * A key is looked up: one constant for each that could have been asked for.
 *
 * @param {unknown} collection
 * @param {unknown} key
 */
export function lookedUp(collection, key) {
  const taint = find(key);
  if (!taint) return;
  let count = 0;
  for (const one of keysOf(collection)) {
    if (typeof one === "string" && count < MOST_ELEMENTS) {
      constant(taint, one);
      count += 1;
    }
  }
}

/**
 * The keys or elements of a collection. No code of the service runs for them.
 *
 * @param {any} collection
 * @returns {Iterable<unknown>}
 */
export function keysOf(collection) {
  if (isProxy(collection) || collection === null) return [];
  if (isMap(collection)) return Map.prototype.keys.call(collection);
  if (isSet(collection)) return Set.prototype.values.call(collection);
  if (Array.isArray(collection)) return values(collection);
  const isObject = typeof collection === "object" || typeof collection === "function";
  return isObject ? Object.keys(collection) : [];
}

/**
 * The elements of an array, without asking any getter.
 *
 * @param {any[]} array
 */
function* values(array) {
  for (let at = 0; at < Math.min(array.length, 1_000); at += 1) {
    yield Object.getOwnPropertyDescriptor(array, at)?.value;
  }
}

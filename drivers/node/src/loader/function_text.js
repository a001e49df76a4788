/**
 * The text of functions as people wrote it: some read it, for names of parameters, or send it where
 * none of our names are known, as to a browser, a worker or a database.
 *
 * @typedef {import("../rewriter/rewrite.js").Source} Source
 * @typedef {{source: Source, text: string, steps?: import("../rewriter/edits.js").Step[]}} Known
 */
import { load } from "../quiet.js";
import { originalOf } from "./source_map.js";

const { prototype } = Function;
const { apply } = Reflect;
const { toString } = prototype;

/** In the text of functions that were rewritten; not all hold one of our names. */
const OURS = /\$w_|\{return\(/;
const UNIT = /\$w_([0-9a-f]{8})\b/;

/** @type {Map<string, Known>} by the ids of units */
const units = new Map();

/**
 * Keeps the text that a unit was made from.
 *
 * @param {Source} source
 * @param {string} text what it became
 */
export function keepText(source, text) {
  if (!units.size) watch();
  units.set(source.id, { source, text });
}

function watch() {
  // A proxy of a built-in shows itself as one.
  const value = new Proxy(toString, {
    apply: (target, self, values) => {
      const text = apply(target, self, values);
      return OURS.test(text) ? (writtenText(text) ?? text) : text;
    },
  });
  Object.defineProperty(prototype, "toString", { value, writable: true, configurable: true });
}

/**
 * @param {string} text of a function, or another piece of what runs
 * @returns {string | undefined} what was written in its place; nothing where that is not known
 */
export function writtenText(text) {
  const id = UNIT.exec(text)?.[1];
  const unit = id === undefined ? undefined : units.get(id);
  for (const known of unit ? [unit] : units.values()) {
    const start = known.text.indexOf(text);
    if (start < 0) continue;
    // Nearly nobody asks, so that it is worked out again instead of kept.
    const steps = (known.steps ??= stepsOf(known.source));
    if (!steps) return undefined;
    return known.source.text.slice(before(steps, start), before(steps, start + text.length));
  }
  return undefined;
}

/**
 * @param {Source} source
 * @returns {import("../rewriter/edits.js").Step[] | undefined} nothing where the service has broken
 *   what a parser needs
 */
function stepsOf(source) {
  try {
    const { stepsOf } = load("./rewriter/rewrite.js");
    return stepsOf({ ...source, original: originalOf(source.text) });
  } catch {
    return undefined;
  }
}

/**
 * @param {import("../rewriter/edits.js").Step[]} steps
 * @param {number} position in the rewritten text
 * @returns {number} where that was
 */
function before(steps, position) {
  let moved = 0;
  for (const { start, end, text } of steps) {
    if (position <= start + moved) break;
    if (position < start + moved + text.length) return start;
    moved += text.length - (end - start);
  }
  return position - moved;
}

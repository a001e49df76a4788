/**
 * Rewrites the text of a module so that it tells what it does, by insertions on the same lines.
 */
import { Parser } from "acorn";
import { Context } from "./context.js";
import { Edits } from "./edits.js";
import { Sites } from "./sites.js";
import { MARKER } from "./version.js";
import "./call.js";
import "./comparison.js";
import "./condition.js";
import "./function.js";
import "./statement.js";
import "./switch.js";
import "./value.js";

/** @typedef {import("./sites.js").Unit} Unit */

/**
 * @typedef {object} Source
 * @property {string} text
 * @property {boolean} isModule whether it is an ES module
 * @property {string} name name of the unit, a path
 * @property {string} id eight characters that tell units apart
 * @property {import("../loader/source_map.js").Original} [original] for text that a loader made from
 *   another
 */

/**
 * @param {Source} source
 * @returns {{text: string, unit: Unit}}
 */
export function rewrite(source) {
  const { edits, sites } = edited(source);
  const unit = { name: source.name, id: source.id, count: sites.count, sites: sites.sites };
  return { text: `${edits.apply()}\n${MARKER}`, unit };
}

/**
 * @param {Source} source
 * @returns {import("./edits.js").Step[]} what `rewrite` changes
 */
export function stepsOf(source) {
  return edited(source).edits.steps();
}

/** @param {Source} source */
function edited(source) {
  const { text, isModule } = source;
  const tree = Parser.parse(text, {
    ecmaVersion: "latest",
    sourceType: isModule ? "module" : "script",
    allowHashBang: true,
    preserveParens: true,
    allowReturnOutsideFunction: !isModule,
    allowSuperOutsideMethod: true,
    allowImportExportEverywhere: false,
  });
  const edits = new Edits(text);
  const sites = new Sites(...lines(text, source.original));
  const context = new Context(text, edits, sites, `$w_${source.id}`);
  const place = edits.before(firstPlace(tree, text), "");
  const declaration = context.inFrame("", true, () => context.visit(tree));
  place.text = declaration && `;${declaration}`;
  return { edits, sites };
}

/**
 * @param {any} tree
 * @param {string} text
 * @returns {number} where declarations may stand: behind directives and a hashbang
 */
function firstPlace(tree, text) {
  const directives = tree.body.filter((/** @type {any} */ one) => one.directive !== undefined);
  const last = directives.at(-1);
  if (last) return last.end;
  if (!text.startsWith("#!")) return 0;
  const end = text.search(/[\r\n\u2028\u2029]/);
  return end < 0 ? text.length : end + 1;
}

/**
 * @param {string} text
 * @param {Source["original"]} original
 * @returns {[lineOf: (position: number) => number, isAdded: (from: number, to: number) => boolean]}
 *   as `Sites` takes them
 */
function lines(text, original) {
  const starts = [0];
  const ends = /\r\n|[\n\r\u2028\u2029]/g;
  while (ends.exec(text)) starts.push(ends.lastIndex);
  const index = (/** @type {number} */ position) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low;
  };
  if (!original) return [(position) => index(position) + 1, () => false];
  return [
    (position) => {
      const line = index(position);
      return original.lineOf(line + 1, position - (starts[line] ?? 0)) ?? 0;
    },
    (from, to) => original.isAdded(index(from) + 1, index(to - 1) + 1),
  ];
}

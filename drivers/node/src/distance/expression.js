/** Reads regular expressions of the language, as far as they describe regular languages. */
import { escaped, ranges } from "./character_class.js";

/**
 * @typedef {(unit: number) => boolean} Takes
 * @typedef {{kind: "empty"} | {kind: "one", takes: Takes}
 *   | {kind: "sequence" | "choice", parts: Expression[]}
 *   | {kind: "repeat", part: Expression, least: number, most: number}} Expression
 */

/**
 * @param {string} source
 * @param {string} flags
 * @throws {Error} for look-around and references, which have no distance
 */
export function parse(source, flags) {
  const reader = new Reader(source, flags);
  const expression = reader.choice();
  if (reader.at < source.length) throw new Error("unbalanced");
  const { parts } = /** @type {{parts: Expression[]}} */ (expression);
  const isOne = parts.length === 1;
  return {
    expression,
    isAnchoredAtStart: isOne && /^\^/.test(source),
    isAnchoredAtEnd: isOne && /(^|[^\\])(\\\\)*\$$/.test(source),
  };
}

class Reader {
  /**
   * @param {string} source
   * @param {string} flags
   */
  constructor(source, flags) {
    this.source = source;
    this.at = 0;
    this.isCaseless = flags.includes("i");
    this.hasNewlines = flags.includes("s");
  }

  /** @param {string} text */
  accept(text) {
    const is = this.source.startsWith(text, this.at);
    if (is) this.at += text.length;
    return is;
  }

  /** @returns {Expression} */
  choice() {
    const parts = [this.sequence()];
    while (this.accept("|")) parts.push(this.sequence());
    return { kind: "choice", parts };
  }

  /** @returns {Expression} */
  sequence() {
    /** @type {Expression[]} */
    const parts = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source[this.at] ?? "")) {
      parts.push(this.repeated(this.atom()));
    }
    return { kind: "sequence", parts };
  }

  /**
   * @param {Expression} part
   * @returns {Expression}
   */
  repeated(part) {
    const quantifier = /[*+?]|\{(\d+)(,?)(\d*)\}/y;
    quantifier.lastIndex = this.at;
    const found = quantifier.exec(this.source);
    if (!found) return part;
    this.at = quantifier.lastIndex;
    this.accept("?");
    const [text, low, comma, high] = found;
    if (text === "*") return { kind: "repeat", part, least: 0, most: Infinity };
    if (text === "+") return { kind: "repeat", part, least: 1, most: Infinity };
    if (text === "?") return { kind: "repeat", part, least: 0, most: 1 };
    const least = Number(low);
    const most = high ? Number(high) : comma ? Infinity : least;
    return { kind: "repeat", part, least, most };
  }

  /** @returns {Expression} */
  atom() {
    if (this.accept("(?:")) return this.group();
    if (/^\(\?<?[=!]/.test(this.source.slice(this.at, this.at + 4))) throw new Error("look-around");
    if (this.accept("(")) {
      const name = /^\?<[^>]*>/.exec(this.source.slice(this.at));
      if (name) this.at += name[0].length;
      return this.group();
    }
    if (this.accept("^") || this.accept("$")) return { kind: "empty" };
    if (this.accept("[")) return this.one(this.set());
    if (this.accept(".")) return this.one(this.hasNewlines ? () => true : (unit) => unit !== 10);
    if (this.accept("\\")) return this.escape();
    return this.unit(this.source.charCodeAt(this.at++));
  }

  /** @returns {Expression} */
  group() {
    const inner = this.choice();
    if (!this.accept(")")) throw new Error("unbalanced");
    return inner;
  }

  /**
   * @param {Takes} takes
   * @returns {Expression}
   */
  one(takes) {
    return { kind: "one", takes };
  }

  /** @param {number} unit */
  unit(unit) {
    const wanted = this.isCaseless ? String.fromCharCode(unit).toLowerCase().charCodeAt(0) : unit;
    return this.one((found) => found === wanted);
  }

  /** @returns {Expression} */
  escape() {
    if (/[bB]/.test(this.source[this.at] ?? "")) {
      this.at += 1;
      return { kind: "empty" };
    }
    if (/[1-9k]/.test(this.source[this.at] ?? "")) throw new Error("reference");
    const { takes, unit, length } = escaped(this.source, this.at);
    this.at += length;
    return takes ? this.one(takes) : this.unit(unit);
  }

  /** @returns {Takes} */
  set() {
    const isNegated = this.accept("^");
    const { takes, length } = ranges(this.source, this.at, this.isCaseless);
    this.at += length;
    return isNegated ? (unit) => !takes(unit) : takes;
  }
}

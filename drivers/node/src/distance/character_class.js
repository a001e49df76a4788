/** Escapes and sets of characters in regular expressions. */

/** @typedef {(unit: number) => boolean} Takes */

/** @param {number} unit */
const isDigit = (unit) => unit >= 48 && unit <= 57;
/** @param {number} unit */
const isWord = (unit) => /\w/.test(String.fromCharCode(unit));
/** @param {number} unit */
const isSpace = (unit) => /\s/.test(String.fromCharCode(unit));

/** @type {Record<string, Takes>} */
const CLASSES = {
  d: isDigit,
  D: (unit) => !isDigit(unit),
  w: isWord,
  W: (unit) => !isWord(unit),
  s: isSpace,
  S: (unit) => !isSpace(unit),
};

/** @type {Record<string, number>} */
const CONTROLS = { n: 10, r: 13, t: 9, v: 11, f: 12, 0: 0 };

/**
 * What stands behind a backslash.
 *
 * @param {string} source
 * @param {number} at
 * @returns {{takes?: Takes, unit: number, length: number}}
 */
export function escaped(source, at) {
  const letter = source[at] ?? "";
  const takes = CLASSES[letter];
  if (takes) return { takes, unit: 0, length: 1 };
  const control = CONTROLS[letter];
  if (control !== undefined) return { unit: control, length: 1 };
  const code = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i.exec(source.slice(at, at + 5));
  if (code) return { unit: parseInt(code[1] ?? code[2] ?? "", 16), length: code[0].length };
  if (/[pPuc]/.test(letter)) throw new Error("unknown class");
  return { unit: source.charCodeAt(at), length: 1 };
}

/**
 * The inside of square brackets, up to and with the closing one.
 *
 * @param {string} source
 * @param {number} start
 * @param {boolean} isCaseless
 * @returns {{takes: Takes, length: number}}
 */
export function ranges(source, start, isCaseless) {
  /** @type {Takes[]} */
  const parts = [];
  let at = start;
  const next = () => {
    if (source[at] === "\\") {
      const found = escaped(source, at + 1);
      at += 1 + found.length;
      return found;
    }
    return { unit: source.charCodeAt(at++), length: 1 };
  };
  while (at < source.length && source[at] !== "]") {
    const low = /** @type {ReturnType<typeof escaped>} */ (next());
    const isRange = !low.takes && source[at] === "-" && source[at + 1] !== "]";
    if (low.takes) {
      parts.push(low.takes);
    } else if (isRange) {
      at += 1;
      parts.push(between(low.unit, next().unit, isCaseless));
    } else {
      parts.push(between(low.unit, low.unit, isCaseless));
    }
  }
  if (at >= source.length) throw new Error("unbalanced");
  return { takes: (unit) => parts.some((takes) => takes(unit)), length: at + 1 - start };
}

/**
 * @param {number} low
 * @param {number} high
 * @param {boolean} isCaseless the text is in lower case then
 * @returns {Takes}
 */
function between(low, high, isCaseless) {
  if (!isCaseless) return (unit) => unit >= low && unit <= high;
  return (unit) => {
    const upper = String.fromCharCode(unit).toUpperCase().charCodeAt(0);
    return (unit >= low && unit <= high) || (upper >= low && upper <= high);
  };
}

/**
 * Tainted texts: an engine sends values like `_EM_7_XYZ_`, and what the code does with them says
 * what it should send instead.
 */

/** Length of the shortest tainted text. */
const SHORTEST = 10;
/** Longest text that is looked at; longer ones come from no gene. */
const LONGEST = 2_048;
/** Shortest announced input that counts as a part of a text: shorter ones are found everywhere. */
const SHORTEST_PART = 6;

const TOKEN = /_EM_\d+_XYZ_/i;
const exec = RegExp.prototype.exec;

/** @type {string[]} texts that the engine announced */
let inputs = [];

/** @param {string[]} texts further texts to treat as tainted */
export function announce(texts) {
  inputs = texts;
}

/** @typedef {{text: string, token: string}} Taint */

/**
 * @param {unknown} value
 * @returns {Taint | undefined} the first tainted value in a text
 */
export function find(value) {
  if (typeof value !== "string" || value.length > LONGEST) return undefined;
  if (value.length >= SHORTEST) {
    const found = exec.call(TOKEN, value);
    if (found) return { text: value, token: found[0] };
  }
  return inputs.length ? announced(value) : undefined;
}

/**
 * @param {string} text
 * @returns {Taint | undefined}
 */
function announced(text) {
  for (const input of inputs) {
    if (input === text || (input.length >= SHORTEST_PART && text.includes(input))) {
      return { text, token: input };
    }
  }
  return undefined;
}

/**
 * Another tainted value, for the other side of a separator: both can then be told apart.
 *
 * @param {Taint} taint
 */
export function sibling({ token }) {
  return token.replace(/_xyz_$/i, (end) => `0${end}`);
}

/**
 * Whether the code changed the case of the value: then that of a constant is free.
 *
 * @param {Taint} taint
 */
export function hasChangedCase({ token }) {
  return TOKEN.test(token) && /[a-z]/.test(token);
}

/** Pieces of SQL texts: enough to tell names, constants and parameters from all else. */

/**
 * @typedef {"sqlite" | "postgresql" | "mysql"} Dialect
 * @typedef {"text" | "number" | "word" | "name" | "parameter" | "hole" | "space" | "other"} Kind
 *   `name`: between quotes; `hole`: a place for a constant, see `Template`
 * @typedef {{kind: Kind, text: string, at: number}} Token `at`: where it begins
 */

/** Stands on both sides of the number of a hole. No statement has this character. */
export const HOLE = "\u0001";

const OPERATOR = /<=>|<->|->>|#>>|!~\*|<>|<=|>=|!=|==|->|#>|@>|<@|\|\||&&|::|:=|~\*|!~|[^\s\w]/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SPACE = /\s+|--[^\n]*\n?|\/\*[^]*?(?:\*\/|$)/y;
const HOLES = new RegExp(`${HOLE}\\d+${HOLE}`, "y");
const DOLLAR_TEXT = /\$(\w*)\$[^]*?(?:\$\1\$|$)/y;

const QUOTED = /'(?:[^']|'')*'?/y;
const ESCAPED = /'(?:[^'\\]|''|\\[^])*'?/y;
const NAME = /"(?:[^"]|"")*"?|`(?:[^`]|``)*`?/y;
const IN_BRACKETS = /\[[^\]]*\]?/y;

/** @type {Record<Dialect, RegExp>} */
const PARAMETER = {
  sqlite: /\?\d*|[:@$]\w+/y,
  postgresql: /\$\d+/y,
  mysql: /\?|:[A-Za-z_]\w*/y,
};

/** @type {Record<Dialect, [Kind, RegExp][]>} what is tried in this order */
const RULES = { sqlite: rules("sqlite"), postgresql: rules("postgresql"), mysql: rules("mysql") };

/**
 * @param {Dialect} dialect
 * @returns {[Kind, RegExp][]}
 */
function rules(dialect) {
  /** @type {[Kind, RegExp][]} */
  const first = [
    ["space", SPACE],
    ["hole", HOLES],
    ["text", dialect === "mysql" ? ESCAPED : QUOTED],
    // MySQL's texts may stand between double quotes, but those of object mappers do not.
    ["name", NAME],
  ];
  if (dialect === "sqlite") first.push(["name", IN_BRACKETS]);
  if (dialect === "postgresql") first.push(["other", /[eE]'(?:[^'\\]|''|\\[^])*'?/y]);
  if (dialect === "postgresql") first.push(["other", DOLLAR_TEXT]);
  return [
    ...first,
    // A blob.
    ["other", /[xXbB]'[^']*'?/y],
    ["other", /::/y],
    ["parameter", PARAMETER[dialect]],
    ["other", /0[xX][\da-fA-F]+/y],
    ["number", NUMBER],
    ["word", WORD],
    ["other", OPERATOR],
    ["other", /[^]/y],
  ];
}

/**
 * @param {string} text
 * @param {Dialect} dialect
 * @returns {Token[]} together they are the text
 */
export function tokens(text, dialect) {
  /** @type {Token[]} */
  const found = [];
  let at = 0;
  while (at < text.length) {
    for (const [kind, rule] of RULES[dialect]) {
      rule.lastIndex = at;
      const match = rule.exec(text);
      if (!match?.[0]) continue;
      found.push({ kind, text: match[0], at });
      at += match[0].length;
      break;
    }
  }
  return found;
}

/**
 * @param {Token | undefined} token
 * @returns {string} a keyword in capitals; a quoted name is none
 */
export function keyword(token) {
  return token?.kind === "word" ? token.text.toUpperCase() : "";
}

/**
 * @param {Token | undefined} token
 * @returns {boolean} whether it may name a table or a column
 */
export function isName(token) {
  return token?.kind === "word" || token?.kind === "name";
}

/**
 * @param {Token} token
 * @returns {string} the name without quotes
 */
export function nameOf({ kind, text }) {
  if (kind !== "name") return text;
  const quote = text[0] ?? "";
  const inner = text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}

/**
 * Conditions as trees whose leaves are single comparisons.
 *
 * @typedef {import("./reader.js").Range} Range
 * @typedef {import("./reader.js").Reader} Reader
 * @typedef {(
 *   | {kind: "and" | "or", parts: Condition[]}
 *   | {kind: "not", part: Condition}
 *   | {kind: "compared", left: Range, operator: string, right: Range}
 *   | {kind: "between", value: Range, low: Range, high: Range}
 *   | {kind: "list", value: Range, elements: Range[]}
 *   | {kind: "any", value: Range, operator: string, list: Range}
 *   | {kind: "like", value: Range, pattern: Range, escape: Range | undefined}
 *   | {kind: "query", query: Range}
 *   | {kind: "other"}
 * ) & {range: Range, isNegated?: boolean}} Condition `range` is all of it, `isNegated` says that a NOT
 *   is inside, as in NOT BETWEEN
 */

const COMPARISONS = new Map([
  ["=", "="],
  ["==", "="],
  ["<>", "<>"],
  ["!=", "<>"],
  ["<", "<"],
  ["<=", "<="],
  [">", ">"],
  [">=", ">="],
]);

/**
 * @param {Reader} reader
 * @param {Range} range
 * @returns {Condition}
 */
export function condition(reader, range) {
  const bare = reader.bare(range);
  if (bare[0] !== range[0] && reader.isQuery(bare)) return { kind: "other", range };
  const places = outsideOfCases(reader, bare);
  for (const kind of /** @type {const} */ (["or", "and"])) {
    const ends = kind === "or" ? ors(reader, places) : ands(reader, places);
    if (!ends.length) continue;
    const parts = reader.parts(bare, ends).map((part) => condition(reader, part));
    return { kind, parts, range: bare };
  }
  if (reader.word(bare[0]) === "NOT") {
    const part = condition(reader, [bare[0] + 1, bare[1]]);
    return { kind: "not", part, range: bare };
  }
  return leaf(reader, bare, places);
}

/**
 * @param {Reader} reader
 * @param {Range} range
 */
function outsideOfCases(reader, range) {
  let depth = 0;
  return reader.top(range).filter((at) => {
    const word = reader.word(at);
    if (word === "CASE") depth += 1;
    const isOutside = depth === 0;
    if (word === "END" && depth) depth -= 1;
    return isOutside;
  });
}

/**
 * @param {Reader} reader
 * @param {number[]} places
 */
function ors(reader, places) {
  return places.filter((at) => reader.word(at) === "OR");
}

/**
 * @param {Reader} reader
 * @param {number[]} places
 */
function ands(reader, places) {
  let isBetween = false;
  return places.filter((at) => {
    const word = reader.word(at);
    if (word === "BETWEEN") isBetween = true;
    if (word !== "AND") return false;
    const isOwn = !isBetween;
    isBetween = false;
    return isOwn;
  });
}

/**
 * @param {Reader} reader
 * @param {Range} range without AND and OR
 * @param {number[]} places of it
 * @returns {Condition}
 */
function leaf(reader, range, places) {
  const [from, to] = range;
  if (reader.word(from) === "EXISTS") {
    return { kind: "query", query: reader.bare([from + 1, to]), range };
  }
  const word = /^(BETWEEN|IN|LIKE|ILIKE)$/;
  const at = places.find((place) => word.test(reader.word(place)));
  if (at !== undefined) {
    const isNegated = reader.word(at - 1) === "NOT";
    const found = worded(reader, [from, isNegated ? at - 1 : at], at, to, places);
    return found ? { ...found, range, isNegated } : { kind: "other", range };
  }
  const operators = places.filter((place) => COMPARISONS.has(operatorAt(reader, place)));
  const [place] = operators;
  if (operators.length !== 1 || place === undefined) return { kind: "other", range };
  const operator = COMPARISONS.get(operatorAt(reader, place)) ?? "=";
  const quantity = /^(ANY|ALL|SOME)$/.exec(reader.word(place + 1))?.[0];
  if (quantity) {
    const list = reader.bare([place + 2, to]);
    const isArray = quantity !== "ALL" && list[0] > place + 2 && !reader.isQuery(list);
    return isArray
      ? { kind: "any", value: [from, place], operator, list, range }
      : { kind: "other", range };
  }
  return { kind: "compared", left: [from, place], operator, right: [place + 1, to], range };
}

/**
 * @param {Reader} reader
 * @param {Range} value left of the word
 * @param {number} at where the word stands
 * @param {number} to
 * @param {number[]} places
 * @returns {any}
 */
function worded(reader, value, at, to, places) {
  switch (reader.word(at)) {
    case "BETWEEN": {
      const and = places.find((place) => place > at && reader.word(place) === "AND");
      if (and === undefined) return undefined;
      return { kind: "between", value, low: [at + 1, and], high: [and + 1, to] };
    }
    case "IN": {
      const inside = reader.bare([at + 1, to]);
      if (inside[0] === at + 1) return undefined;
      if (reader.isQuery(inside)) return { kind: "query", query: inside };
      const ends = reader.top(inside).filter((place) => reader.is(place, ","));
      return { kind: "list", value, elements: reader.parts(inside, ends) };
    }
    default: {
      const word = places.find((place) => reader.word(place) === "ESCAPE");
      const escape = word === undefined ? undefined : [word + 1, to];
      return { kind: "like", value, pattern: [at + 1, word ?? to], escape };
    }
  }
}

/**
 * @param {Reader} reader
 * @param {number} at
 */
function operatorAt(reader, at) {
  const token = reader.tokens[at];
  return token?.kind === "other" ? token.text : "";
}

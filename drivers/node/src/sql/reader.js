/**
 * Statements as pieces of their own text: where tables, joins and conditions stand.
 *
 * No grammar of SQL: the database reads expressions itself, in each dialect better than a parser
 * here could. What is not understood is left whole.
 */
import { isName, keyword, nameOf, tokens } from "./token.js";

/**
 * @typedef {import("./token.js").Token} Token
 * @typedef {[from: number, to: number]} Range of tokens
 * @typedef {object} Selection
 * @property {Range} head between SELECT and FROM
 * @property {string} plain what stands behind FROM
 * @property {string} rows the same, where inner joins are products
 * @property {Range[]} conditions of joins that became products, and of WHERE
 * @property {Range | undefined} where
 * @typedef {{name: string, alias: string}} TableUse
 */

const CLAUSES = /^(GROUP|HAVING|WINDOW|ORDER|LIMIT|OFFSET|FETCH|FOR|RETURNING)$/;
const COMBINED = /^(UNION|INTERSECT|EXCEPT)$/;
const JOIN_KIND = /^(NATURAL|LEFT|RIGHT|FULL|INNER|CROSS|OUTER|LATERAL|STRAIGHT_JOIN)$/;
const STATEMENT = /^(SELECT|INSERT|UPDATE|DELETE|REPLACE)$/;
const BEHIND_TABLE = /^(ON|USING|WHERE|SET|VALUES|SELECT|DEFAULT|JOIN|AS|NOT|INDEXED|FORCE|USE)$/;

export class Reader {
  /**
   * @param {string} text
   * @param {import("./token.js").Dialect} dialect
   */
  constructor(text, dialect) {
    this.text = text;
    this.dialect = dialect;
    this.tokens = tokens(text, dialect).filter(({ kind }) => kind !== "space");
    this.all = /** @type {Range} */ ([0, this.tokens.length]);
    /** @type {Map<number, number>} where a parenthesis closes */
    this.closing = new Map();
    /** @type {number[]} */
    const open = [];
    this.tokens.forEach(({ text, kind }, at) => {
      if (kind !== "other") return;
      if (text === "(") open.push(at);
      if (text === ")") this.closing.set(open.pop() ?? -1, at);
    });
  }

  /** @param {number} at */
  word(at) {
    return keyword(this.tokens[at]);
  }

  /**
   * @param {number} at
   * @param {string} text of an operator or parenthesis
   */
  is(at, text) {
    const token = this.tokens[at];
    return token?.kind === "other" && token.text === text;
  }

  /** @param {Range} range */
  slice([from, to]) {
    const [first, last] = [this.tokens[from], this.tokens[to - 1]];
    return first && last && from < to ? this.text.slice(first.at, last.at + last.text.length) : "";
  }

  /**
   * The places of a range that are in no parentheses of it.
   *
   * @param {Range} range
   * @returns {number[]}
   */
  top([from, to]) {
    /** @type {number[]} */
    const places = [];
    for (let at = from; at < to; at += 1) {
      places.push(at);
      const end = this.is(at, "(") ? this.closing.get(at) : undefined;
      if (end !== undefined && end < to) at = end;
    }
    return places;
  }

  /**
   * @param {Range} range
   * @param {number[]} ends places between parts
   * @returns {Range[]}
   */
  parts([from, to], ends) {
    const starts = [from, ...ends.map((at) => at + 1)];
    return starts.map((start, index) => [start, ends[index] ?? to]);
  }

  /**
   * @param {Range} range
   * @returns {Range} without parentheses round all of it
   */
  bare([from, to]) {
    while (this.is(from, "(") && this.closing.get(from) === to - 1) [from, to] = [from + 1, to - 1];
    return [from, to];
  }

  /**
   * Whether a range is a query, without parentheses.
   *
   * @param {Range} range
   */
  isQuery([from]) {
    return /^(SELECT|WITH)$/.test(this.word(from));
  }

  /**
   * What stands before the statement proper, and where that begins; `tables` are the statements of
   * the common table expressions before it.
   *
   * @param {Range} range
   * @returns {{lead: string, body: Range, tables: Range[]}}
   */
  body([from, to]) {
    if (this.word(from) !== "WITH") return { lead: "", body: [from, to], tables: [] };
    const top = this.top([from, to]);
    const start = top.find((at) => STATEMENT.test(this.word(at))) ?? to;
    const lead = /** @type {Range} */ ([from, start]);
    const inside = top.filter((at) => at < start && this.is(at, "("));
    const bodies = inside.map((at) => /** @type {Range} */ ([at + 1, this.closing.get(at) ?? to]));
    const tables = bodies.filter(
      ([first]) => this.word(first) === "WITH" || STATEMENT.test(this.word(first)),
    );
    return { lead: this.isReading(lead) ? `${this.slice(lead)} ` : "", body: [start, to], tables };
  }

  /** @param {Range} range */
  isReading([from, to]) {
    const words = this.tokens.slice(from, to).map(keyword);
    return !words.some((word) => /^(INSERT|UPDATE|DELETE|REPLACE|MERGE)$/.test(word));
  }

  /**
   * The selections of a query; several where they are joined by UNION and the like.
   *
   * @param {Range} body
   * @returns {Selection[]}
   */
  selections(body) {
    const range = this.bare(body);
    const ends = this.top(range).filter((at) => COMBINED.test(this.word(at)));
    if (ends.length) return this.parts(range, ends).flatMap((part) => this.selections(part));
    const [from, to] = /^(ALL|DISTINCT)$/.test(this.word(range[0]))
      ? this.bare([range[0] + 1, range[1]])
      : range;
    if (this.word(from) !== "SELECT") return [];
    const top = this.top([from, to]);
    const isFrom = (/** @type {number} */ at) =>
      this.word(at) === "FROM" && this.word(at - 1) !== "DISTINCT";
    const tables = top.find(isFrom);
    if (tables === undefined) return [];
    const own = this.selection([from + 1, tables], [tables + 1, to]);
    // What only hands on the rows of another query is asked as that one.
    const inner = this.is(tables + 1, "(") ? this.closing.get(tables + 1) : undefined;
    if (inner === undefined || own.conditions.length) return [own];
    const isAlone = this.#isAlone([tables + 1, to], inner);
    const deeper = isAlone ? this.selections([tables + 2, inner]) : [];
    return deeper.length ? deeper : [own];
  }

  /**
   * @param {Range} rest behind FROM, which begins with a query in parentheses
   * @param {number} end of that
   * @returns {boolean} whether there are no other tables
   */
  #isAlone(rest, end) {
    const { plain } = this.selection(rest, rest);
    return !/[,]|\bJOIN\b/i.test(plain.slice(this.slice([rest[0], end + 1]).length));
  }

  /**
   * @param {Range} head
   * @param {Range} rest behind FROM
   * @returns {Selection}
   */
  selection(head, [from, to]) {
    const top = this.top([from, to]);
    const end = top.find((at) => CLAUSES.test(this.word(at))) ?? to;
    const where = top.find((at) => at < end && this.word(at) === "WHERE");
    const tables = /** @type {Range} */ ([from, where ?? end]);
    /** @type {Range | undefined} */
    const condition = where === undefined ? undefined : [where + 1, end];
    const { rows, conditions } = this.#product(tables);
    if (condition) conditions.push(condition);
    return { head, plain: this.slice(tables), rows, conditions, where: condition };
  }

  /**
   * The tables behind FROM without the conditions of joins; as they are where a join is of another
   * kind than the inner one.
   *
   * @param {Range} tables
   * @returns {{rows: string, conditions: Range[]}}
   */
  #product(tables) {
    const top = this.top(tables);
    const isPlain = !top.some(
      (at) => JOIN_KIND.test(this.word(at)) && !/^(INNER|CROSS)$/.test(this.word(at)),
    );
    if (!isPlain || top.some((at) => this.word(at) === "USING")) {
      return { rows: this.slice(tables), conditions: [] };
    }
    const ends = top.filter((at) => this.is(at, ",") || this.word(at) === "JOIN");
    /** @type {Range[]} */
    const conditions = [];
    const relations = this.parts(tables, ends).map(([from, to]) => {
      const isKind = /^(INNER|CROSS)$/.test(this.word(to - 1));
      const on = this.top([from, to]).find((at) => this.word(at) === "ON");
      const end = isKind ? to - 1 : to;
      if (on !== undefined) conditions.push([on + 1, end]);
      return this.slice([from, on ?? end]);
    });
    return { rows: relations.join(" CROSS JOIN "), conditions };
  }

  /**
   * A name, which may be qualified.
   *
   * @param {number} at
   * @returns {{parts: string[], end: number} | undefined}
   */
  name(at) {
    const parts = [];
    for (; isName(this.tokens[at]); at += 2) {
      parts.push(nameOf(/** @type {Token} */ (this.tokens[at])));
      if (!this.is(at + 1, ".")) return { parts, end: at + 1 };
    }
    return undefined;
  }

  /**
   * A table with its alias.
   *
   * @param {number} at
   * @returns {TableUse | undefined}
   */
  table(at) {
    const name = this.name(this.word(at) === "ONLY" ? at + 1 : at);
    if (!name) return undefined;
    const next = this.word(name.end) === "AS" ? name.end + 1 : name.end;
    const isAlias =
      isName(this.tokens[next]) &&
      ![BEHIND_TABLE, CLAUSES, COMBINED, JOIN_KIND].some((words) => words.test(this.word(next)));
    const own = name.parts.at(-1) ?? "";
    const alias = isAlias ? nameOf(/** @type {Token} */ (this.tokens[next])) : own;
    return { name: own, alias };
  }
}

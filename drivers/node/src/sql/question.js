/**
 * From a statement to a question for the database: how near does any row come to the condition?
 *
 * The database itself is the judge. It is asked, for each row, whether each comparison is true, and
 * for both of its sides: joins, collations and types mean exactly what they mean to the service.
 * A conjunction is the mean of its parts, a disjunction the smallest; negations go inwards.
 */
import { condition } from "./condition.js";
import { comparison, pattern } from "./distance.js";
import { Reader } from "./reader.js";

/**
 * @typedef {import("./condition.js").Condition} Condition
 * @typedef {import("./reader.js").Range} Range
 * @typedef {import("./reader.js").Selection} Selection
 * @typedef {unknown[]} Row
 * @typedef {(row: Row, inner: (number | undefined)[]) => number} Measure `inner` are the distances
 *   of sub-queries
 */

/** Rows that are looked at for one statement. */
export const MOST_ROWS = 1_000;
/** Elements of a list that are compared. */
const MOST_ELEMENTS = 30;
/** What is not true is never at distance 0. */
const NEAREST = 1e-9;

/** @type {Record<string, string>} what holds where an operator does not */
const NEGATED = { "=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">" };

export class Question {
  /**
   * @param {Reader} reader
   * @param {string} lead common table expressions
   * @param {Selection} selection
   */
  constructor(reader, lead, selection) {
    this.reader = reader;
    this.lead = lead;
    /** @type {string[]} */
    this.columns = [];
    /** @type {Question[][]} those of sub-queries */
    this.inner = [];
    const trees = selection.conditions.map((range) => condition(reader, range));
    this.measure = mean(trees.map((tree) => this.#distance(tree, true)));
    const columns = this.columns.map((column, at) => `${column} AS c${at}`).join(", ") || "1 AS c0";
    /** Gives the values of rows. */
    this.text = `${lead}SELECT ${columns} FROM ${selection.rows} LIMIT ${MOST_ROWS}`;
    const where = selection.where ? ` WHERE ${reader.slice(selection.where)}` : "";
    /** Gives a row if one meets the condition, whatever their number. */
    this.exact = `${lead}SELECT 1 AS c0 FROM ${selection.plain}${where} LIMIT 1`;
  }

  /** @param {Range} range */
  #value(range) {
    const { reader } = this;
    // Texts of PostgreSQL say all that is needed, whatever the type.
    return this.#column(
      `(${reader.slice(range)})${reader.dialect === "postgresql" ? "::text" : ""}`,
    );
  }

  /**
   * @param {string} text
   * @returns {number} its place in a row
   */
  #column(text) {
    const known = this.columns.indexOf(text);
    return known >= 0 ? known : this.columns.push(text) - 1;
  }

  /**
   * 0 where the database says that the condition is as wanted, and otherwise as said.
   *
   * @param {Range} range
   * @param {boolean} isWanted
   * @param {Measure} otherwise
   * @returns {Measure}
   */
  #unless(range, isWanted, otherwise) {
    const not = isWanted ? "" : "NOT ";
    const text = this.reader.slice(range);
    const truth = this.#column(`CASE WHEN ${not}(${text}) THEN 1 ELSE 0 END`);
    return (row, inner) => {
      return Number(row[truth]) === 1 ? 0 : Math.max(NEAREST, otherwise(row, inner));
    };
  }

  /**
   * @param {Condition} tree
   * @param {boolean} isWanted
   * @returns {Measure}
   */
  #distance(tree, isWanted) {
    const { range } = tree;
    const holds = isWanted !== Boolean(tree.isNegated);
    switch (tree.kind) {
      case "not":
        return this.#distance(tree.part, !isWanted);
      case "and":
      case "or": {
        const parts = tree.parts.map((part) => this.#distance(part, isWanted));
        return (tree.kind === "and") === isWanted ? mean(parts) : least(parts);
      }
      case "compared": {
        const operator = isWanted ? tree.operator : (NEGATED[tree.operator] ?? "=");
        return this.#unless(range, isWanted, this.#compared(tree.left, operator, tree.right));
      }
      case "between": {
        const [low, high] = holds ? [">=", "<="] : ["<", ">"];
        const parts = [
          this.#bound(tree.value, low, tree.low),
          this.#bound(tree.value, high, tree.high),
        ];
        return this.#unless(range, isWanted, holds ? mean(parts) : least(parts));
      }
      case "list": {
        const { value, elements } = tree;
        const operator = holds ? "=" : "<>";
        const parts = elements
          .slice(0, MOST_ELEMENTS)
          .map((element) => this.#compared(value, operator, element));
        return this.#unless(range, isWanted, holds ? least(parts) : mean(parts));
      }
      case "any":
        return this.#unless(range, isWanted, isWanted ? this.#any(tree) : far);
      case "like":
        return this.#unless(range, isWanted, holds ? this.#like(tree) : far);
      case "query":
        return this.#unless(range, isWanted, holds ? this.#query(tree.query) : far);
      default:
        return this.#unless(range, isWanted, far);
    }
  }

  /**
   * @param {Range} left
   * @param {string} operator
   * @param {Range} right
   * @returns {Measure}
   */
  #compared(left, operator, right) {
    const [one, other] = [this.#value(left), this.#value(right)];
    return (row) => comparison(operator, row[one], row[other]);
  }

  /**
   * A comparison with what is in an array.
   *
   * @param {{value: Range, operator: string, list: Range}} tree
   * @returns {Measure}
   */
  #any({ value, operator, list }) {
    const [one, other] = [this.#value(value), this.#value(list)];
    return (row) => {
      const elements = elementsOf(row[other]).slice(0, MOST_ELEMENTS);
      return Math.min(1, ...elements.map((element) => comparison(operator, row[one], element)));
    };
  }

  /**
   * One side of an interval, which may hold already.
   *
   * @param {Range} value
   * @param {string} operator
   * @param {Range} bound
   * @returns {Measure}
   */
  #bound(value, operator, bound) {
    const [one, other] = [this.#value(value), this.#value(bound)];
    const texts = [value, bound].map((range) => `(${this.reader.slice(range)})`);
    const truth = this.#column(`CASE WHEN ${texts.join(operator)} THEN 1 ELSE 0 END`);
    return (row) => (Number(row[truth]) === 1 ? 0 : comparison(operator, row[one], row[other]));
  }

  /**
   * @param {{value: Range, pattern: Range, escape: Range | undefined}} tree
   * @returns {Measure}
   */
  #like(tree) {
    const [value, wanted] = [this.#value(tree.value), this.#value(tree.pattern)];
    const escape = tree.escape ? this.#value(tree.escape) : -1;
    return (row) => {
      const character = row[escape];
      return pattern(
        row[value],
        row[wanted],
        typeof character === "string" ? character : undefined,
      );
    };
  }

  /**
   * A sub-query, by itself: what refers to the row outside cannot be asked, and is far.
   *
   * @param {Range} query
   * @returns {Measure}
   */
  #query(query) {
    const at = this.inner.push(questions(this.reader, query, this.lead)) - 1;
    return (_, inner) => Math.min((inner[at] ?? 1) * 0.9 + 0.1, 1);
  }
}

/**
 * The questions about a query.
 *
 * @param {Reader} reader
 * @param {Range} query
 * @param {string} [outer] common table expressions round it
 * @returns {Question[]}
 */
export function questions(reader, query, outer = "") {
  const { lead, body, tables } = reader.body(query);
  // A statement that changes something is never executed again.
  const isReading = tables.every((table) => reader.isReading(table));
  const selections = isReading ? reader.selections(body) : [];
  if (selections.length) {
    return selections.map((selection) => new Question(reader, lead || outer, selection));
  }
  return tables.flatMap((table, at) => {
    /** @type {Range} */
    const before = [query[0], (tables[at - 1]?.[1] ?? query[0] - 1) + 1];
    const known = reader.isReading(before) ? reader.slice(before) : "";
    const isChange = /^(UPDATE|DELETE)$/.test(reader.word(table[0]));
    const prefix = known ? `${known} ` : outer;
    return isChange ? change(reader, table, prefix) : questions(reader, table, prefix);
  });
}

/**
 * The question about a change, as a selection of the rows that it would change.
 *
 * @param {Reader} reader
 * @param {Range} body
 * @param {string} lead
 * @returns {Question[]} none where other tables take part
 */
export function change(reader, body, lead) {
  const top = reader.top(body);
  const find = (/** @type {string} */ word) => top.find((at) => reader.word(at) === word);
  const [from, set, where = body[1]] = [find("FROM"), find("SET"), find("WHERE")];
  const isUpdate = reader.word(body[0]) === "UPDATE";
  if (isUpdate ? from !== undefined : find("USING") !== undefined) return [];
  const end = find("RETURNING") ?? body[1];
  const start = isUpdate ? body[0] + 1 : (from ?? body[0]) + 1;
  const tables = reader.slice([start, isUpdate ? (set ?? where) : Math.min(where, end)]);
  const rest = reader.slice([where, end]);
  const selection = new Reader(`${lead}SELECT 1 FROM ${tables} ${rest}`, reader.dialect);
  return questions(selection, selection.all);
}

/**
 * @param {unknown} array as the package reads it, or the text of one whose type was left open
 * @returns {unknown[]} nulls left out
 */
function elementsOf(array) {
  if (Array.isArray(array)) return array.flat(Infinity).filter((element) => element !== null);
  if (typeof array !== "string") return [];
  const found = [...array.matchAll(/"((?:[^"\\]|\\[^])*)"|[^,{}\s][^,{}]*/g)];
  return found.flatMap(([text, quoted]) => {
    if (quoted !== undefined) return [quoted.replace(/\\([^])/g, "$1")];
    return text.toUpperCase() === "NULL" ? [] : [text];
  });
}

/** @type {Measure} */
const far = () => 1;

/**
 * @param {Measure[]} parts
 * @returns {Measure} 0 of none
 */
function mean(parts) {
  return (row, inner) =>
    parts.reduce((sum, part) => sum + part(row, inner), 0) / (parts.length || 1);
}

/**
 * @param {Measure[]} parts
 * @returns {Measure} 1 of none
 */
function least(parts) {
  return (row, inner) => parts.reduce((best, part) => Math.min(best, part(row, inner)), 1);
}

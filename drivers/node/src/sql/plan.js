/** What there is to know of a statement, whatever its constants. */
import { change, questions } from "./question.js";
import { Reader } from "./reader.js";

/**
 * @typedef {import("./reader.js").Range} Range
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {Record<string, string[]>} Columns by table
 */

const HOUSEKEEPING =
  /^(BEGIN|START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|END|SET|SHOW|ATTACH|DETACH|VACUUM|ANALYZE|EXPLAIN|LISTEN|DISCARD|DEALLOCATE)$/;
const DEFINITION = /^(CREATE|ALTER|DROP|RENAME)$/;
/** What ends a condition. */
const CONDITION_END =
  /^(SELECT|FROM|JOIN|INNER|LEFT|RIGHT|FULL|CROSS|GROUP|HAVING|WINDOW|ORDER|LIMIT|OFFSET|RETURNING|SET|UNION|INTERSECT|EXCEPT)$/;

export class Plan {
  /**
   * @param {string} text of one statement
   * @param {import("./token.js").Dialect} dialect
   * @param {Schema} schema
   */
  constructor(text, dialect, schema) {
    this.reader = new Reader(text, dialect);
    this.schema = schema;
    const { body } = this.reader.body(this.reader.all);
    this.body = body;
    const verb = this.reader.word(this.reader.bare(body)[0]);
    this.isHousekeeping = HOUSEKEEPING.test(verb);
    this.isDefinition = DEFINITION.test(verb);
    /** @type {Map<string, string>} names of tables by alias, in lower case */
    this.aliases = new Map();
    /** @type {Set<string>} tables that are read */
    this.tables = new Set();
    /** @type {Set<string>} tables that are written */
    this.written = new Set();
    /** @type {Columns} */
    this.queried = {};
    /** @type {Columns} */
    this.inserted = {};
    /** @type {Columns} */
    this.updated = {};
    /** @type {Set<string>} */
    this.deleted = new Set();
    this.#findTables();
    this.isWriting = this.written.size > 0 || /^(INSERT|REPLACE|UPDATE|DELETE|MERGE)$/.test(verb);
    /** Whether it changes no row that was there. */
    this.isAdding = verb === "INSERT" && !this.#says(/^(UPDATE|REPLACE|DELETE|TRUNCATE)$/);
    /** Whether it writes no other tables than those that were found. */
    this.isKnown =
      this.written.size > 0 || this.isHousekeeping || /^(SELECT|VALUES|WITH)$/.test(verb);
    if (!this.isWriting) for (const table of this.tables) this.queried[table] = ["*"];
    const isAsking = /^(SELECT|UPDATE|DELETE)$/.test(verb) && this.tables.size > 0;
    this.questions = isAsking ? this.#questions(verb) : [];
    this.isAsking = isAsking;
    this.missing = isAsking ? this.#missing() : {};
    /** Whether a row that comes back met the condition. */
    this.tellsByRows = verb === "SELECT" && this.#isPlain();
  }

  /** @param {RegExp} words */
  #says(words) {
    return this.reader.tokens.some((_, at) => words.test(this.reader.word(at)));
  }

  #findTables() {
    const { reader } = this;
    reader.tokens.forEach((_, at) => {
      switch (reader.word(at)) {
        case "FROM":
          if (reader.word(at - 1) === "DELETE") this.#write(at + 1, (table) => this.#delete(table));
          else if (reader.word(at - 1) !== "DISTINCT") this.#readList(at + 1);
          break;
        case "JOIN":
          this.#read(at + 1);
          break;
        case "INTO":
          this.#write(at + 1, (table, end) => (this.inserted[table] = this.#given(end)));
          break;
        case "UPDATE":
          // MySQL's ON DUPLICATE KEY UPDATE names no table.
          if (!/^(FOR|DO|ON|KEY)$/.test(reader.word(at - 1))) this.#update(at);
          break;
        case "TRUNCATE":
          this.#write(reader.word(at + 1) === "TABLE" ? at + 2 : at + 1, () => {});
          break;
      }
    });
  }

  /** @param {number} at */
  #read(at) {
    const use = this.reader.table(at);
    const known = use && this.schema.table(use.name)?.name;
    if (!use || !known) return;
    this.aliases.set(use.alias.toLowerCase(), known);
    if (!this.aliases.has(known.toLowerCase())) this.aliases.set(known.toLowerCase(), known);
    this.tables.add(known);
  }

  /** @param {number} from of the tables behind FROM */
  #readList(from) {
    const { reader } = this;
    const rest = reader.top([from, reader.tokens.length]);
    this.#read(from);
    for (const at of rest) {
      const word = reader.word(at);
      if (reader.is(at, ")") || /^(WHERE|GROUP|ORDER|LIMIT|UNION|SELECT|SET)$/.test(word)) break;
      if (reader.is(at, ",")) this.#read(at + 1);
    }
  }

  /**
   * @param {number} at
   * @param {(table: string, end: number) => void} note
   */
  #write(at, note) {
    const name = this.reader.name(this.reader.word(at) === "ONLY" ? at + 1 : at);
    if (!name) return;
    const own = name.parts.at(-1) ?? "";
    const table = this.schema.table(own)?.name ?? own;
    this.written.add(table);
    note(table, name.end);
  }

  /** @param {string} table */
  #delete(table) {
    this.deleted.add(table);
    this.tables.add(table);
    this.aliases.set(table.toLowerCase(), table);
  }

  /** @param {number} at of the word UPDATE */
  #update(at) {
    const { reader } = this;
    // SQLite's UPDATE OR IGNORE.
    const from = reader.word(at + 1) === "OR" ? at + 3 : at + 1;
    this.#write(from, (table) => {
      this.#read(from);
      const set = reader.top([from, reader.tokens.length]);
      const start = set.find((place) => reader.word(place) === "SET");
      if (start === undefined) return;
      const end = set.find((place) => place > start && /^(WHERE|FROM)$/.test(reader.word(place)));
      this.updated[table] = this.#names([start + 1, end ?? reader.tokens.length]);
    });
  }

  /**
   * @param {number} at where a list in parentheses may stand, or MySQL's SET
   * @returns {string[]} its names
   */
  #given(at) {
    const { reader } = this;
    if (reader.word(at) === "SET") return this.#names([at + 1, reader.tokens.length]);
    const end = reader.is(at, "(") ? reader.closing.get(at) : undefined;
    if (end === undefined || reader.isQuery([at + 1, end])) return [];
    return this.#names([at + 1, end]);
  }

  /**
   * @param {Range} range
   * @returns {string[]} the names that the parts between its commas begin with
   */
  #names(range) {
    const { reader } = this;
    const commas = reader.top(range).filter((place) => reader.is(place, ","));
    const names = reader.parts(range, commas).map(([first]) => reader.name(first)?.parts.at(-1));
    return names.filter((name) => name !== undefined);
  }

  /** @param {string} verb */
  #questions(verb) {
    const { reader, body } = this;
    if (verb === "SELECT") return questions(reader, reader.all);
    return change(reader, body, reader.body(reader.all).lead);
  }

  /** @returns {Columns} what would have to be in which table, if no row meets the condition */
  #missing() {
    /** @type {Columns} */
    const missing = {};
    for (const table of this.tables) missing[table] = [];
    for (const { parts } of this.#conditionNames()) {
      const column = parts.at(-1) ?? "";
      const table = this.#tableOf(parts.at(-2), column);
      const known = table && this.schema.table(table)?.column(column);
      if (table && known && !missing[table]?.includes(known)) missing[table]?.push(known);
    }
    return missing;
  }

  /** Names in conditions, of the statement and of its sub-queries. */
  #conditionNames() {
    const { reader } = this;
    /** @type {{parts: string[], end: number}[]} */
    const names = [];
    /** @type {boolean[]} */
    const outside = [];
    let isInside = false;
    for (let at = 0; at < reader.tokens.length; at += 1) {
      const word = reader.word(at);
      if (word === "WHERE" || word === "ON") isInside = true;
      else if (CONDITION_END.test(word)) isInside = false;
      else if (reader.is(at, "(")) outside.push(isInside);
      else if (reader.is(at, ")")) isInside = outside.pop() ?? false;
      else if (isInside) {
        const name = reader.name(at);
        if (!name) continue;
        names.push(name);
        at = name.end - 1;
      }
    }
    return names;
  }

  /**
   * The table of a column: the one that is named, or the one that has it.
   *
   * @param {string | undefined} qualifier
   * @param {string} column
   */
  #tableOf(qualifier, column) {
    if (qualifier !== undefined) return this.aliases.get(qualifier.toLowerCase());
    return [...this.tables].find((table) => this.schema.table(table)?.column(column));
  }

  /** Whether no aggregate makes a row where there is none. */
  #isPlain() {
    const { reader, body } = this;
    const selections = reader.selections(body);
    if (!selections.length) return false;
    return selections.every(({ head: [from, to] }) => {
      return !reader.tokens.slice(from, to).some((_, at) => reader.is(from + at, "("));
    });
  }
}

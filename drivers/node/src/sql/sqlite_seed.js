/** The rows of the start of an SQLite database, and the way back to them. */
import { quotedName, quotedText } from "./template.js";

/**
 * @typedef {import("./schema.js").Schema} Schema
 */

/** @import {Steps} from "./steps.js" */

/** Rows of a table that are copied at most; larger tables are left as they are. */
export const MOST_COPIED = 100_000;

/** @param {string} name */
const quoted = (name) => quotedName(name, "sqlite");

const COUNTERS = "SELECT total_changes() AS c0, data_version AS c1 FROM pragma_data_version";
const TRIGGERS = "SELECT name AS c0, sql AS c1 FROM main.sqlite_master WHERE type = 'trigger'";

export class SqliteSeed {
  /**
   * @param {Schema} schema
   * @param {string} file that keeps the rows for the next process; empty for none
   */
  constructor(schema, file) {
    this.schema = schema;
    this.file = file;
    /** @type {Set<string>} tables whose rows are kept */
    this.kept = new Set();
    /** SQLite's counters of changes, after the last restoring. */
    this.counters = "";
    /** Whether another process kept the rows. */
    this.isInherited = false;
    /** @type {Map<string, number>} numbers given last by AUTOINCREMENT */
    this.sequences = new Map();
  }

  /**
   * Remembers the rows that are there.
   *
   * @returns {Steps<void>}
   */
  *take() {
    yield `ATTACH ${quotedText(this.file || ":memory:", "sqlite")} AS wallace_seed`;
    const known = yield "SELECT name AS c0 FROM wallace_seed.sqlite_master WHERE type = 'table'";
    const names = new Set(known.map((/** @type {any[]} */ [name]) => name));
    this.isInherited = names.has("wallace_complete");
    for (const { name } of this.schema.tables.values()) {
      if (this.isInherited ? names.has(name) : yield* this.#copy(name)) this.kept.add(name);
    }
    if (!this.isInherited) yield* this.#copySequences();
    const sequences = yield "SELECT name AS c0, seq AS c1 FROM wallace_seed.wallace_complete";
    for (const [name, number] of sequences) this.sequences.set(name, Number(number));
    this.counters = yield* counters();
  }

  /**
   * @param {string} name
   * @returns {Steps<boolean>} whether the table is small enough
   */
  *#copy(name) {
    const table = quoted(name);
    const most = `SELECT count(*) AS c0 FROM (SELECT 1 FROM main.${table} LIMIT ${MOST_COPIED + 1})`;
    const [[count]] = yield most;
    if (Number(count) > MOST_COPIED) return false;
    const columns = this.#columns(name);
    yield `CREATE TABLE wallace_seed.${table} AS SELECT ${columns} FROM main.${table}`;
    return true;
  }

  /** @returns {Steps<void>} */
  *#copySequences() {
    const has = yield "SELECT 1 AS c0 FROM main.sqlite_master WHERE name = 'sqlite_sequence'";
    const from = has.length ? "SELECT name, seq FROM main.sqlite_sequence" : "SELECT '', 0 LIMIT 0";
    yield "CREATE TABLE wallace_seed.wallace_complete (name, seq)";
    yield `INSERT INTO wallace_seed.wallace_complete ${from}`;
  }

  /**
   * Brings the rows back.
   *
   * @param {Set<string>} written tables that statements wrote
   * @param {boolean} isAll whether there may be more than those
   * @returns {Steps<void>}
   */
  *restore(written, isAll) {
    if (!written.size && !isAll && (yield* counters()) === this.counters) return;
    const triggers = yield TRIGGERS;
    const every = isAll || !written.size || triggers.length > 0;
    const names = every ? [...this.kept] : [...written].filter((name) => this.kept.has(name));
    if (names.length) yield* this.#restoreTables(names, triggers);
    this.counters = yield* counters();
  }

  /**
   * @param {string[]} names
   * @param {any[][]} triggers
   * @returns {Steps<void>}
   */
  *#restoreTables(names, triggers) {
    yield "SAVEPOINT wallace";
    try {
      // References are checked when all is there again.
      yield "PRAGMA defer_foreign_keys = ON";
      for (const [name] of triggers) yield `DROP TRIGGER main.${quoted(String(name))}`;
      for (const name of names) yield `DELETE FROM main.${quoted(name)}`;
      for (const name of names) {
        const [table, columns] = [quoted(name), this.#columns(name)];
        yield `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM wallace_seed.${table}`;
      }
      for (const [, sql] of triggers) yield String(sql);
      yield* this.#restoreSequences(names);
      yield "RELEASE wallace";
    } catch (error) {
      yield "ROLLBACK TO wallace";
      yield "RELEASE wallace";
      throw error;
    }
  }

  /**
   * @param {string[]} names
   * @returns {Steps<void>}
   */
  *#restoreSequences(names) {
    const has = yield "SELECT 1 AS c0 FROM main.sqlite_master WHERE name = 'sqlite_sequence'";
    if (!has.length) return;
    for (const name of names) {
      const text = quotedText(name, "sqlite");
      yield `DELETE FROM main.sqlite_sequence WHERE name = ${text}`;
      const number = this.sequences.get(name);
      if (number !== undefined)
        yield `INSERT INTO main.sqlite_sequence VALUES (${text}, ${number})`;
    }
  }

  /**
   * @param {string} name
   * @returns {string} the columns that hold values of their own
   */
  #columns(name) {
    const columns = this.schema.table(name)?.message.columns ?? [];
    return columns.map((column) => quoted(column.name)).join(", ");
  }
}

/** @returns {Steps<string>} */
function* counters() {
  const [row] = yield COUNTERS;
  return String(row);
}

/** The rows of the start of an SQLite database, and the way back to them. */
import { MOST_COPIED, Seed } from "./seed.js";
import { quotedText } from "./template.js";

/** @import {Steps} from "./steps.js" */

const COUNTERS = "SELECT total_changes() AS c0, data_version AS c1 FROM pragma_data_version";
const TRIGGERS = "SELECT name AS c0, sql AS c1 FROM main.sqlite_master WHERE type = 'trigger'";
const ATTACHED = "SELECT 1 AS c0 FROM pragma_database_list WHERE name = 'wallace_seed'";

export class SqliteSeed extends Seed {
  /**
   * @param {import("./schema.js").Schema} schema
   * @param {string} file that keeps the rows for the next process; empty for none
   */
  constructor(schema, file) {
    super("sqlite", schema, file);
    /** SQLite's counters of changes, after the last restoring. */
    this.counters = "";
    /** @type {Map<string, number>} numbers given last by AUTOINCREMENT */
    this.sequences = new Map();
  }

  /**
   * Remembers the rows that are there.
   *
   * @returns {Steps<void>}
   */
  *take() {
    yield* this.#attach();
    const known = yield "SELECT name AS c0 FROM wallace_seed.sqlite_master WHERE type = 'table'";
    const names = new Set(known.map((/** @type {any[]} */ [name]) => name));
    this.isInherited = names.has("wallace_complete");
    if (this.isInherited) {
      for (const { name } of this.schema.tables.values()) {
        if (names.has(copyOf(name))) this.kept.add(name);
      }
    } else {
      yield* this.#copyAll();
    }
    const sequences = yield "SELECT name AS c0, seq AS c1 FROM wallace_seed.wallace_complete";
    for (const [name, number] of sequences) this.sequences.set(name, Number(number));
    this.counters = yield* counters();
  }

  /**
   * Makes the copies known to the connection, which may be another one than the last time.
   *
   * @returns {Steps<void>}
   */
  *#attach() {
    if ((yield ATTACHED).length) return;
    yield `ATTACH ${quotedText(this.file || ":memory:", "sqlite")} AS wallace_seed`;
    yield "PRAGMA wallace_seed.synchronous = OFF";
  }

  /**
   * Copies all tables, or none: a process that is ended meanwhile leaves no half of them.
   *
   * @returns {Steps<void>}
   */
  *#copyAll() {
    yield "SAVEPOINT wallace";
    try {
      for (const { name } of this.schema.tables.values()) {
        if (yield* this.#copy(name)) this.kept.add(name);
      }
      yield* this.#copySequences();
    } catch (error) {
      yield "ROLLBACK TO wallace";
      throw error;
    } finally {
      yield "RELEASE wallace";
    }
  }

  /**
   * @param {string} name
   * @returns {Steps<boolean>} whether the table is small enough
   */
  *#copy(name) {
    const table = `main.${this.quoted(name)}`;
    const [[count]] = yield this.counting(table);
    if (Number(count) > MOST_COPIED) return false;
    yield `CREATE TABLE ${this.#copied(name)} AS SELECT ${this.columns(name)} FROM ${table}`;
    return true;
  }

  /** @param {string} name of the table */
  #copied(name) {
    return `wallace_seed.${this.quoted(copyOf(name))}`;
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
    if (names.length) yield* this.#restoreUnchecked(names, triggers);
    this.counters = yield* counters();
  }

  /**
   * References are not checked meanwhile: some forbid to delete a row even for a moment. Nor is the
   * disk waited for, which takes longer than all the rest.
   *
   * @param {string[]} names
   * @param {any[][]} triggers
   * @returns {Steps<void>}
   */
  *#restoreUnchecked(names, triggers) {
    yield* endTransaction();
    yield* this.#attach();
    const [[isChecked]] = yield "SELECT foreign_keys AS c0 FROM pragma_foreign_keys";
    const [[waits]] = yield "SELECT synchronous AS c0 FROM main.pragma_synchronous";
    if (Number(isChecked)) yield "PRAGMA foreign_keys = OFF";
    yield "PRAGMA main.synchronous = OFF";
    try {
      yield* this.#restoreTables(names, triggers);
    } finally {
      yield `PRAGMA main.synchronous = ${Number(waits)}`;
      if (Number(isChecked)) yield "PRAGMA foreign_keys = ON";
    }
  }

  /**
   * @param {string[]} names
   * @param {any[][]} triggers
   * @returns {Steps<void>}
   */
  *#restoreTables(names, triggers) {
    yield "SAVEPOINT wallace";
    try {
      for (const [name] of triggers) yield `DROP TRIGGER main.${this.quoted(String(name))}`;
      for (const name of names) yield `DELETE FROM main.${this.quoted(name)}`;
      for (const name of names) {
        const [table, columns] = [`main.${this.quoted(name)}`, this.columns(name)];
        yield `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${this.#copied(name)}`;
      }
      for (const [, sql] of triggers) yield String(sql);
      yield* this.#restoreSequences(names);
    } catch (error) {
      yield "ROLLBACK TO wallace";
      throw error;
    } finally {
      yield "RELEASE wallace";
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
}

/**
 * The copy of a table has a name of its own: SQLite looks for a table in attached databases too, and
 * one that the service has dropped must not be found there.
 *
 * @param {string} table
 */
function copyOf(table) {
  return `wallace ${table}`;
}

/**
 * Takes back a transaction that a test left open: its end would undo what is restored.
 *
 * @returns {Steps<void>}
 */
function* endTransaction() {
  try {
    yield "ROLLBACK";
  } catch {
    // There is none.
  }
}

/** @returns {Steps<string>} */
function* counters() {
  const [row] = yield COUNTERS;
  return String(row);
}

/** The rows of the start of a MySQL or MariaDB database, and the way back to them. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { MOST_COPIED, Seed } from "./seed.js";
import { literal } from "./template.js";

/**
 * @typedef {{rows: Record<string, string[]>, numbers: Record<string, number>}} Kept rows of tables
 *   as they are inserted, and the numbers that the database gives next
 */

/** @import {Steps} from "./steps.js" */

/** Characters of the rows of a table that are kept at most. */
const LARGEST = 64 << 20;
/** Rows that are inserted at once. */
const BATCH = 500;
/** Types whose values do not come as they go. */
const FOREIGN = /^(GEOMETRY|POINT|LINESTRING|POLYGON|MULTI\w+|GEOMETRYCOLLECTION)$/;
const TRIGGERS =
  "SELECT 1 AS c0 FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = DATABASE() LIMIT 1";
const NUMBERS = `SELECT TABLE_NAME AS c0, AUTO_INCREMENT AS c1 FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = DATABASE() AND AUTO_INCREMENT IS NOT NULL`;

export class MysqlSeed extends Seed {
  /**
   * @param {import("./schema.js").Schema} schema
   * @param {string} file that keeps the rows for the next process; empty for none
   */
  constructor(schema, file) {
    super("mysql", schema, file);
    /** @type {Kept} */
    this.state = { rows: {}, numbers: {} };
    this.isInherited = Boolean(file) && existsSync(file);
    this.hasTriggers = false;
  }

  /**
   * Remembers the rows that are there.
   *
   * @returns {Steps<void>}
   */
  *take() {
    yield* this.#prepare();
    if (this.isInherited) {
      this.state = JSON.parse(readFileSync(this.file, "utf8"));
    } else {
      for (const { name } of this.schema.tables.values()) yield* this.#copy(name);
      this.state.numbers = yield* this.#numbers();
      this.#keep();
    }
    this.kept = new Set(Object.keys(this.state.rows));
    this.hasTriggers = (yield TRIGGERS).length > 0;
  }

  /** @returns {Steps<void>} */
  *#prepare() {
    try {
      // MySQL 8 tells numbers of some hours ago otherwise; MariaDB does not know this.
      yield "SET SESSION information_schema_stats_expiry = 0";
    } catch {
      // Its numbers are those of now.
    }
  }

  /** @returns {Steps<Record<string, number>>} */
  *#numbers() {
    const rows = yield NUMBERS;
    return Object.fromEntries(
      rows.map((/** @type {any[]} */ [name, number]) => [name, Number(number)]),
    );
  }

  /** Keeps the rows for the next process: all of them, or no file, whenever this one is ended. */
  #keep() {
    if (!this.file) return;
    writeFileSync(`${this.file}.new`, JSON.stringify(this.state));
    renameSync(`${this.file}.new`, this.file);
  }

  /**
   * @param {string} name
   * @returns {Steps<void>}
   */
  *#copy(name) {
    const columns = this.schema.table(name)?.message.columns ?? [];
    if (columns.some(({ type }) => FOREIGN.test(type))) return;
    const table = this.quoted(name);
    const [[count]] = yield this.counting(table);
    if (Number(count) > MOST_COPIED) return;
    const wanted = columns.map((column, at) => `${this.quoted(column.name)} AS c${at}`).join(", ");
    const rows = yield `SELECT ${wanted || "1 AS c0"} FROM ${table}`;
    const texts = rows.map((/** @type {any[]} */ row) => `(${row.map(written).join(", ")})`);
    const size = texts.reduce(
      (/** @type {number} */ sum, /** @type {string} */ one) => sum + one.length,
      0,
    );
    if (size <= LARGEST) this.state.rows[name] = texts;
  }

  /**
   * Brings the rows back.
   *
   * @param {Set<string>} written tables that statements wrote
   * @param {boolean} isAll whether there may be more than those
   * @returns {Steps<void>}
   */
  *restore(written, isAll) {
    if (!written.size && !isAll) return;
    const every = isAll || this.hasTriggers;
    const names = (every ? [...this.kept] : [...written]).filter((name) => this.kept.has(name));
    if (!names.length) return;
    // A transaction that the service left open must not hold up the search.
    yield "SET SESSION innodb_lock_wait_timeout = 2";
    yield "SET SESSION FOREIGN_KEY_CHECKS = 0";
    yield "START TRANSACTION";
    try {
      for (const name of names) yield `DELETE FROM ${this.quoted(name)}`;
      for (const name of names) yield* this.#fill(name);
      yield "COMMIT";
    } catch (error) {
      yield "ROLLBACK";
      throw error;
    } finally {
      yield "SET SESSION FOREIGN_KEY_CHECKS = 1";
    }
    yield* this.#restoreNumbers(names);
  }

  /**
   * @param {string} name
   * @returns {Steps<void>}
   */
  *#fill(name) {
    const rows = this.state.rows[name] ?? [];
    for (let at = 0; at < rows.length; at += BATCH) {
      const values = rows.slice(at, at + BATCH).join(", ");
      yield `INSERT INTO ${this.quoted(name)} (${this.columns(name)}) VALUES ${values}`;
    }
  }

  /**
   * @param {string[]} names
   * @returns {Steps<void>}
   */
  *#restoreNumbers(names) {
    const now = yield* this.#numbers();
    for (const name of names) {
      const number = this.state.numbers[name] ?? 1;
      if (now[name] === undefined || now[name] === number) continue;
      yield `ALTER TABLE ${this.quoted(name)} AUTO_INCREMENT = ${number}`;
    }
  }
}

/** @param {unknown} value */
const written = (value) => literal(value, "mysql");

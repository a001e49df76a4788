/** The rows of the start of a MySQL or MariaDB database, and the way back to them. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { MOST_COPIED, Seed } from "./seed.js";
import { together } from "./steps.js";
import { literal } from "./template.js";

/**
 * @typedef {{rows: Record<string, string[]>, numbers: Record<string, number>,
 *   highest: Record<string, number>}} Kept rows of tables as they are inserted, the numbers that the
 *   database gives next, and the highest ones of rows
 */

/** @import {Steps} from "./steps.js" */

/** Characters of the rows of a table that are kept at most. */
const LARGEST = 64 << 20;
/** Rows that are inserted at once. */
const BATCH = 500;
/** Types whose values do not come as they go. */
const FOREIGN = /^(GEOMETRY|POINT|LINESTRING|POLYGON|MULTI\w+|GEOMETRYCOLLECTION)$/;
/** What the service left open must not hold up the search. */
const CAREFUL = ["SET SESSION innodb_lock_wait_timeout = 2", "SET SESSION lock_wait_timeout = 2"];
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
    this.state = { rows: {}, numbers: {}, highest: {} };
    this.isInherited = Boolean(file) && existsSync(file);
    this.hasTriggers = false;
    /** Whether the service's user may empty tables by a command, as far as is known. */
    this.mayTruncate = true;
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
    if (size > LARGEST) return;
    this.state.rows[name] = texts;
    const counted = columns.findIndex(({ autoIncrement }) => autoIncrement);
    const numbers = rows.map((/** @type {any[]} */ row) => Number(row[counted]));
    this.state.highest[name] = numbers.reduce(
      (/** @type {number} */ one, /** @type {number} */ other) => Math.max(one, other),
      0,
    );
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
    const moved = yield* this.#moved(names);
    const renewed = this.mayTruncate ? moved.filter((name) => this.#isRenewable(name)) : [];
    try {
      yield* together(this.#restoring(names, renewed));
    } catch (error) {
      yield "ROLLBACK; SET SESSION FOREIGN_KEY_CHECKS = 1";
      if (!renewed.length || isHeld(error)) throw error;
      this.mayTruncate = false;
      return yield* this.restore(written, isAll);
    }
    const others = moved.filter((name) => !renewed.includes(name));
    yield* together(others.map((name) => this.#numbering(name)));
  }

  /**
   * @param {string[]} names
   * @param {string[]} renewed those of them whose numbers begin anew as well
   * @returns {string[]} statements
   */
  #restoring(names, renewed) {
    const emptied = names.filter((name) => !renewed.includes(name));
    return [
      ...CAREFUL,
      "SET SESSION FOREIGN_KEY_CHECKS = 0",
      ...renewed.map((name) => `TRUNCATE TABLE ${this.quoted(name)}`),
      "START TRANSACTION",
      ...emptied.map((name) => `DELETE FROM ${this.quoted(name)}`),
      ...names.flatMap((name) => this.#fill(name)),
      "COMMIT",
      "SET SESSION FOREIGN_KEY_CHECKS = 1",
    ];
  }

  /**
   * @param {string} name
   * @returns {string[]}
   */
  #fill(name) {
    const rows = this.state.rows[name] ?? [];
    const filling = [];
    for (let at = 0; at < rows.length; at += BATCH) {
      const values = rows.slice(at, at + BATCH).join(", ");
      filling.push(`INSERT INTO ${this.quoted(name)} (${this.columns(name)}) VALUES ${values}`);
    }
    return filling;
  }

  /**
   * @param {string[]} names
   * @returns {Steps<string[]>} those for which the database gave numbers
   */
  *#moved(names) {
    const counted = names.filter((name) => {
      return this.schema.table(name)?.message.columns.some((column) => column.autoIncrement);
    });
    if (!counted.length) return [];
    const now = yield* this.#numbers();
    return counted.filter((name) => now[name] !== undefined && now[name] !== this.#number(name));
  }

  /** @param {string} name */
  #number(name) {
    return this.state.numbers[name] ?? 1;
  }

  /**
   * Whether the number that is given next follows from the rows. To empty the table by a command and
   * to fill it takes a third of the time that the change of a definition does.
   *
   * @param {string} name
   */
  #isRenewable(name) {
    return this.#number(name) === (this.state.highest[name] ?? 0) + 1;
  }

  /** @param {string} name */
  #numbering(name) {
    return `ALTER TABLE ${this.quoted(name)} AUTO_INCREMENT = ${this.#number(name)}`;
  }
}

/** @param {any} error that may say that somebody else holds the rows */
const isHeld = (error) => error?.code === "ER_LOCK_WAIT_TIMEOUT";

/** @param {unknown} value */
const written = (value) => literal(value, "mysql");

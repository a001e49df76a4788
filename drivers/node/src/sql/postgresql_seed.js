/** The rows of the start of a PostgreSQL database, and the way back to them. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { MOST_COPIED, Seed } from "./seed.js";
import { together } from "./steps.js";
import { quotedText } from "./template.js";

/**
 * @typedef {{rows: Record<string, string>, sequences: [string, string | null][]}} Kept rows of
 *   tables as JSON, and the last numbers of sequences
 */

/** @import {Steps} from "./steps.js" */

/** Bytes of a table that are copied at most: the rows are kept as one text. */
const LARGEST = 64 << 20;
const SEQUENCES = `SELECT quote_ident(schemaname) || '.' || quote_ident(sequencename), last_value::text
  FROM pg_sequences ORDER BY 1`;
const TRIGGERS = "SELECT 1 FROM pg_trigger WHERE NOT tgisinternal LIMIT 1";
/** A transaction that the service left open must not hold up the search, nor a disk. */
const CAREFUL = ["SET LOCAL lock_timeout = '2s'", "SET LOCAL synchronous_commit = off"];
/** Checks of references and triggers are off in this mode, which not everybody may use. */
const UNCHECKED = "SET LOCAL session_replication_role = replica";

export class PostgresqlSeed extends Seed {
  /**
   * @param {import("./schema.js").Schema} schema
   * @param {string} file that keeps the rows for the next process; empty for none
   */
  constructor(schema, file) {
    super("postgresql", schema, file);
    /** @type {Kept} */
    this.state = { rows: {}, sequences: [] };
    this.isInherited = Boolean(file) && existsSync(file);
    this.mayUncheck = false;
    this.hasTriggers = false;
  }

  /**
   * Remembers the rows that are there.
   *
   * @returns {Steps<void>}
   */
  *take() {
    if (this.isInherited) {
      this.state = JSON.parse(readFileSync(this.file, "utf8"));
    } else {
      for (const { name } of this.schema.tables.values()) yield* this.#copy(name);
      this.state.sequences = yield SEQUENCES;
      this.#keep();
    }
    this.kept = new Set(Object.keys(this.state.rows));
    const [[isSuper]] = yield "SELECT rolsuper FROM pg_roles WHERE rolname = current_user";
    this.mayUncheck = isSuper === true;
    this.isApart = this.mayUncheck;
    this.hasTriggers = (yield TRIGGERS).length > 0;
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
    const table = this.#nameOf(name);
    const [[size]] = yield `SELECT pg_table_size(${quotedText(table, "postgresql")}::regclass)`;
    const [[count]] = yield this.counting(table);
    if (Number(count) > MOST_COPIED || Number(size) > LARGEST) return;
    const rows = `SELECT ${this.columns(name) || "1"} FROM ${table}`;
    const [[json]] = yield `SELECT coalesce(json_agg(a), '[]')::text FROM (${rows}) a`;
    this.state.rows[name] = json;
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
    try {
      yield* together(this.#restoring(names));
    } catch (error) {
      yield "ROLLBACK";
      throw error;
    }
  }

  /**
   * @param {string[]} names
   * @returns {string[]} statements
   */
  #restoring(names) {
    const order = this.#childrenFirst(names);
    return [
      "BEGIN",
      ...CAREFUL,
      ...(this.mayUncheck ? [UNCHECKED] : []),
      ...order.map((name) => `DELETE FROM ${this.#nameOf(name)}`),
      ...order.reverse().flatMap((name) => this.#fill(name)),
      ...this.#restoringSequences(),
      "COMMIT",
    ];
  }

  /**
   * @param {string} name
   * @returns {string[]}
   */
  #fill(name) {
    const json = this.state.rows[name] ?? "[]";
    if (json === "[]") return [];
    const [table, columns] = [this.#nameOf(name), this.columns(name)];
    const rows = `json_populate_recordset(NULL::${table}, ${quotedText(json, "postgresql")})`;
    return [
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${rows}`,
    ];
  }

  /** @returns {string[]} a sequence that gave no number begins with its first one */
  #restoringSequences() {
    if (!this.state.sequences.length) return [];
    const known = this.state.sequences.map(([name, last]) => {
      return `(${quotedText(name, "postgresql")}, ${last ?? "NULL"}::bigint)`;
    });
    return [
      `SELECT setval(k.name::regclass, coalesce(k.last, s.start_value), k.last IS NOT NULL)
        FROM (VALUES ${known.join(", ")}) k(name, last) JOIN pg_sequences s
        ON quote_ident(s.schemaname) || '.' || quote_ident(s.sequencename) = k.name
        WHERE s.last_value IS DISTINCT FROM k.last`,
    ];
  }

  /**
   * @param {string[]} names
   * @returns {string[]} those first that refer to others, as far as they do not in a circle
   */
  #childrenFirst(names) {
    /** @type {Set<string>} */
    const done = new Set();
    const visit = (/** @type {string} */ name, /** @type {string[]} */ path) => {
      if (done.has(name) || path.includes(name)) return;
      const children = this.schema.dependants(name);
      for (const child of names) {
        if (child !== name && children.has(child)) visit(child, [...path, name]);
      }
      done.add(name);
    };
    for (const name of names) visit(name, []);
    return [...done];
  }

  /** @param {string} name */
  #nameOf(name) {
    const id = this.schema.table(name)?.message.id;
    return [id?.schema ?? "public", id?.name ?? name].map((part) => this.quoted(part)).join(".");
  }
}

/** A database of the service: its schema, what statements on it were about, rows, and its start. */
import { add, noActivity } from "./activity.js";
import { insert } from "./insertion.js";
import { mysqlSchema } from "./mysql_schema.js";
import { MysqlSeed } from "./mysql_seed.js";
import { Plan } from "./plan.js";
import { postgresqlSchema } from "./postgresql_schema.js";
import { PostgresqlSeed } from "./postgresql_seed.js";
import { Schema } from "./schema.js";
import { sqliteSchema } from "./sqlite_schema.js";
import { SqliteSeed } from "./sqlite_seed.js";
import { atOnce, inTurn } from "./steps.js";
import { filled, literal, quotedText, templates } from "./template.js";

/**
 * @typedef {import("./activity.js").Activity} Activity
 * @typedef {import("./insertion.js").Insertion} Insertion
 * @typedef {import("./template.js").Template} Template
 * @typedef {import("./template.js").Values} Values
 */

/** @import {Steps} from "./steps.js" */

/**
 * What the packages of databases give: a way to ask that nobody notices.
 *
 * @typedef {object} Access
 * @property {"sqlite" | "postgresql" | "mysql"} dialect
 * @property {string} name for people
 * @property {boolean} isSynchronous
 * @property {(statement: string) => any} all gives rows as lists of values, or a promise of them
 * @property {(statement: string) => any} [look] the same for statements that may change nothing
 * @property {(connection: any) => void} [use] hears of the connection that the service uses
 * @property {() => boolean} [isGone] whether the database can never be asked again
 */

/**
 * A statement that the service executed.
 *
 * @typedef {object} Executed
 * @property {string} statement
 * @property {Values} values
 * @property {number} milliseconds
 * @property {boolean} hasFailed
 * @property {number | undefined} rows that came back, where that is known
 * @property {boolean} hasChanged
 */

/** Statements that are remembered; with more, all are found out about anew. */
const MOST_PLANS = 1_000;
/** Statements that wrote, which are remembered; with more, all tables are restored. */
const MOST_WRITES = 1_000;
/** Characters of a statement that are told. */
const LONGEST = 10_000;

const KINDS = {
  sqlite: { schema: sqliteSchema, Seed: SqliteSeed },
  postgresql: { schema: postgresqlSchema, Seed: PostgresqlSeed },
  mysql: { schema: mysqlSchema, Seed: MysqlSeed },
};

export class Database {
  /** @param {Access} access */
  constructor(access) {
    this.access = access;
    /** @type {Schema | undefined} */
    this.known = undefined;
    /** @type {Map<string, Plan>} by text without constants */
    this.plans = new Map();
    /** @type {Map<string, Template[]>} by text of the code */
    this.templates = new Map();
    /** @type {SqliteSeed | PostgresqlSeed | MysqlSeed | undefined} */
    this.seed = undefined;
    /** @type {Set<string>} statements that wrote since the rows were restored */
    this.writes = new Set();
    /** Whether anything may have been written besides. */
    this.isUnknown = false;
    /** Whether tables may be others than at the start. */
    this.isChanged = false;
    /** What is in the way of restoring rows. */
    this.trouble = "";
  }

  /**
   * @template T
   * @param {Steps<T>} steps
   * @returns {Promise<T>}
   */
  #run(steps) {
    return inTurn(steps, this.access.all);
  }

  /** @returns {Promise<Schema>} */
  schema() {
    return this.#run(this.#schema());
  }

  /** @returns {Steps<Schema>} */
  *#schema() {
    this.known ??= new Schema(yield* KINDS[this.access.dialect].schema());
    return this.known;
  }

  /** Forgets the schema, which is about to change. */
  forget() {
    this.known = undefined;
    this.isChanged = true;
    this.plans.clear();
  }

  /** @param {string} statement that may write */
  wrote(statement) {
    if (this.writes.size < MOST_WRITES) this.writes.add(statement);
    else this.isUnknown = true;
  }

  /**
   * Remembers the rows that are there; at once where the package can.
   *
   * @param {string} file that keeps them for the next process; empty for none
   * @returns {Promise<void> | void}
   */
  takeSeed(file) {
    const steps = this.#takeSeed(file);
    return this.access.isSynchronous ? atOnce(steps, this.access.all) : this.#run(steps);
  }

  /**
   * @param {string} file
   * @returns {Steps<void>}
   */
  *#takeSeed(file) {
    try {
      const seed = new KINDS[this.access.dialect].Seed(yield* this.#schema(), file);
      yield* seed.take();
      this.#leaveOutLost(seed, yield* this.#schema());
      this.seed = seed;
      this.writes.clear();
      // The rows of an earlier process are not those that are there.
      this.isUnknown = seed.isInherited;
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
    }
  }

  /**
   * Brings back the rows of the start in the tables that were written; at once where the package can.
   *
   * @returns {Promise<void> | void}
   */
  restore() {
    const steps = this.#restore();
    return this.access.isSynchronous ? atOnce(steps, this.access.all) : this.#run(steps);
  }

  /** Whether there may be rows to bring back: what else writes to it, SQLite says itself. */
  mayDiffer() {
    const { seed, writes, isUnknown, access } = this;
    return Boolean(seed) && (isUnknown || writes.size > 0 || access.dialect === "sqlite");
  }

  /**
   * What the service dropped has no place for rows. All others come back as ever.
   *
   * @param {{kept: Set<string>, columnsOf: (table: string) => string[]}} seed
   * @param {Schema} schema as it is now
   */
  #leaveOutLost(seed, schema) {
    for (const name of seed.kept) {
      const columns = new Set(schema.table(name)?.message.columns.map((column) => column.name));
      const isThere = schema.table(name) && seed.columnsOf(name).every((one) => columns.has(one));
      if (!isThere) seed.kept.delete(name);
    }
  }

  /** @returns {Steps<void>} */
  *#restore() {
    const { seed, isUnknown } = this;
    if (!seed) return;
    if (this.isChanged) {
      this.isChanged = false;
      this.#leaveOutLost(seed, yield* this.#schema());
    }
    const statements = [...this.writes];
    this.writes.clear();
    this.isUnknown = false;
    try {
      const written = isUnknown ? undefined : yield* this.#written(statements, seed.isApart);
      yield* seed.restore(written ?? new Set(), !written);
    } catch (error) {
      // What could not be restored is still written.
      this.isUnknown = true;
      throw error;
    }
  }

  /**
   * @param {string[]} statements
   * @param {boolean} isApart whether rows that were added are taken away without a look at others
   * @returns {Steps<Set<string> | undefined>} nothing where that cannot be told
   */
  *#written(statements, isApart) {
    const schema = yield* this.#schema();
    /** @type {Set<string>} */
    const written = new Set();
    for (const statement of statements) {
      for (const { text } of this.#templates(statement)) {
        const plan = this.#plan(text, schema);
        const names = [...plan.written];
        // Behind a view there are other tables.
        if (!plan.isKnown || names.some((name) => !schema.table(name))) return undefined;
        // Nothing refers to rows that are new but what is written as well.
        if (plan.isAdding && isApart) for (const name of names) written.add(name);
        else for (const name of names) schema.dependants(name, written);
      }
    }
    return written;
  }

  /** @param {string} statement */
  #templates(statement) {
    const known = this.templates.get(statement);
    if (known) return known;
    if (this.templates.size >= MOST_PLANS) this.templates.clear();
    const found = templates(statement, this.access.dialect);
    this.templates.set(statement, found);
    return found;
  }

  /**
   * @param {string} text without constants
   * @param {Schema} schema
   */
  #plan(text, schema) {
    const known = this.plans.get(text);
    if (known) return known;
    if (this.plans.size >= MOST_PLANS) this.plans.clear();
    const plan = new Plan(text, this.access.dialect, schema);
    this.plans.set(text, plan);
    return plan;
  }

  /**
   * Adds what a statement was about.
   *
   * @param {Executed} executed
   * @param {Activity} activity
   */
  async settle(executed, activity) {
    const { dialect } = this.access;
    const { statement, values, rows, hasChanged, hasFailed, milliseconds } = executed;
    const schema = await this.schema();
    for (const template of this.#templates(statement)) {
      const plan = this.#plan(template.text, schema);
      const shown = template.constants(values, (value) => literal(value, dialect));
      const text = filled(template.text, shown).slice(0, LONGEST);
      const execution = { text, milliseconds, hasFailed, rows, hasChanged };
      const asked = template.constants(values, (value) => asking(value, dialect));
      await inTurn(add(activity, execution, plan, asked), this.access.look ?? this.access.all);
    }
  }

  /**
   * How far the condition of a statement is from being true of a row; for tests.
   *
   * @param {string} statement
   * @param {unknown[]} [values]
   * @returns {Promise<number | null | undefined>}
   */
  async distance(statement, values = []) {
    const activity = noActivity();
    const executed = { milliseconds: 0, hasFailed: false, hasChanged: false, rows: undefined };
    await this.settle({ ...executed, statement, values: { positional: values } }, activity);
    return activity.distances[0]?.distance;
  }

  /**
   * Inserts rows one by one; a refused one does not hold up the others.
   *
   * @param {Insertion[]} rows
   * @param {import("./insertion.js").Keys} keys
   * @returns {Promise<boolean[]>} whether each was inserted
   */
  async insert(rows, keys) {
    const schema = await this.schema();
    const { dialect } = this.access;
    const results = [];
    for (const row of rows) {
      try {
        const table = schema.table(row.targetTable)?.name ?? "";
        this.wrote(`INSERT INTO "${table}" DEFAULT VALUES`);
        await this.#run(insert(row, schema, dialect, keys));
        results.push(true);
      } catch {
        results.push(false);
      }
    }
    return results;
  }

  /**
   * @param {string} statement
   * @returns {Promise<unknown[][]>}
   */
  async query(statement) {
    return statement.trim() ? await this.access.all(statement) : [];
  }
}

/**
 * A value as a database is asked with it: where types are strict, as the text that they are read
 * from, so that the place decides.
 *
 * @param {unknown} value
 * @param {import("./token.js").Dialect} dialect
 */
function asking(value, dialect) {
  const text = literal(value, dialect);
  const isBare =
    typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  return dialect === "postgresql" && isBare && text !== "NULL" ? quotedText(text, dialect) : text;
}

/** The rows of the start of a database, and the way back to them: what is the same for all kinds. */
import { quotedName } from "./template.js";

/** Rows of a table that are copied at most; larger tables are left as they are. */
export const MOST_COPIED = 100_000;

export class Seed {
  /**
   * @param {import("./token.js").Dialect} dialect
   * @param {import("./schema.js").Schema} schema
   * @param {string} file that keeps the rows for the next process; empty for none
   */
  constructor(dialect, schema, file) {
    this.dialect = dialect;
    this.schema = schema;
    this.file = file;
    /** @type {Set<string>} tables whose rows are kept */
    this.kept = new Set();
    /** Whether the rows of a table come back without a look at those that refer to them. */
    this.isApart = true;
    /** Whether another process kept the rows. */
    this.isInherited = false;
  }

  /** @param {string} name */
  quoted(name) {
    return quotedName(name, this.dialect);
  }

  /**
   * @param {string} table
   * @returns {string} the columns that hold values of their own
   */
  columns(table) {
    return this.columnsOf(table)
      .map((name) => this.quoted(name))
      .join(", ");
  }

  /** @param {string} table */
  columnsOf(table) {
    const columns = this.schema.table(table)?.message.columns ?? [];
    return columns.map((column) => column.name);
  }

  /** @param {string} table */
  counting(table) {
    return `SELECT count(*) AS c0 FROM (SELECT 1 FROM ${table} LIMIT ${MOST_COPIED + 1}) a`;
  }
}

/** Rows that a test begins with. */
import { quotedName, quotedText } from "./template.js";

/**
 * @typedef {import("./token.js").Dialect} Dialect
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {{variableName: string, printableValue: string | null,
 *   foreignKeyToPreviouslyGeneratedRow: number | null}} Entry
 * @typedef {{id: number | null, targetTable: string, data: Entry[]}} Insertion
 * @typedef {Record<string, number>} Keys that the database gave, by the ids of insertions
 */

/** @import {Steps} from "./steps.js" */

/**
 * Inserts a row.
 *
 * @param {Insertion} insertion
 * @param {Schema} schema
 * @param {Dialect} dialect
 * @param {Keys} keys of the rows before
 * @returns {Steps<void>}
 */
export function* insert({ id, targetTable, data }, schema, dialect, keys) {
  const table = schema.table(targetTable)?.message;
  if (!table) throw new Error(`there is no table ${targetTable}`);
  /** @param {string} name */
  const quoted = (name) => quotedName(name, dialect);
  const name = [table.id.schema, table.id.name]
    .filter((part) => part !== null)
    .map(quoted)
    .join(".");
  const columns = data.map((one) => quoted(one.variableName)).join(", ");
  const values = data.map((one) => valueOf(one, keys, dialect)).join(", ");
  const counted = table.columns.find((column) => column.autoIncrement);
  const empty = dialect === "mysql" ? "() VALUES ()" : "DEFAULT VALUES";
  const row = data.length ? `(${columns}) VALUES (${values})` : empty;
  const returning = counted && dialect === "postgresql" ? ` RETURNING ${quoted(counted.name)}` : "";
  const rows = yield `INSERT INTO ${name} ${row}${returning}`;
  const key = counted ? yield* keyOf(dialect, rows) : referred(data, keys);
  if (id !== null && key !== undefined) keys[id] = key;
}

/**
 * @param {Dialect} dialect
 * @param {any[][]} rows
 * @returns {Steps<number>}
 */
function* keyOf(dialect, rows) {
  if (dialect === "postgresql") return Number(rows[0]?.[0]);
  const given = dialect === "sqlite" ? "last_insert_rowid()" : "last_insert_id()";
  const [row] = yield `SELECT ${given} AS c0`;
  return Number(row[0]);
}

/**
 * @param {Entry[]} data
 * @param {Keys} keys
 * @returns {number | undefined} the key of the first row that is referred to
 */
function referred(data, keys) {
  const ids = data.map((one) => one.foreignKeyToPreviouslyGeneratedRow);
  return ids.map((id) => (id === null ? undefined : keys[id])).find((key) => key !== undefined);
}

/**
 * @param {Entry} entry
 * @param {Keys} keys
 * @param {Dialect} dialect
 */
function valueOf({ printableValue, foreignKeyToPreviouslyGeneratedRow: id }, keys, dialect) {
  if (printableValue === null && id !== null) {
    const key = keys[id];
    if (key === undefined) throw new Error(`row ${id} was not inserted`);
    return String(key);
  }
  // Texts come between double quotes.
  const text = /^"([^]*)"$/.exec(printableValue ?? "")?.[1];
  if (text === undefined) return printableValue ?? "NULL";
  return quotedText(text.replaceAll("SINGLE_APOSTROPHE_PLACEHOLDER", "'"), dialect);
}

/** Reads the schema of an SQLite database. */
import { TEXT_LENGTH, column } from "./schema.js";
import { quotedText } from "./template.js";
import { Reader } from "./reader.js";

/**
 * @typedef {import("./schema.js").TableMessage} TableMessage
 */

/** @import {Steps} from "./steps.js" */

const TABLES =
  "SELECT name AS c0, sql AS c1 FROM main.sqlite_master WHERE type = 'table' " +
  "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";

/** @returns {Steps<import("./schema.js").SchemaMessage>} */
export function* sqliteSchema() {
  /** @type {TableMessage[]} */
  const tables = [];
  for (const [name, sql] of yield TABLES) tables.push(yield* tableOf(String(name), String(sql)));
  // The protocol knows no SQLite.
  return { databaseType: "OTHER", name: "main", tables, enumeraredTypes: [] };
}

/**
 * @param {string} name
 * @param {string} sql that made the table
 * @returns {Steps<TableMessage>}
 */
function* tableOf(name, sql) {
  const table = quotedText(name, "sqlite");
  const unique = new Set((yield uniqueColumns(table)).map((/** @type {any[]} */ [one]) => one));
  const rows = yield `SELECT name AS c0, type AS c1, "notnull" AS c2, pk AS c3
    FROM pragma_table_xinfo(${table}) WHERE hidden = 0`;
  const keys = rows.filter((/** @type {any[]} */ row) => Number(row[3]) > 0);
  keys.sort((/** @type {any[]} */ one, /** @type {any[]} */ other) => one[3] - other[3]);
  const columns = rows.map((/** @type {any[]} */ [own, type, notNull, key]) => {
    const { type: bare, size, scale } = typeOf(String(type));
    const primaryKey = Number(key) > 0;
    // The row number; the only key that SQLite counts up.
    const autoIncrement = primaryKey && keys.length === 1 && bare === "INTEGER";
    // A key of another type may be null in SQLite, which is of use to nobody.
    const nullable = !Number(notNull) && !primaryKey;
    const more = { size, scale, primaryKey, nullable, unique: unique.has(own), autoIncrement };
    return column(name, { name: String(own), type: bare, ...more });
  });
  return {
    id: { schema: null, catalog: null, name },
    columns,
    foreignKeys: yield* foreignKeys(table),
    primaryKeySequence: keys.map((/** @type {any[]} */ [key]) => String(key)),
    tableCheckExpressions: checks(sql),
  };
}

/**
 * Columns that alone are unique. The protocol has no word for those that are so together.
 *
 * @param {string} table
 */
function uniqueColumns(table) {
  return `SELECT min(part.name) AS c0 FROM pragma_index_list(${table}) AS list
    JOIN pragma_index_info(list.name) AS part
    WHERE list."unique" = 1 AND list.origin <> 'pk' AND list.partial = 0
    GROUP BY list.name HAVING count(*) = 1`;
}

/**
 * `VARCHAR(20)` is a type of 20, `DECIMAL(8, 2)` one with a scale.
 *
 * @param {string} declared
 */
function typeOf(declared) {
  const [name = "", rest = ""] = declared.split("(", 2);
  const type = name.trim().toUpperCase();
  const [size, scale] = rest.split(",").map((part) => Number.parseInt(part, 10));
  const usual = type.includes("INT") ? 19 : TEXT_LENGTH;
  return { type, size: size || usual, scale: scale ?? null };
}

/**
 * @param {string} table
 * @returns {Steps<TableMessage["foreignKeys"]>}
 */
function* foreignKeys(table) {
  const rows = yield `SELECT id AS c0, "table" AS c1, "from" AS c2, "to" AS c3
    FROM pragma_foreign_key_list(${table}) ORDER BY id, seq`;
  /** @type {Map<unknown, any[][]>} */
  const keys = new Map();
  for (const row of rows) keys.set(row[0], [...(keys.get(row[0]) ?? []), row]);
  return [...keys.values()].map((parts) => ({
    sourceColumns: parts.map(([, , own]) => own),
    targetTable: parts[0]?.[1],
    targetColumns: parts.map(([, , , referred]) => referred).filter((name) => name !== null),
  }));
}

/**
 * The conditions that all rows meet: SQLite knows them only by the text of the table.
 *
 * @param {string} sql
 */
function checks(sql) {
  const reader = new Reader(sql, "sqlite");
  return reader.tokens.flatMap((_, at) => {
    const end = reader.word(at) === "CHECK" ? reader.closing.get(at + 1) : undefined;
    return end === undefined ? [] : [{ sqlCheckExpression: reader.slice([at + 2, end]) }];
  });
}

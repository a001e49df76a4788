/** Reads the schema of a MySQL or MariaDB database. */
import { TEXT_LENGTH, column } from "./schema.js";

/**
 * @typedef {import("./schema.js").TableMessage} TableMessage
 */

/** @import {Steps} from "./steps.js" */

const COLUMNS = `SELECT c.TABLE_NAME AS c0, c.COLUMN_NAME AS c1, c.DATA_TYPE AS c2,
    c.COLUMN_TYPE AS c3, c.CHARACTER_MAXIMUM_LENGTH AS c4, c.NUMERIC_PRECISION AS c5,
    c.NUMERIC_SCALE AS c6, c.IS_NULLABLE AS c7, c.COLUMN_KEY AS c8, c.EXTRA AS c9
  FROM information_schema.COLUMNS c JOIN information_schema.TABLES t
    ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
  WHERE c.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'BASE TABLE'
    AND c.EXTRA NOT LIKE '% GENERATED'
  ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`;

const KEYS = `SELECT TABLE_NAME AS c0, CONSTRAINT_NAME AS c1, COLUMN_NAME AS c2,
    REFERENCED_TABLE_NAME AS c3, REFERENCED_COLUMN_NAME AS c4
  FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA = DATABASE()
  ORDER BY TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

const CHECKS = `SELECT t.TABLE_NAME AS c0, k.CHECK_CLAUSE AS c1
  FROM information_schema.CHECK_CONSTRAINTS k JOIN information_schema.TABLE_CONSTRAINTS t
    ON t.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = k.CONSTRAINT_NAME
  WHERE k.CONSTRAINT_SCHEMA = DATABASE() AND t.CONSTRAINT_TYPE = 'CHECK'`;

/** @returns {Steps<import("./schema.js").SchemaMessage>} */
export function* mysqlSchema() {
  const [[name]] = yield "SELECT DATABASE() AS c0";
  /** @type {Map<string, TableMessage>} */
  const tables = new Map();
  /** @type {{name: string, values: string[]}[]} */
  const enumeraredTypes = [];
  for (const row of yield COLUMNS) {
    const [own] = row;
    const known = tables.get(own) ?? emptyTable(own);
    tables.set(own, known);
    known.columns.push(columnOf(row, enumeraredTypes));
  }
  for (const row of yield KEYS) addKey(tables.get(row[0]), row);
  for (const [own, text] of yield* checks()) {
    tables.get(own)?.tableCheckExpressions.push({ sqlCheckExpression: String(text) });
  }
  return { databaseType: "MYSQL", name, tables: [...tables.values()], enumeraredTypes };
}

/** @returns {Steps<any[][]>} none from servers that do not know them */
function* checks() {
  try {
    return yield CHECKS;
  } catch {
    return [];
  }
}

/**
 * @param {string} name
 * @returns {TableMessage}
 */
function emptyTable(name) {
  const empty = { columns: [], foreignKeys: [], primaryKeySequence: [], tableCheckExpressions: [] };
  return { id: { schema: null, catalog: null, name }, ...empty };
}

/**
 * @param {any[]} row
 * @param {{name: string, values: string[]}[]} enumerations
 */
function columnOf(row, enumerations) {
  const [table, name, type, full, length, precision, scale, isNullable, key, extra] = row;
  const declared = String(full);
  const isEnumeratedType = type === "enum";
  const typeName = isEnumeratedType ? `${table}_${name}` : String(type).toUpperCase();
  if (isEnumeratedType) enumerations.push({ name: typeName, values: valuesOf(declared) });
  return column(table, {
    name,
    type: typeName,
    size: Math.min(Number(length ?? precision ?? TEXT_LENGTH), 2 ** 31 - 1),
    scale: type === "decimal" && scale !== null ? Number(scale) : null,
    nullable: isNullable === "YES",
    primaryKey: key === "PRI",
    unique: key === "UNI",
    autoIncrement: /auto_increment/i.test(extra),
    isUnsigned: /unsigned/i.test(declared),
    isEnumeratedType,
  });
}

/**
 * @param {string} declared `enum('a','b')`
 * @returns {string[]}
 */
function valuesOf(declared) {
  const texts = declared.match(/'(?:[^']|'')*'/g) ?? [];
  return texts.map((text) => text.slice(1, -1).replaceAll("''", "'"));
}

/**
 * @param {TableMessage | undefined} table
 * @param {any[]} row
 */
function addKey(table, [, constraint, own, target, referred]) {
  if (!table) return;
  if (constraint === "PRIMARY") table.primaryKeySequence.push(own);
  if (!target) return;
  // The parts of one key follow each other.
  const last = table.foreignKeys.at(-1);
  if (last && keyNames.get(last) === constraint) {
    last.sourceColumns.push(own);
    last.targetColumns.push(referred);
    return;
  }
  const key = { sourceColumns: [own], targetTable: target, targetColumns: [referred] };
  keyNames.set(key, constraint);
  table.foreignKeys.push(key);
}

/** @type {WeakMap<object, string>} names of foreign keys */
const keyNames = new WeakMap();

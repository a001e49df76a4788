/** Reads the schema of a PostgreSQL database. */
import { TEXT_LENGTH, column } from "./schema.js";

/**
 * @typedef {import("./schema.js").TableMessage} TableMessage
 */

/** @import {Steps} from "./steps.js" */

/** Schemas of the service. */
const OWN = "NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'";

const COLUMNS = `SELECT c.oid::text, n.nspname, c.relname, a.attname, t.typname,
    information_schema._pg_char_max_length(a.atttypid, a.atttypmod),
    information_schema._pg_numeric_precision(a.atttypid, a.atttypmod),
    information_schema._pg_numeric_scale(a.atttypid, a.atttypmod),
    a.attnotnull, a.attnum,
    a.attidentity <> '' OR coalesce(pg_get_expr(d.adbin, d.adrelid), '') LIKE 'nextval(%'
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = ''
  JOIN pg_type t ON t.oid = a.atttypid
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname ${OWN}
  ORDER BY c.relname, a.attnum`;

const CONSTRAINTS = `SELECT k.conrelid::text, k.contype, k.conkey::text, r.relname, k.confrelid::text,
    k.confkey::text, pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
  LEFT JOIN pg_class r ON r.oid = k.confrelid
  WHERE k.contype IN ('p', 'u', 'f', 'c') AND n.nspname ${OWN}`;

const INDICES = `SELECT i.indrelid::text, i.indkey::text FROM pg_index i
  WHERE i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL`;

const ENUMERATIONS = `SELECT t.typname, e.enumlabel FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
  ORDER BY t.typname, e.enumsortorder`;

/** Digits of integers by type. */
/** @type {Record<string, number>} */
const DIGITS = { int2: 5, int4: 10, int8: 19 };

/** @returns {Steps<import("./schema.js").SchemaMessage>} */
export function* postgresqlSchema() {
  const [[name]] = yield "SELECT current_database()";
  /** @type {Map<string, {table: TableMessage, numbers: Map<number, string>}>} */
  const tables = new Map();
  for (const row of yield COLUMNS) addColumn(tables, row);
  for (const [table, numbers] of yield INDICES) markUnique(tables.get(table), listed(numbers));
  for (const row of yield CONSTRAINTS) addConstraint(tables, row);
  const enumeraredTypes = enumerations(yield ENUMERATIONS);
  const messages = [...tables.values()].map(({ table }) => table);
  return { databaseType: "POSTGRES", name, tables: messages, enumeraredTypes };
}

/**
 * @param {Map<string, {table: TableMessage, numbers: Map<number, string>}>} tables
 * @param {any[]} row
 */
function addColumn(tables, row) {
  const [id, schema, table, name, type, length, precision, scale, notNull, number, isCounted] = row;
  const known = tables.get(id) ?? { table: emptyTable(schema, table), numbers: new Map() };
  tables.set(id, known);
  known.numbers.set(Number(number), name);
  const size = Number(length ?? DIGITS[type] ?? precision ?? TEXT_LENGTH);
  known.table.columns.push(
    column(table, {
      name,
      type,
      size,
      scale: type === "numeric" && scale !== null ? Number(scale) : null,
      nullable: !isTrue(notNull),
      autoIncrement: isTrue(isCounted),
    }),
  );
}

/**
 * @param {string} schema
 * @param {string} name
 * @returns {TableMessage}
 */
function emptyTable(schema, name) {
  const empty = { columns: [], foreignKeys: [], primaryKeySequence: [], tableCheckExpressions: [] };
  return { id: { schema, catalog: null, name }, ...empty };
}

/** @param {unknown} value */
const isTrue = (value) => value === true || value === "t" || value === "true";

/**
 * @param {string} list `{1,2}`, or `1 2`
 * @returns {number[]}
 */
function listed(list) {
  return (list ?? "").replace(/[{}]/g, "").split(/[, ]/).filter(Boolean).map(Number);
}

/**
 * @param {{table: TableMessage, numbers: Map<number, string>} | undefined} known
 * @param {number[]} numbers of columns
 */
function markUnique(known, numbers) {
  const name = known?.numbers.get(numbers[0] ?? 0);
  const own = known?.table.columns.find((one) => one.name === name);
  if (own) own.unique = true;
}

/**
 * @param {Map<string, {table: TableMessage, numbers: Map<number, string>}>} tables
 * @param {any[]} row
 */
function addConstraint(tables, [id, kind, own, target, targetId, referred, text]) {
  const known = tables.get(id);
  if (!known) return;
  const { table, numbers } = known;
  const names = (/** @type {string} */ list, /** @type {Map<number, string>} */ from) =>
    listed(list).map((number) => from.get(number) ?? "");
  const columns = names(own, numbers);
  if (kind === "p") {
    table.primaryKeySequence = columns;
    for (const one of table.columns) {
      if (columns.includes(one.name)) [one.primaryKey, one.nullable] = [true, false];
      if (columns.length === 1 && columns[0] === one.name) one.unique = false;
    }
  } else if (kind === "f") {
    const targetColumns = names(referred, tables.get(targetId)?.numbers ?? new Map());
    table.foreignKeys.push({ sourceColumns: columns, targetTable: target, targetColumns });
  } else if (kind === "c") {
    const condition = /^CHECK \(([^]*)\)(?: NOT VALID)?$/.exec(text)?.[1];
    if (condition) table.tableCheckExpressions.push({ sqlCheckExpression: condition });
  }
}

/** @param {any[][]} rows */
function enumerations(rows) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  for (const [name, value] of rows) values.set(name, [...(values.get(name) ?? []), value]);
  return [...values].map(([name, values]) => ({ name, values }));
}

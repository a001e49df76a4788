/**
 * The schema of a database, in the words of the driver protocol.
 *
 * @typedef {object} ColumnMessage
 * @property {string} table
 * @property {string} name
 * @property {string} type
 * @property {number} size precision or length
 * @property {boolean} primaryKey
 * @property {boolean} nullable
 * @property {boolean} unique
 * @property {boolean} autoIncrement
 * @property {boolean} foreignKeyToAutoIncrement
 * @property {boolean} isUnsigned
 * @property {boolean} isEnumeratedType
 * @property {boolean} isCompositeType
 * @property {number | null} scale
 * @property {number} numberOfDimensions
 *
 * @typedef {object} TableMessage
 * @property {{schema: string | null, catalog: string | null, name: string}} id
 * @property {ColumnMessage[]} columns
 * @property {{sourceColumns: string[], targetTable: string, targetColumns: string[]}[]} foreignKeys
 * @property {string[]} primaryKeySequence
 * @property {{sqlCheckExpression: string}[]} tableCheckExpressions
 *
 * @typedef {object} SchemaMessage
 * @property {string} databaseType
 * @property {string} name
 * @property {TableMessage[]} tables
 * @property {{name: string, values: string[]}[]} enumeraredTypes the misspelling is the protocol's
 */

/** Longest text of a column without a stated length. */
export const TEXT_LENGTH = 255;

/** A table that can be asked for its columns. */
class Table {
  /** @param {TableMessage} message */
  constructor(message) {
    this.message = message;
    this.name = message.id.name;
    this.columns = new Map(message.columns.map(({ name }) => [name.toLowerCase(), name]));
  }

  /**
   * @param {string} name
   * @returns {string | undefined} as the schema writes it
   */
  column(name) {
    return this.columns.get(name.toLowerCase());
  }
}

/** A schema that can be asked for its tables. */
export class Schema {
  /** @param {SchemaMessage} message */
  constructor(message) {
    complete(message.tables);
    this.message = message;
    this.tables = new Map(
      message.tables.map((table) => [table.id.name.toLowerCase(), new Table(table)]),
    );
  }

  /**
   * @param {string} name perhaps with its schema before it
   * @returns {Table | undefined}
   */
  table(name) {
    return this.tables.get((name.split(".").at(-1) ?? name).toLowerCase());
  }

  /**
   * Tables that refer to a table, and those that refer to them.
   *
   * @param {string} name
   * @param {Set<string>} [found]
   * @returns {Set<string>} with the table itself
   */
  dependants(name, found = new Set()) {
    if (found.has(name)) return found;
    found.add(name);
    for (const { message } of this.tables.values()) {
      const refers = message.foreignKeys.some((key) => {
        return key.targetTable.toLowerCase() === name.toLowerCase();
      });
      if (refers) this.dependants(message.id.name, found);
    }
    return found;
  }
}

/**
 * @param {string} table
 * @param {Partial<ColumnMessage> & {name: string, type: string}} known
 * @returns {ColumnMessage}
 */
export function column(table, known) {
  return {
    table,
    size: TEXT_LENGTH,
    primaryKey: false,
    nullable: true,
    unique: false,
    autoIncrement: false,
    foreignKeyToAutoIncrement: false,
    isUnsigned: false,
    isEnumeratedType: false,
    isCompositeType: false,
    scale: null,
    numberOfDimensions: 0,
    ...known,
  };
}

/**
 * What can only be said when all tables are known: keys that are referred to by no name, and columns
 * that refer to numbers that the database makes.
 *
 * @param {TableMessage[]} tables
 */
function complete(tables) {
  const byName = new Map(tables.map((table) => [table.id.name.toLowerCase(), table]));
  for (const table of tables) {
    for (const key of table.foreignKeys) {
      const target = byName.get(key.targetTable.toLowerCase());
      if (!target) continue;
      if (!key.targetColumns.length) key.targetColumns = target.primaryKeySequence;
      key.sourceColumns.forEach((name, at) => {
        const referred = key.targetColumns[at]?.toLowerCase();
        const isCounted = target.columns.some((other) => {
          return other.autoIncrement && other.name.toLowerCase() === referred;
        });
        const own = table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
        if (own && isCounted) own.foreignKeyToAutoIncrement = true;
      });
    }
  }
}

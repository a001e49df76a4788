/** Watches Node's own SQLite. */
import { databaseOf, isUnseen, note } from "../databases.js";
import { withoutWarnings } from "../../quiet.js";
import { noted, plain, sqliteValues, wrap } from "./outcome.js";
import { SqliteAccess } from "./sqlite_access.js";

/** @type {WeakMap<object, any>} connections of statements */
const connections = new WeakMap();

export function watch() {
  /** @type {any} */
  const sqlite = withoutWarnings(() => process.getBuiltinModule("node:sqlite"));
  const { DatabaseSync, StatementSync } = sqlite;
  const { prepare } = DatabaseSync.prototype;
  const of = (/** @type {any} */ connection) => {
    const place = placeOf(connection);
    const open = place ? () => new DatabaseSync(place) : undefined;
    return databaseOf(place || connection, () => accessOf(place, open, prepare), connection);
  };
  wrap(DatabaseSync.prototype, "prepare", (original) => {
    return function (...values) {
      const statement = original.apply(this, values);
      if (isUnseen()) return statement;
      of(this);
      connections.set(statement, this);
      return statement;
    };
  });
  wrap(DatabaseSync.prototype, "exec", (original) => {
    return function (text, ...values) {
      const execute = () => original.call(this, text, ...values);
      if (isUnseen()) return execute();
      const executed = note(of(this), String(text), () => ({ positional: [] }));
      return noted(executed, execute, () => ({}));
    };
  });
  for (const name of ["run", "get", "all", "iterate"]) {
    wrap(StatementSync.prototype, name, (original) => {
      return function (...values) {
        const execute = () => original.apply(this, values);
        const connection = connections.get(this);
        if (isUnseen() || !connection) return execute();
        const executed = note(of(connection), this.sourceSQL, () => sqliteValues(values));
        return noted(executed, execute, (result) => outcome(name, result));
      };
    });
  }
}

/**
 * @param {any} connection
 * @returns {string} of its file, which Node tells from version 24 on; before that, two connections to
 *   one file are two databases
 */
function placeOf(connection) {
  return connection.location?.() ?? "";
}

/**
 * @param {string} name of the method
 * @param {any} result
 */
function outcome(name, result) {
  if (name === "run") return { hasChanged: Number(result.changes) > 0 };
  if (name === "iterate") return {};
  return { rows: name === "get" ? Number(result !== undefined) : result.length };
}

/**
 * @param {string} place
 * @param {(() => any) | undefined} open
 * @param {Function} prepare
 */
function accessOf(place, open, prepare) {
  return new SqliteAccess(place || ":memory:", {
    isOpen: (connection) => connection.isOpen ?? isAnswering(connection, prepare),
    open,
    rows(connection, text) {
      const statement = prepare.call(connection, text);
      statement.setReadBigInts(true);
      const rows = statement.all();
      return rows.map((/** @type {object} */ row) => Object.values(row).map(plain));
    },
  });
}

/**
 * Whether a connection is open, where Node does not say so.
 *
 * @param {any} connection
 * @param {Function} prepare
 */
function isAnswering(connection, prepare) {
  try {
    return Boolean(prepare.call(connection, "SELECT 1"));
  } catch {
    return false;
  }
}

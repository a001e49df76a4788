/** Watches `better-sqlite3`. */
import { databaseOf, isUnseen, note } from "../databases.js";
import { noted, plain, sqliteValues, wrap } from "./outcome.js";
import { SqliteAccess } from "./sqlite_access.js";

/** Values that are bound to a statement for good. */
/** @type {WeakMap<object, unknown[]>} */
const bound = new WeakMap();

/** @param {{exports: any}} module */
export function watch(module) {
  const Connection = module.exports;
  const { prototype } = Connection;
  const { prepare } = prototype;
  let isWatched = false;
  const of = (/** @type {any} */ connection) => {
    const { memory, name } = connection;
    const open = memory ? undefined : () => new Connection(name);
    return databaseOf(memory ? connection : name, () => accessOf(name, open, prepare), connection);
  };
  wrap(prototype, "prepare", (original) => {
    return function (...values) {
      if (isUnseen()) return original.apply(this, values);
      of(this);
      const statement = original.apply(this, values);
      // The class is not exported.
      if (!isWatched) watchStatements(Object.getPrototypeOf(statement), of);
      isWatched = true;
      return statement;
    };
  });
  wrap(prototype, "exec", (original) => {
    return function (text, ...values) {
      const execute = () => original.call(this, text, ...values);
      if (isUnseen()) return execute();
      const executed = note(of(this), String(text), () => ({ positional: [] }));
      return noted(executed, execute, () => ({}));
    };
  });
}

/**
 * @param {any} prototype
 * @param {(connection: any) => import("../database.js").Database} of
 */
function watchStatements(prototype, of) {
  wrap(prototype, "bind", (original) => {
    return function (...values) {
      const result = original.apply(this, values);
      bound.set(this, values);
      return result;
    };
  });
  for (const name of ["run", "get", "all", "iterate"]) {
    wrap(prototype, name, (original) => {
      return function (...values) {
        const execute = () => original.apply(this, values);
        if (isUnseen()) return execute();
        const given = () => sqliteValues(bound.get(this) ?? values);
        const executed = note(of(this.database), this.source, given);
        return noted(executed, execute, (result) => outcome(this, name, result));
      };
    });
  }
}

/**
 * @param {any} statement
 * @param {string} name of the method
 * @param {any} result
 */
function outcome(statement, name, result) {
  if (name === "run") return { hasChanged: result.changes > 0 };
  if (name === "iterate") return {};
  const rows = name === "get" ? Number(result !== undefined) : result.length;
  // What RETURNING gives was changed.
  return { rows, hasChanged: !statement.readonly && rows > 0 };
}

/**
 * @param {string} name
 * @param {(() => any) | undefined} open
 * @param {Function} prepare
 */
function accessOf(name, open, prepare) {
  return new SqliteAccess(name, {
    isOpen: (connection) => connection.open,
    open,
    rows(connection, text) {
      const statement = prepare.call(connection, text);
      if (!statement.reader) return statement.run() && [];
      const rows = statement.raw().safeIntegers().all();
      return rows.map((/** @type {unknown[]} */ row) => row.map(plain));
    },
  });
}

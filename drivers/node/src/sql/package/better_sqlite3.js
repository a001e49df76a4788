/** Watches `better-sqlite3`. */
import { databaseOf, isUnseen, note, unseen } from "../databases.js";
import { noted, plain, sqliteValues, wrap } from "./outcome.js";

/** Values that are bound to a statement for good. */
/** @type {WeakMap<object, unknown[]>} */
const bound = new WeakMap();

/** @param {{exports: any}} module */
export function watch(module) {
  const { prototype } = module.exports;
  const { prepare } = prototype;
  let isWatched = false;
  const of = (/** @type {any} */ connection) => {
    const key = connection.memory ? connection : connection.name;
    return databaseOf(key, () => accessOf(connection, prepare));
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
 * @param {any} connection
 * @param {Function} prepare
 * @returns {import("../database.js").Access}
 */
function accessOf(connection, prepare) {
  /** @param {string} text */
  const all = (text) =>
    unseen(() => {
      const statement = prepare.call(connection, text);
      if (!statement.reader) return statement.run() && [];
      const rows = statement.raw().safeIntegers().all();
      return rows.map((/** @type {unknown[]} */ row) => row.map(plain));
    });
  return { dialect: "sqlite", name: connection.name, isSynchronous: true, all };
}

/** Watches Node's own SQLite. */
import { databaseOf, isUnseen, note, unseen } from "../databases.js";
import { withoutWarnings } from "../../quiet.js";
import { noted, plain, sqliteValues, wrap } from "./outcome.js";

/** @type {WeakMap<object, any>} connections of statements */
const connections = new WeakMap();
/** @type {WeakMap<object, any>} how connections of each database are asked: the last one opened */
const last = new WeakMap();

export function watch() {
  /** @type {any} */
  const sqlite = withoutWarnings(() => process.getBuiltinModule("node:sqlite"));
  const { DatabaseSync, StatementSync } = sqlite;
  const { prepare } = DatabaseSync.prototype;
  const of = (/** @type {any} */ connection) => {
    const database = databaseOf(keyOf(connection), () => accessOf(connection, prepare));
    last.set(database, connection);
    return database;
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

/** @param {any} connection */
function keyOf(connection) {
  // Files have a place from Node 24 on; connections to one file are databases of their own before.
  return connection.location?.() || connection;
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
 * @param {any} connection
 * @param {Function} prepare
 * @returns {import("../database.js").Access}
 */
function accessOf(connection, prepare) {
  /** @param {string} text */
  const all = (text) =>
    unseen(() => {
      const statement = prepare.call(connection, text);
      statement.setReadBigInts(true);
      const rows = statement.all();
      return rows.map((/** @type {object} */ row) => Object.values(row).map(plain));
    });
  const name = connection.location?.() ?? "";
  return { dialect: "sqlite", name: name || ":memory:", isSynchronous: true, all };
}

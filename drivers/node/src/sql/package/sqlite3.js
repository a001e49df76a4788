/** Watches `sqlite3`, which answers later. */
import { resolve } from "node:path";
import { databaseOf, note, readiness } from "../databases.js";
import { sqliteValues, wrap } from "./outcome.js";
import { now } from "../../time.js";

/** @typedef {import("../database.js").Executed} Executed */

/** How long a statement of our own waits for those of the service, in milliseconds. */
const PATIENCE = 2_000;

/** Connections of our own. */
/** @type {WeakSet<object>} */
const ours = new WeakSet();
/** @type {WeakMap<object, any>} connections of statements */
const connections = new WeakMap();

/** @param {{exports: any}} module */
export function watch(module) {
  const { Database, Statement } = module.exports;
  const { all } = Database.prototype;
  const of = (/** @type {any} */ connection) => {
    const place = placeOf(connection.filename);
    return databaseOf(place || connection, () => accessOf(Database, all, place, connection));
  };
  wrap(Database.prototype, "prepare", (original) => {
    return function (...values) {
      const statement = original.apply(this, values);
      if (!ours.has(this)) connections.set(statement, this);
      return statement;
    };
  });
  for (const name of ["run", "get", "all", "each", "map", "exec"]) {
    wrap(Database.prototype, name, (original) => {
      return function (...values) {
        if (ours.has(this) || isOwn) return original.apply(this, values);
        const [text, ...rest] = values;
        const database = of(this);
        follow(
          note(database, String(text), () => valuesOf(rest)),
          values,
        );
        const waited = readiness(database);
        if (!waited) return original.apply(this, values);
        void waited.then(() => original.apply(this, values));
        return this;
      };
    });
  }
  for (const name of ["run", "get", "all", "each"]) {
    wrap(Statement.prototype, name, (original) => {
      return function (...values) {
        const connection = connections.get(this);
        if (connection) {
          const given = () => valuesOf(values);
          follow(note(of(connection), String(/** @type {any} */ (this).sql), given), values);
        }
        return original.apply(this, values);
      };
    });
  }
}

/** Whether a call is one of our own, on a connection that the service uses too. */
let isOwn = false;

/**
 * @param {string | undefined} file
 * @returns {string} where the database is; empty for one in memory
 */
function placeOf(file) {
  if (!file || file === ":memory:" || /mode=memory/.test(file)) return "";
  return file.startsWith("file:") ? file : resolve(file);
}

/** @param {any[]} values of a call, perhaps with a callback */
function valuesOf(values) {
  return sqliteValues(values.filter((value) => typeof value !== "function"));
}

/**
 * @param {Executed | undefined} executed
 * @param {any[]} values whose callback is replaced
 */
function follow(executed, values) {
  const at = values.findIndex((value) => typeof value === "function");
  if (!executed || at < 0) return;
  const callback = values[at];
  const began = now();
  values[at] = function (/** @type {any} */ error, /** @type {any} */ result) {
    executed.milliseconds = Math.round(now() - began);
    if (error) executed.hasFailed = true;
    else if (Array.isArray(result)) executed.rows = result.length;
    else if (result !== undefined) executed.rows = 1;
    const { changes } = /** @type {any} */ (this) ?? {};
    if (/^\s*(insert|update|delete|replace)\b/i.test(executed.statement) && changes > 0) {
      executed.hasChanged = true;
    }
    return callback.apply(this, arguments);
  };
}

/**
 * @param {any} Database
 * @param {Function} read
 * @param {string} place
 * @param {any} connection of the service
 * @returns {import("../database.js").Access}
 */
function accessOf(Database, read, place, connection) {
  /** @type {any} */
  let own;
  const opened = () => {
    if (!place) return connection;
    if (own) return own;
    own = new Database(place);
    ours.add(own);
    own.configure("busyTimeout", PATIENCE);
    return own;
  };
  /**
   * @param {string} text
   * @returns {Promise<unknown[][]>}
   */
  const all = (text) =>
    new Promise((resolve, reject) => {
      isOwn = true;
      try {
        read.call(opened(), text, (/** @type {any} */ error, /** @type {any} */ rows) => {
          if (error) reject(error);
          else resolve((rows ?? []).map((/** @type {object} */ row) => Object.values(row)));
        });
      } finally {
        isOwn = false;
      }
    });
  return { dialect: "sqlite", name: place || ":memory:", isSynchronous: false, all };
}

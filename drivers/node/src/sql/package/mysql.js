/** Watches `mysql2` and `mysql`, which ask in the same way: pools and object mappers come by here. */
import { databaseOf, note } from "../databases.js";
import { wrap } from "./outcome.js";
import { now } from "../../time.js";

/** @typedef {import("../database.js").Executed} Executed */

/** What a client says who sends several statements as one text. */
const MULTI_STATEMENTS = 1 << 16;

/** Connections of our own. */
/** @type {WeakSet<object>} */
const ours = new WeakSet();

/** @param {{exports: any}} module that makes the class of connections */
export function watch(module) {
  const Connection = module.exports;
  // Newer versions have a class behind the class.
  if (!Object.hasOwn(Connection.prototype, "query")) return;
  classes.push(Connection);
  wrap(Connection.prototype, "query", (original) => {
    return function (...values) {
      if (ours.has(this)) return original.apply(this, values);
      const database = databaseAt(Connection, this.config);
      const follow = following(values);
      const result = original.apply(this, values);
      // Its values stand in the text now.
      follow(note(database, String(result?.sql ?? textOf(values[0])), () => ({ positional: [] })));
      return result;
    };
  });
  wrap(Connection.prototype, "execute", (original) => {
    return function (...values) {
      if (ours.has(this)) return original.apply(this, values);
      const database = databaseAt(Connection, this.config);
      const follow = following(values);
      const result = original.apply(this, values);
      // Named values have become positions there, and the text has marks for them.
      const given = [result?.values, values[1], values[0]?.values].find(Array.isArray) ?? [];
      follow(
        note(database, String(result?.sql ?? textOf(values[0])), () => ({ positional: given })),
      );
      return result;
    };
  });
}

/** @param {{exports: any}} module that makes the class of pools, which connect when they are used */
export function watchPool(module) {
  const Pool = module.exports;
  if (!Object.hasOwn(Pool.prototype, "getConnection")) return;
  class WatchedPool extends Pool {
    /** @param {any} options */
    constructor(options) {
      super(options);
      const Connection = classes.at(-1);
      if (Connection) databaseAt(Connection, options.config.connectionConfig);
    }
  }
  Object.defineProperty(WatchedPool, "name", { value: Pool.name });
  module.exports = WatchedPool;
}

/** @type {any[]} classes of connections that were loaded */
const classes = [];

/** @param {any} sql */
function textOf(sql) {
  return typeof sql === "string" ? sql : String(sql?.sql ?? "");
}

/**
 * Replaces the callback of a call.
 *
 * @param {any[]} values
 * @returns {(executed: Executed | undefined) => void} told of the statement, whose outcome is noted
 */
function following(values) {
  /** @type {Executed | undefined} */
  let executed;
  const began = now();
  const at = values.findIndex((value) => typeof value === "function");
  const callback = values[at];
  if (callback) {
    values[at] = function (/** @type {any} */ error, /** @type {any} */ result) {
      if (executed) {
        executed.milliseconds = Math.round(now() - began);
        if (error) executed.hasFailed = true;
        else tell(executed, result);
      }
      return callback.apply(this, arguments);
    };
  }
  return (one) => (executed = one);
}

/**
 * @param {Executed} executed
 * @param {any} result
 */
function tell(executed, result) {
  // Of several statements in one text there are several results.
  if (Array.isArray(result)) executed.rows = result.length;
  else executed.hasChanged = Number(result?.affectedRows) > 0;
}

/**
 * @param {any} Connection
 * @param {any} config
 */
function databaseAt(Connection, config) {
  const { host, port, user, database, socketPath } = config;
  const name = `${user ?? ""}@${socketPath ?? `${host}:${port}`}/${database ?? ""}`;
  return databaseOf(`mysql ${name}`, () => accessOf(Connection, config, name));
}

/**
 * @param {any} config
 * @returns {any} the same, with what is hidden from loops: Knex hides the password
 */
function copyOf(config) {
  return Object.create(Object.getPrototypeOf(config), Object.getOwnPropertyDescriptors(config));
}

/**
 * A connection of our own, so that transactions of the service stay its own.
 *
 * @param {any} Connection
 * @param {any} config
 * @param {string} name
 * @returns {import("../database.js").Access}
 */
function accessOf(Connection, config, name) {
  /** @type {any} */
  let connection;
  const connect = () => {
    const own = Object.assign(copyOf(config), {
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: true,
      rowsAsArray: false,
      nestTables: false,
      typeCast: true,
      namedPlaceholders: false,
      clientFlags: config.clientFlags | MULTI_STATEMENTS,
    });
    const made = new Connection({ config: own });
    ours.add(made);
    // The service ends when it wants to.
    const end = () => (connection = undefined);
    made.on("error", end).on("end", end);
    return made;
  };
  /**
   * @param {string} text
   * @returns {Promise<unknown[][]>}
   */
  const all = (text) =>
    new Promise((resolve, reject) => {
      connection ??= connect();
      const socket = connection.stream ?? connection._socket;
      socket?.ref?.();
      connection.query(text, (/** @type {any} */ error, /** @type {any} */ rows) => {
        (connection?.stream ?? connection?._socket)?.unref?.();
        if (error) reject(error);
        else resolve(Array.isArray(rows) ? rows.map((row) => Object.values(row ?? {})) : []);
      });
    });
  return { dialect: "mysql", name, isSynchronous: false, all };
}

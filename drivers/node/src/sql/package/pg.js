/** Watches `pg`: one point sees all, pools, cursors and object mappers included. */
import { databaseOf, note, readiness } from "../databases.js";
import { wrap } from "./outcome.js";
import { now } from "../../time.js";

/** @typedef {import("../database.js").Executed} Executed */

/** Begins looking at rows, which takes its time only so long. */
const LOOKING = "BEGIN READ ONLY; SET LOCAL statement_timeout = '2s'";

/** Connections of our own. */
/** @type {WeakSet<object>} */
const ours = new WeakSet();

/** @param {{exports: any}} module */
export function watch(module) {
  const Client = module.exports;
  wrap(Client.prototype, "query", (original) => {
    return function (...values) {
      if (ours.has(this)) return original.apply(this, values);
      const database = databaseOfClient(Client, this);
      const statement = statementOf(values[0]);
      const given = () => ({ positional: valuesOf(values) });
      const executed = note(database, statement, given);
      const waited = readiness(database);
      if (executed) followCallback(executed, values);
      const result = waited ? later(waited, original, this, values) : original.apply(this, values);
      return executed && typeof result?.then === "function" ? followed(executed, result) : result;
    };
  });
}

/**
 * A database that was opened late is looked at first.
 *
 * @param {Promise<void>} waited
 * @param {Function} original
 * @param {any} client
 * @param {any[]} values
 */
function later(waited, original, client, values) {
  const result = waited.then(() => original.apply(client, values));
  const [config] = values;
  if (typeof config?.submit === "function") return config;
  return values.some((value) => typeof value === "function") ? undefined : result;
}

/** @param {any} config */
function statementOf(config) {
  if (typeof config === "string") return config;
  return String(config?.text ?? config?.cursor?.text ?? "");
}

/** @param {any[]} values of the call */
function valuesOf([config, values]) {
  if (Array.isArray(values)) return values;
  const own = config?.values ?? config?.cursor?.values;
  return Array.isArray(own) ? own : [];
}

/**
 * What the service is given in the place of the promise: a refusal that nobody hears of stays one.
 *
 * @param {Executed} executed
 * @param {Promise<any>} result
 */
function followed(executed, result) {
  const began = now();
  const end = () => (executed.milliseconds = Math.round(now() - began));
  return result.then(
    (found) => {
      end();
      tell(executed, found);
      return found;
    },
    (error) => {
      end();
      executed.hasFailed = true;
      throw error;
    },
  );
}

/**
 * @param {Executed} executed
 * @param {any[]} values whose callback is replaced
 */
function followCallback(executed, values) {
  const at = values.findIndex((value) => typeof value === "function");
  if (at < 0) return;
  const callback = values[at];
  values[at] = function (/** @type {any} */ error, /** @type {any} */ result) {
    if (error) executed.hasFailed = true;
    else tell(executed, result);
    return callback.apply(this, arguments);
  };
}

/**
 * @param {Executed} executed
 * @param {any} result
 */
function tell(executed, result) {
  if (!result || Array.isArray(result)) return;
  executed.rows = result.rows?.length;
  executed.hasChanged =
    /^(INSERT|UPDATE|DELETE|MERGE)$/.test(result.command) && result.rowCount > 0;
}

/**
 * @param {any} Client
 * @param {any} client
 */
function databaseOfClient(Client, client) {
  const { host, port, user, database, password, ssl } = client;
  return databaseAt(Client, { host, port, user, database, password, ssl });
}

/**
 * @param {any} Client
 * @param {any} config
 */
export function databaseAt(Client, config) {
  const { host, port, user, database } = config;
  const name = `${user}@${host}:${port}/${database}`;
  return databaseOf(`pg ${name}`, () => accessOf(Client, config, name));
}

/**
 * A connection of our own, so that transactions of the service stay its own.
 *
 * @param {any} Client
 * @param {any} config
 * @param {string} name
 * @returns {import("../database.js").Access}
 */
function accessOf(Client, config, name) {
  /** @type {Promise<any> | undefined} */
  let connected;
  const connect = async () => {
    const client = new Client(config);
    ours.add(client);
    client.on("error", () => (connected = undefined));
    await client.connect();
    // The service ends when it wants to.
    client.unref?.();
    return client;
  };
  /** @param {string} text */
  const ask = async (text) => {
    connected ??= connect();
    connected.catch(() => (connected = undefined));
    return (await connected).query({ text, rowMode: "array" });
  };
  /** @param {string} text */
  const all = async (text) => {
    const result = await ask(text);
    return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
  };
  // What a condition calls may write, or give numbers: only looking has no such effect.
  const look = async (/** @type {string} */ text) => {
    try {
      const results = await ask(`${LOOKING}; ${text}; ROLLBACK`);
      return results.at(-2)?.rows ?? [];
    } catch (error) {
      await all("ROLLBACK");
      throw error;
    }
  };
  return { dialect: "postgresql", name, isSynchronous: false, all, look };
}

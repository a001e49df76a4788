/** Watches `pg-pool`: it connects when it is first used, which may be too late to look at a schema. */
import { databaseAt } from "./pg.js";

/** @param {{exports: any}} module */
export function watch(module) {
  const Pool = module.exports;
  class WatchedPool extends Pool {
    /**
     * @param {any} options
     * @param {any} Client
     */
    constructor(options, Client) {
      super(options, Client);
      announce(this.Client, this.options);
    }
  }
  Object.defineProperty(WatchedPool, "name", { value: Pool.name });
  module.exports = WatchedPool;
}

/**
 * @param {any} Client
 * @param {any} options of the pool
 */
function announce(Client, options) {
  if (!Client) return;
  try {
    // What is not said comes from the environment: a connection that is never opened knows.
    const { host, port, user, database, password, ssl } = new Client(options);
    databaseAt(Client, { host, port, user, database, password, ssl });
  } catch {
    // The service hears of it when it connects.
  }
}

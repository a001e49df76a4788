/** How an SQLite database is asked: on the connection that the service used last. */
import { unseen } from "../databases.js";

/**
 * What the packages do in their own ways.
 *
 * @typedef {object} Way
 * @property {(connection: any) => boolean} isOpen
 * @property {((name: string) => any) | undefined} open opens the file again, where it is one
 * @property {(connection: any, statement: string) => unknown[][]} rows
 */

export class SqliteAccess {
  /**
   * @param {string} name for people; the place of the file, where it is one
   * @param {Way} way
   */
  constructor(name, way) {
    this.dialect = /** @type {const} */ ("sqlite");
    this.isSynchronous = true;
    this.name = name;
    this.way = way;
    /** @type {any} */
    this.connection = undefined;
    /** @type {any} one of our own, where the service has none at the moment */
    this.own = undefined;
    this.all = (/** @type {string} */ statement) =>
      unseen(() => way.rows(this.#connection(), statement));
  }

  /** @param {any} connection that the service uses now */
  use(connection) {
    this.connection = connection;
    if (!this.own) return;
    this.own.close();
    this.own = undefined;
  }

  /** Whether it went with its connection. */
  isGone() {
    return !this.way.open && !this.way.isOpen(this.connection);
  }

  #connection() {
    if (this.way.isOpen(this.connection)) return this.connection;
    this.own ??= this.way.open?.(this.name) ?? this.connection;
    return this.own;
  }
}

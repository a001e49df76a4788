/**
 * Which packages of databases are watched, and how: the prototypes of their classes are wrapped when
 * their file is loaded, every copy of it. Nothing of SQL is loaded before one of them is.
 */
import { load } from "../../quiet.js";

/** The file that makes the class, and the module here that wraps it. */
const PACKAGES = [
  { file: /[\\/]better-sqlite3[\\/]lib[\\/]database\.js$/, watcher: "better_sqlite3" },
  { file: /[\\/]pg[\\/]lib[\\/]client\.js$/, watcher: "pg" },
  { file: /[\\/]pg[\\/]lib[\\/]native[\\/]client\.js$/, watcher: "pg" },
  { file: /[\\/]pg-pool[\\/]index\.js$/, watcher: "pg_pool" },
  { file: /[\\/]sqlite3[\\/]lib[\\/]sqlite3\.js$/, watcher: "sqlite3" },
  { file: /[\\/]mysql2[\\/]lib[\\/](?:base[\\/])?connection\.js$/, watcher: "mysql" },
  { file: /[\\/]mysql2[\\/]lib[\\/](?:base[\\/])?pool\.js$/, watcher: "mysql", part: "watchPool" },
  { file: /[\\/]mysql[\\/]lib[\\/]Connection\.js$/, watcher: "mysql" },
  { file: /[\\/]mysql[\\/]lib[\\/]Pool\.js$/, watcher: "mysql", part: "watchPool" },
];

/**
 * @param {string} file that was loaded
 * @param {{exports: any}} module
 */
export function watchPackage(file, module) {
  const found = PACKAGES.find((one) => one.file.test(file));
  if (!found) return;
  const { watcher, part = "watch" } = found;
  attempt(() => load(`./sql/package/${watcher}.js`)[part](module), file);
}

/** Wraps Node's own SQLite, once somebody wants it. */
export function watchNodeSqlite() {
  if (isWatched) return;
  isWatched = true;
  attempt(() => load("./sql/package/node_sqlite.js").watch(), "node:sqlite");
}

let isWatched = false;

/**
 * A database that cannot be watched is no reason to stop.
 *
 * @param {() => void} work
 * @param {string} what
 */
function attempt(work, what) {
  try {
    work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`wallace: what ${what} executes is not seen: ${reason}\n`);
  }
}

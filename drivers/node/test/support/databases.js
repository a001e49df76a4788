/** Databases for tests: SQLite of Node or of the fixture's packages, and a PostgreSQL of its own. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export const LIBRARY = new URL("../../fixtures/library/", import.meta.url).pathname;

/** @type {any} */
const loader = process;

/** @returns {((file: string) => any) | undefined} opens an SQLite database, where there is any */
export function sqlite() {
  const own = loader.getBuiltinModule?.("node:sqlite");
  if (own) return (file) => new own.DatabaseSync(file);
  try {
    const Database = createRequire(join(LIBRARY, "x.js"))("better-sqlite3");
    new Database(":memory:").close();
    return (file) => new Database(file);
  } catch {
    return undefined;
  }
}

/** Why tests with SQLite are left out; `false` where they are not. */
export const noSqlite = sqlite()
  ? false
  : "no SQLite: Node 22 or later, or `npm install` in fixtures/library";

/** Why tests with better-sqlite3 are left out; `false` where they are not. */
export const noBetterSqlite = (() => {
  try {
    const require = createRequire(join(LIBRARY, "x.js"));
    new (require("better-sqlite3"))(":memory:").close();
    require.resolve("express");
    return false;
  } catch {
    return "the fixture is not installed: `npm install` in fixtures/library";
  }
})();

/**
 * @param {any} connection
 * @returns {import("../../src/sql/database.js").Access}
 */
export function sqliteAccess(connection) {
  /** @param {string} text */
  const all = (text) => connection.prepare(text)[kindOf(text)]();
  const rows = (/** @type {string} */ text) => {
    const found = all(text);
    return Array.isArray(found) ? found.map((row) => Object.values(row)) : [];
  };
  return { dialect: "sqlite", name: ":memory:", isSynchronous: true, all: rows };
}

/** @param {string} text */
function kindOf(text) {
  return /^\s*(SELECT|WITH|PRAGMA table)/i.test(text) ? "all" : "run";
}

/** Why tests with PostgreSQL are left out; `false` where they are not. */
export const noPostgresql = (() => {
  try {
    execFileSync("initdb", ["--version"], { stdio: "ignore" });
    execFileSync("postgres", ["--version"], { stdio: "ignore" });
    return isRoot() && !postgresUser() ? "PostgreSQL does not run as root" : false;
  } catch {
    return "PostgreSQL is not installed";
  }
})();

function isRoot() {
  return process.getuid?.() === 0;
}

/** @returns {{uid: number, gid: number} | undefined} who may run PostgreSQL in root's place */
function postgresUser() {
  if (!isRoot()) return undefined;
  try {
    const id = (/** @type {string} */ flag) =>
      Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

/**
 * Starts a PostgreSQL in a folder of its own, at a free port of this machine.
 *
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
export async function startPostgresql() {
  const user = postgresUser();
  const folder = mkdtempSync(join(tmpdir(), "wallace-pg-"));
  chmodSync(folder, 0o755);
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initial = ["-D", data, "-U", "wallace", "-A", "trust", "--no-sync", "-E", "UTF8"];
  execFileSync("initdb", initial, { ...user, cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const options = ["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", folder, "-F"];
  const server = spawn("postgres", options, { ...user, cwd: folder, stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const url = `postgres://wallace@127.0.0.1:${port}/postgres`;
  await answering(url);
  const stop = async () => {
    server.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** @param {string} url */
async function answering(url) {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error("PostgreSQL does not answer");
}

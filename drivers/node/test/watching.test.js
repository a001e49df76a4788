/** What packages of databases do for the service is the same when they are watched. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { KEEPS_SQL } from "../src/runtime/memory.js";
import * as databases from "../src/sql/databases.js";
import { watch } from "../src/sql/package/better_sqlite3.js";
import { LIBRARY, noBetterSqlite } from "./support/databases.js";

test("a refusal of PostgreSQL that nobody handles still ends the service", () => {
  const source = (/** @type {string} */ name) => new URL(`../src/${name}`, import.meta.url).href;
  const program = `
    import { memory } from "${source("runtime/recording.js")}";
    import { watch } from "${source("sql/package/pg.js")}";
    memory.control[${KEEPS_SQL}] = 1;
    class Client { async query() { throw new Error("refused"); } }
    watch({ exports: Client });
    await new Client().query().catch(() => {});
    new Client().query();
  `;
  const words = ["--input-type=module", "-e", program];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stderr, /refused/);
});

test("SQLite's rows come back whatever the service did", { skip: noBetterSqlite }, async () => {
  const module = { exports: createRequire(join(LIBRARY, "x.js"))("better-sqlite3") };
  watch(module);
  const Connection = module.exports;
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const file = join(folder, "a.db");
  let connection = new Connection(file);
  connection.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id) ON DELETE RESTRICT);
    INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, 1);
  `);
  await databases.start("");
  const count = () =>
    connection.prepare("SELECT (SELECT count(*) FROM a), (SELECT count(*) FROM b)").raw().get();

  // A row that is referred to may not be deleted, not even for a moment.
  connection.prepare("INSERT INTO a VALUES (2, ?)").run("y");
  await databases.restore();
  assert.deepEqual(count(), [1, 1]);
  assert.equal(connection.pragma("foreign_keys", { simple: true }), 1);

  // The end of a transaction that was left open does not undo it.
  connection.exec("BEGIN");
  connection.exec("DELETE FROM b");
  await databases.restore();
  assert.deepEqual([count(), connection.inTransaction], [[1, 1], false]);

  // The connection may be another one, or none.
  connection.exec("DELETE FROM b");
  connection.close();
  await databases.restore();
  connection = new Connection(file);
  assert.deepEqual(count(), [1, 1]);
  connection.exec("DELETE FROM b");
  await databases.restore();
  assert.deepEqual(count(), [1, 1]);

  // What is not there any more is not found among the copies.
  connection.exec("DROP TABLE b");
  assert.throws(() => connection.prepare("SELECT * FROM b"), /no such table/);
  connection.close();
  rmSync(folder, { recursive: true });
});

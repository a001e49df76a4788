/** MySQL and MariaDB: the same promises as for SQLite, against the server that MYSQL_URL names. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import mysql from "mysql2/promise";
import { Database } from "../src/sql/database.js";
import { Driver } from "./support/driver.js";
import { CHANGES, QUERIES, STATES, TABLES } from "./support/statements.js";

const server = process.env.MYSQL_URL ?? "";
const skip = server ? false : "no server: MYSQL_URL names none";
const NAME = "wallace_test";
/** @type {mysql.Connection} */
let client;

before(async () => {
  if (skip) return;
  client = await mysql.createConnection({
    uri: server,
    multipleStatements: true,
    dateStrings: true,
  });
  await client.query("SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'");
});

after(async () => {
  if (skip) return;
  await client.query(`DROP DATABASE IF EXISTS ${NAME}`);
  await client.end();
});

/** @returns {import("../src/sql/database.js").Access} */
function access() {
  const all = async (/** @type {string} */ text) => {
    const [rows] = await client.query(text);
    return Array.isArray(rows) ? rows.map((row) => Object.values(row)) : [];
  };
  return { dialect: "mysql", name: "test", isSynchronous: false, all };
}

async function empty() {
  await client.query(`DROP DATABASE IF EXISTS ${NAME}; CREATE DATABASE ${NAME}; USE ${NAME}`);
}

/**
 * @param {string} text
 * @returns {Promise<any[]>}
 */
async function rowsOf(text) {
  const [rows] = await client.query(text);
  return /** @type {any[]} */ (rows);
}

test("distances are 0 exactly where MySQL finds a row", { skip }, async () => {
  for (const state of STATES) {
    await empty();
    await client.query(TABLES);
    for (const row of state) await client.query(row);
    const database = new Database(access());
    for (const [statement = "", query = ""] of [
      ...QUERIES.map((query) => [query, query]),
      ...CHANGES,
    ]) {
      const hasRow = (await rowsOf(query)).length > 0;
      const distance = await database.distance(statement);
      assert.equal(distance === 0, hasRow, `${statement}: ${distance}`);
      assert.ok(!distance || (distance > 0 && distance <= 1), `${statement}: ${distance}`);
      // That is said where only the whole statement could be asked about.
      assert.notEqual(distance, 1 - 1e-9, statement);
    }
  }
});

const SCHEMA = `
  CREATE TABLE a (
    id INT AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(20) NOT NULL UNIQUE,
    mood ENUM('sad', 'happy'),
    price DECIMAL(8, 2) CHECK (price > 0),
    twice DECIMAL(9, 2) GENERATED ALWAYS AS (price * 2) STORED,
    data BLOB,
    born DATETIME,
    best INT
  );
  CREATE TABLE b (
    id INT AUTO_INCREMENT PRIMARY KEY,
    a_id INT NOT NULL,
    FOREIGN KEY (a_id) REFERENCES a (id) ON DELETE CASCADE
  );
  INSERT INTO a (name, price, data, mood, born) VALUES ('o\\\\n''e', 1.10, x'00ff', 'sad', '2020-01-02 03:04:05'),
    ('two', 12345.67, NULL, NULL, NULL);
  INSERT INTO b (a_id) VALUES (1), (2);
`;

test("rows of the start come back, and numbers that were given", { skip }, async () => {
  await empty();
  await client.query(SCHEMA);
  const database = new Database(access());
  await database.takeSeed("");
  assert.equal(database.trouble, "");
  const shown = async () =>
    JSON.stringify([
      await rowsOf("SELECT * FROM a ORDER BY id"),
      await rowsOf("SELECT * FROM b ORDER BY id"),
    ]);
  const first = await shown();
  for (const change of [
    "UPDATE a SET name = 'x' WHERE id = 2",
    "DELETE FROM a WHERE id = 2",
    "INSERT INTO a (name) VALUES ('three')",
    "TRUNCATE b",
  ]) {
    await client.query(change);
    database.writes.add(change);
    await database.restore();
    assert.equal(await shown(), first, change);
  }
  await client.query("INSERT INTO a (name) VALUES ('three')");
  assert.equal((await rowsOf("SELECT max(id) AS n FROM a"))[0].n, 3);
});

test("the schema is told in the words of the protocol", { skip }, async () => {
  await empty();
  await client.query(SCHEMA);
  const { message } = await new Database(access()).schema();
  assert.equal(message.databaseType, "MYSQL");
  assert.deepEqual(message.enumeraredTypes, [{ name: "a_mood", values: ["sad", "happy"] }]);
  const [a, b] = message.tables;
  assert.deepEqual(
    a?.columns.map(({ name, type, size, nullable, unique, autoIncrement }) =>
      [name, type, size, nullable, unique, autoIncrement].join(" "),
    ),
    [
      "id INT 10 false false true",
      "name VARCHAR 20 false true false",
      "mood a_mood 5 true false false",
      "price DECIMAL 8 true false false",
      "data BLOB 65535 true false false",
      "born DATETIME 255 true false false",
      "best INT 10 true false false",
    ],
  );
  assert.deepEqual(a?.primaryKeySequence, ["id"]);
  assert.equal(a?.tableCheckExpressions.length, 1);
  assert.deepEqual(b?.foreignKeys, [
    { sourceColumns: ["a_id"], targetTable: "a", targetColumns: ["id"] },
  ]);
  assert.equal(b?.columns[1]?.foreignKeyToAutoIncrement, true);
});

const SERVER = `
const http = require("node:http");
const mysql = require("mysql2");
const pool = mysql.createPool({ uri: process.env.MYSQL_URL, database: "${NAME}" });
const promised = pool.promise();
const ways = {
  query: async (name) => (await promised.query("SELECT id FROM pet WHERE name = ?", [name]))[0],
  execute: async (name) => (await promised.execute("SELECT id FROM pet WHERE name = ?", [name]))[0],
  callback: (name) => new Promise((resolve, reject) => pool.query(
    { sql: "SELECT id FROM pet WHERE name = ?", values: [name] },
    (error, rows) => error ? reject(error) : resolve(rows))),
  insert: async (name) => {
    const connection = await promised.getConnection();
    try {
      await connection.beginTransaction();
      const [made] = await connection.query("INSERT INTO pet SET ?", { name });
      await connection.commit();
      return [made.insertId];
    } finally { connection.release(); }
  },
};
http.createServer(async (request, response) => {
  if (request.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  const [, way, name] = request.url.split("/");
  try {
    const rows = await ways[way](decodeURIComponent(name));
    response.statusCode = rows.length ? 200 : 404;
    response.end(JSON.stringify(rows));
  } catch (error) { response.statusCode = 500; response.end(String(error)); }
}).listen(0);
`;

test("a service on mysql2 is seen, and opened by rows", { skip }, async () => {
  await empty();
  await client.query(
    "CREATE TABLE pet (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL)",
  );
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "server.js"), SERVER);
  mkdirSync(join(folder, "node_modules"));
  const modules = new URL("../node_modules/", import.meta.url).pathname;
  for (const name of readdirSync(modules)) {
    if (!name.startsWith(".")) symlinkSync(join(modules, name), join(folder, "node_modules", name));
  }
  const driver = await Driver.start(folder, ["node", "server.js"]);
  try {
    await driver.reset();
    const { sqlSchemaDto } = await driver.info();
    assert.equal(sqlSchemaDto.databaseType, "MYSQL");
    assert.equal((await driver.get("/query/rex")).status, 404);
    assert.equal((await driver.get("/execute/rex", 1)).status, 404);
    assert.equal((await driver.get("/callback/rex", 2)).status, 404);
    const missed = (await driver.results()).extraHeuristics;
    for (const { heuristics, sqlSqlExecutionsDto } of missed) {
      assert.equal(heuristics[0].id, "SELECT id FROM pet WHERE name = 'rex'");
      assert.deepEqual(sqlSqlExecutionsDto.failedWhere, { pet: ["name"] });
    }
    const data = [
      { variableName: "name", printableValue: '"rex"', foreignKeyToPreviouslyGeneratedRow: null },
    ];
    const insertions = [{ id: 3, targetTable: "pet", data }];
    await driver.reset();
    const made = await driver.call("POST", "/databaseCommand", { idCounter: 1, insertions });
    assert.deepEqual(made.json.data, { idMapping: { 3: 1 }, executionResults: [true] });
    assert.equal((await driver.get("/query/rex")).status, 200);
    assert.equal((await driver.get("/insert/tom", 1)).text, "[2]");
    const [read, written] = (await driver.results()).extraHeuristics;
    assert.equal(read.heuristics[0].value, 0);
    assert.deepEqual(written.sqlSqlExecutionsDto.insertedData, { pet: ["name"] });
    await driver.reset();
    assert.equal((await driver.get("/callback/rex")).status, 404);
    assert.equal((await driver.get("/insert/tom", 1)).text, "[1]");
  } finally {
    await driver.stop();
  }
  assert.deepEqual(await rowsOf("SELECT * FROM pet"), []);
});

/** MySQL and MariaDB: the same promises as for SQLite, against the server that MYSQL_URL names. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import test, { after, before } from "node:test";
import mysql from "mysql2/promise";
import { Database } from "../src/sql/database.js";
import { KEEPS_SQL } from "../src/runtime/memory.js";
import { memory } from "../src/runtime/recording.js";
import { settle, start } from "../src/sql/databases.js";
import { watch } from "../src/sql/package/mysql.js";
import { checkDistances, checkService, petService } from "./support/pets.js";

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

test("distances are 0 exactly where MySQL finds a row", { skip }, () =>
  checkDistances({ empty, rows: rowsOf, access }),
);

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

test(
  "numbers come back that do not follow from rows, or where tables may not be emptied",
  { skip },
  async () => {
    for (const [first, mayTruncate] of /** @type {const} */ ([
      [10, true],
      [3, true],
      [3, false],
    ])) {
      await empty();
      await client.query(`${SCHEMA} ALTER TABLE a AUTO_INCREMENT = ${first}`);
      const { all, ...rest } = access();
      /** @type {string[]} */
      const texts = [];
      const watched = async (/** @type {string} */ text) => {
        texts.push(text);
        if (!mayTruncate && text.includes("TRUNCATE")) throw new Error("denied");
        return all(text);
      };
      const database = new Database({ ...rest, all: watched });
      await database.takeSeed("");
      for (let time = 0; time < 2; time += 1) {
        const insertion = "INSERT INTO a (name) VALUES ('three')";
        await client.query(insertion);
        database.writes.add(insertion);
        assert.equal((await rowsOf("SELECT max(id) AS n FROM a"))[0].n, first);
        texts.length = 0;
        await database.restore();
        assert.equal((await rowsOf("SELECT count(*) AS n FROM a"))[0].n, 2);
      }
      // The numbers, the rows, and what changes a definition where that is the only way.
      assert.equal(texts.length, first === 3 && mayTruncate ? 2 : 3);
      assert.ok(!texts.join().includes("`b`"));
    }
  },
);

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

const WAYS = `
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
`;

test("a service on mysql2 is seen, and opened by rows", { skip }, async () => {
  await empty();
  await client.query(
    "CREATE TABLE pet (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NOT NULL)",
  );
  const modules = new URL("../node_modules/", import.meta.url).pathname;
  const folder = petService(WAYS, modules);
  const schema = await checkService(folder, ["query", "execute", "callback"], "insert");
  assert.equal(schema.databaseType, "MYSQL");
  assert.deepEqual(await rowsOf("SELECT * FROM pet"), []);
});

test("a password that is hidden from loops is used all the same, as that of Knex", async () => {
  /** @type {string[]} */
  const passwords = [];
  class Connection extends EventEmitter {
    /** @param {{config: any}} options */
    constructor({ config }) {
      super();
      this.config = config;
      passwords.push(config.password);
    }

    /** @param {any[]} values */
    query(...values) {
      values.at(-1)(new Error("no server"));
    }
  }
  watch({ exports: Connection });
  const config = { host: "db", port: 1, user: "u", database: "d" };
  Object.defineProperty(config, "password", { value: "secret", enumerable: false });
  new Connection({ config }).query("SELECT 1", () => {});
  await start("");
  assert.deepEqual([...new Set(passwords)], ["secret"]);
  assert.ok(passwords.length > 1);
});

test("values that were given by name are known by position once they are executed", async () => {
  class Connection extends EventEmitter {
    config = { host: "db", port: 1, user: "u", database: "named" };

    /** @param {any[]} values */
    query(...values) {
      values.at(-1)(null, String(values[0]).includes("FROM") ? [] : [{ c0: "named" }]);
    }

    /** @param {any[]} values */
    execute(...values) {
      values.at(-1)(null, []);
      return { sql: "SELECT ? + ?", values: [1, "b"] };
    }
  }
  watch({ exports: Connection });
  memory.control[KEEPS_SQL] = 1;
  try {
    new Connection().execute("SELECT :a + :b", { a: 1, b: "b" }, () => {});
    const { statements } = (await settle())[0] ?? {};
    assert.deepEqual(
      statements?.map(({ text }) => text),
      ["SELECT 1 + 'b'"],
    );
  } finally {
    memory.control[KEEPS_SQL] = 0;
  }
});

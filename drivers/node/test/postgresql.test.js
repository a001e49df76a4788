/** PostgreSQL: the same promises as for SQLite, against a server of the test's own. */
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import pg from "pg";
import { Database } from "../src/sql/database.js";
import { noPostgresql, startPostgresql } from "./support/databases.js";
import { checkDistances, checkService, petService } from "./support/pets.js";

const skip = noPostgresql;
/** @type {{url: string, stop: () => Promise<void>}} */
let server;
/** @type {pg.Client} */
let client;

before(async () => {
  if (skip) return;
  server = await startPostgresql();
  client = new pg.Client(server.url);
  await client.connect();
});

after(async () => {
  await client?.end();
  await server?.stop();
});

/** @returns {import("../src/sql/database.js").Access} */
function access() {
  const all = async (/** @type {string} */ text) =>
    (await client.query({ text, rowMode: "array" })).rows;
  return { dialect: "postgresql", name: "test", isSynchronous: false, all };
}

/** @param {string} text */
async function rowsOf(text) {
  return (await client.query(text)).rows;
}

async function empty() {
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
}

test("distances are 0 exactly where PostgreSQL finds a row", { skip }, () =>
  checkDistances({ empty, rows: rowsOf, access }),
);

test("asking changes nothing, and looks into common table expressions", { skip }, async () => {
  await empty();
  await client.query("CREATE TABLE t (id INT, x TEXT); INSERT INTO t VALUES (5, 'a'), (7, 'b')");
  const database = new Database(access());
  const update = async (/** @type {number} */ id) =>
    Number(
      await database.distance(
        "WITH u AS (UPDATE t SET x = 'z' WHERE id = $1 RETURNING *) SELECT * FROM u",
        [id],
      ),
    );
  assert.equal(await update(5), 0);
  assert.ok((await update(9)) > (await update(8)) && (await update(8)) > 0);
  const rows = (await client.query("SELECT x FROM t ORDER BY id")).rows;
  assert.deepEqual(rows, [{ x: "a" }, { x: "b" }]);
  const read = async (/** @type {number} */ id) =>
    Number(
      await database.distance(
        "WITH a AS (SELECT to_json(r) AS j FROM (SELECT * FROM t WHERE id = $1 ORDER BY id) r), " +
          "b AS (SELECT json_agg(a.j) AS data FROM a) " +
          "SELECT coalesce((SELECT b.data FROM b), '[]'::json)",
        [id],
      ),
    );
  assert.equal(await read(7), 0);
  assert.ok((await read(9)) > (await read(8)) && (await read(8)) > 0);
});

test("parameters may have any type", { skip }, async () => {
  await empty();
  await client.query(
    "CREATE TABLE t (i int, b bigint, u uuid, d timestamptz, x text, j jsonb, f boolean);" +
      "INSERT INTO t VALUES (5, 5, '00000000-0000-0000-0000-000000000001', now(), '5', '{\"a\":1}', true)",
  );
  const database = new Database(access());
  const near = async (/** @type {string} */ text, /** @type {unknown[]} */ values) =>
    database.distance(`SELECT i FROM t WHERE ${text}`, values);
  assert.equal(await near("i = $1 AND x = $1", [5]), 0);
  assert.ok(Number(await near("b = $1", [9n])) < 1);
  assert.ok(Number(await near("u = $1::uuid", ["00000000-0000-0000-0000-000000000002"])) < 1);
  assert.ok(Number(await near("d < $1", [new Date(0)])) < 1);
  assert.equal(await near("f = $1 AND j->>'a' = $2", [true, "1"]), 0);
  assert.equal(
    await near("i = ANY($1) AND x = ANY($2)", [
      [4, 5],
      ['a "b"', "5"],
    ]),
    0,
  );
  const [far, close] = [await near("i = ANY($1)", [[90]]), await near("i = ANY($1)", [[6]])];
  assert.ok(Number(far) > Number(close) && Number(close) > 0);
});

const SCHEMA = `
  CREATE TYPE mood AS ENUM ('sad', 'happy');
  CREATE TABLE a (
    id SERIAL PRIMARY KEY,
    name VARCHAR(20) NOT NULL UNIQUE,
    mood mood,
    price NUMERIC(8, 2) CHECK (price > 0),
    twice NUMERIC GENERATED ALWAYS AS (price * 2) STORED,
    data BYTEA,
    tags TEXT[],
    best INTEGER
  );
  CREATE TABLE b (
    id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    a_id INTEGER NOT NULL REFERENCES a (id) ON DELETE CASCADE
  );
  ALTER TABLE a ADD FOREIGN KEY (best) REFERENCES b (id);
  INSERT INTO a (name, price, data, tags, mood) VALUES ('one', 1.10, '\\x00ff', '{a,"b c"}', 'sad'),
    ('two', 12345.67, NULL, NULL, NULL);
  INSERT INTO b (a_id) VALUES (1), (2);
  UPDATE a SET best = 2 WHERE id = 1;
`;

test("rows of the start come back, and numbers that were given", { skip }, async () => {
  await empty();
  await client.query(SCHEMA);
  const database = new Database(access());
  await database.takeSeed("");
  assert.equal(database.trouble, "");
  const rows = async () =>
    await client.query(
      "SELECT * FROM a ORDER BY id; SELECT * FROM b ORDER BY id; SELECT last_value FROM a_id_seq",
    );
  const shown = async () =>
    JSON.stringify(/** @type {any} */ (await rows()).map((/** @type {any} */ one) => one.rows));
  const first = await shown();
  for (const change of [
    "UPDATE a SET name = 'x' WHERE id = 2",
    "DELETE FROM a WHERE id = 2 AND best IS NULL",
    "INSERT INTO a (name) VALUES ('three')",
    "TRUNCATE a CASCADE",
  ]) {
    try {
      await client.query(change);
    } catch (error) {
      assert.match(String(error), /foreign key/);
    }
    database.writes.add(change);
    await database.restore();
    assert.equal(await shown(), first, change);
  }
});

test("what the service dropped holds up no other table", { skip }, async () => {
  await empty();
  await client.query(
    "CREATE TABLE a (x INT); CREATE TABLE b (x INT, y INT); CREATE TABLE c (x INT);" +
      "INSERT INTO a VALUES (1); INSERT INTO b VALUES (1, 1); INSERT INTO c VALUES (1)",
  );
  const database = new Database(access());
  await database.takeSeed("");
  await client.query("DROP TABLE a; ALTER TABLE b DROP COLUMN y; UPDATE c SET x = 2");
  database.forget();
  database.isUnknown = true;
  await database.restore();
  assert.deepEqual(await rowsOf("SELECT x FROM c"), [{ x: 1 }]);
});

test("rows that were added go by one text, and take no other table along", { skip }, async () => {
  await empty();
  await client.query(SCHEMA);
  await client.query("TRUNCATE a, b; ALTER SEQUENCE a_id_seq RESTART");
  const { all, ...rest } = access();
  /** @type {string[]} */
  const texts = [];
  const database = new Database({ ...rest, all: async (text) => texts.push(text) && all(text) });
  await database.takeSeed("");
  for (let time = 0; time < 2; time += 1) {
    const insertion = "INSERT INTO a (name) VALUES ('first') RETURNING id";
    assert.equal(/** @type {any} */ (await client.query(insertion)).rows[0].id, 1);
    database.writes.add(insertion);
    texts.length = 0;
    await database.restore();
    assert.equal(texts.length, 1);
    assert.doesNotMatch(texts.join(), /"b"/);
  }
});

test("the schema is told in the words of the protocol", { skip }, async () => {
  await empty();
  await client.query(SCHEMA);
  const { message } = await new Database(access()).schema();
  assert.deepEqual(message.enumeraredTypes, [{ name: "mood", values: ["sad", "happy"] }]);
  const [a, b] = message.tables;
  assert.deepEqual(a?.id, { schema: "public", catalog: null, name: "a" });
  assert.deepEqual(
    a?.columns.map(({ name, type, size, nullable, unique, autoIncrement }) =>
      [name, type, size, nullable, unique, autoIncrement].join(" "),
    ),
    [
      "id int4 10 false false true",
      "name varchar 20 false true false",
      "mood mood 255 true false false",
      "price numeric 8 true false false",
      "data bytea 255 true false false",
      "tags _text 255 true false false",
      "best int4 10 true false false",
    ],
  );
  assert.deepEqual(a?.primaryKeySequence, ["id"]);
  assert.deepEqual(a?.tableCheckExpressions, [{ sqlCheckExpression: "(price > (0)::numeric)" }]);
  assert.deepEqual(b?.foreignKeys, [
    { sourceColumns: ["a_id"], targetTable: "a", targetColumns: ["id"] },
  ]);
  assert.equal(b?.columns[1]?.foreignKeyToAutoIncrement, true);
});

const WAYS = `
const { Pool } = require("pg");
const pool = new Pool({ connectionString: process.env.PG_URL });
const ways = {
  promise: (name) => pool.query("SELECT id FROM pet WHERE name = $1", [name]).then((found) => found.rows),
  counted: (name) => pool.query(
    "SELECT id FROM pet WHERE nextval('pet_id_seq') = 0 OR name = 'nobody'").then((found) => found.rows),
  callback: (name) => new Promise((resolve, reject) =>
    pool.query({ text: "SELECT id FROM pet WHERE name = $1", values: [name] }, (error, found) =>
      error ? reject(error) : resolve(found.rows))),
  transaction: async (name) => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const made = await client.query("INSERT INTO pet (name) VALUES ($1) RETURNING id", [name]);
      await client.query("COMMIT");
      return made.rows.map((one) => one.id);
    } finally { client.release(); }
  },
};
`;

test("a service on pg is seen, and opened by rows", { skip }, async () => {
  await empty();
  await client.query("CREATE TABLE pet (id SERIAL PRIMARY KEY, name TEXT NOT NULL)");
  process.env.PG_URL = server.url;
  const modules = new URL("../node_modules/", import.meta.url).pathname;
  const folder = petService(WAYS, modules);
  const more = async (/** @type {import("./support/driver.js").Driver} */ driver) => {
    // What is asked about a statement counts nothing on.
    assert.equal((await driver.get("/counted/tom", 2)).status, 404);
    await driver.results();
    assert.equal((await driver.get("/transaction/tom", 3)).text, "[3]");
  };
  const schema = await checkService(folder, ["promise", "callback"], "transaction", more);
  assert.equal(schema.databaseType, "POSTGRES");
  assert.equal(schema.tables[0].id.schema, "public");
  assert.deepEqual(await rowsOf("SELECT * FROM pet"), []);
});

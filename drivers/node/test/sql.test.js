/** SQL: texts taken apart, and distances that are 0 exactly where the database finds a row. */
import assert from "node:assert/strict";
import test from "node:test";
import { Database } from "../src/sql/database.js";
import { comparison, pattern } from "../src/sql/distance.js";
import { Plan } from "../src/sql/plan.js";
import { Schema, column } from "../src/sql/schema.js";
import { filled, literal, templates } from "../src/sql/template.js";
import { noSqlite, sqlite, sqliteAccess } from "./support/databases.js";
import { CHANGES, QUERIES, STATES, TABLES } from "./support/statements.js";

/**
 * @param {string} name
 * @param {string[]} columns
 */
function table(name, columns) {
  return {
    id: { schema: null, catalog: null, name },
    columns: columns.map((own) => column(name, { name: own, type: "TEXT" })),
    foreignKeys: [],
    primaryKeySequence: [],
    tableCheckExpressions: [],
  };
}

const tables = [table("Book", ["id", "title", "author_id"]), table("author", ["id", "name"])];
const schema = new Schema({ databaseType: "OTHER", name: "", tables, enumeraredTypes: [] });

/**
 * @param {string} text
 * @param {"sqlite" | "postgresql" | "mysql"} [dialect]
 */
const planOf = (text, dialect = "sqlite") =>
  new Plan(templates(text, dialect)[0]?.text ?? "", dialect, schema);

test("constants and parameters are taken out and put back", () => {
  const text = "SELECT a1, \"7\" FROM [t 2] -- it's 5\nWHERE x = 'it''s' AND y > -3.5e1 AND z = ?";
  const [template] = templates(text, "sqlite");
  assert.deepEqual(template?.fillings, ["'it''s'", "3.5e1", "?"]);
  const values = { positional: ["o'k"] };
  const constants = template?.constants(values, (value) => literal(value, "sqlite")) ?? [];
  assert.equal(filled(template?.text ?? "", constants), text.replace("?", "'o''k'"));
});

test("parameters are known by position, number and name", () => {
  /**
   * @param {string} text
   * @param {import("../src/sql/template.js").Values} values
   * @param {"sqlite" | "postgresql" | "mysql"} dialect
   */
  const shown = (text, values, dialect) => {
    const [template] = templates(text, dialect);
    const constants = template?.constants(values, (value) => literal(value, dialect)) ?? [];
    return filled(template?.text ?? "", constants);
  };
  assert.equal(shown("a = ? AND b = ?", { positional: [1, null] }, "mysql"), "a = 1 AND b = NULL");
  assert.equal(
    shown("$2 = $1::text", { positional: ["a", true] }, "postgresql"),
    "true = 'a'::text",
  );
  const named = { positional: [], named: { a: 1n, ":b": "x" } };
  assert.equal(shown("@a = :b", named, "sqlite"), "1 = 'x'");
  const bytes = { positional: [Buffer.from([1, 255])] };
  assert.equal(shown("a = ?", bytes, "sqlite"), "a = x'01ff'");
  assert.equal(shown("a = $1", bytes, "postgresql"), "a = '\\x01ff'");
});

test("times and lists are written as the packages send them", () => {
  const zone = process.env.TZ;
  process.env.TZ = "America/St_Johns";
  try {
    const day = new Date("2026-11-21T10:00:00.5Z");
    assert.equal(literal(day, "mysql"), "'2026-11-21 06:30:00.500'");
    assert.equal(literal(day, "postgresql"), "'2026-11-21 06:30:00.500-03:30'");
    assert.equal(literal(day, "sqlite"), String(day.getTime()));
    assert.equal(literal(new Date(NaN), "mysql"), "NULL");
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
  const list = ["o'k", 'a "b"\\', 5, null, [true], { a: 1 }];
  assert.equal(
    literal(list, "postgresql"),
    `'{"o''k","a \\"b\\"\\\\",5,NULL,{true},"{\\"a\\":1}"}'`,
  );
  assert.equal(literal([1, "a"], "sqlite"), `'[1,"a"]'`);
});

test("texts that only look like constants stay", () => {
  const count = (/** @type {string} */ text, /** @type {any} */ dialect) =>
    templates(text, dialect)[0]?.fillings.length;
  assert.equal(count("SELECT $$it's 5$$, E'a\\'5'", "postgresql"), 0);
  assert.equal(count("SELECT a->>'x' FROM t WHERE b @> '{}' AND c ? 'd'", "postgresql"), 3);
  assert.equal(count("SELECT x'00', 0x1F, `a'b`, [c'd]", "sqlite"), 0);
  assert.equal(count("SELECT 'a\\'b'", "mysql"), 1);
  assert.equal(templates("BEGIN; SELECT ';'; ", "sqlite").length, 2);
  for (const broken of ["'", '"', "[", "--", "/*", "(", "$$", "?", "é'", "\u{1F600}"]) {
    for (const dialect of /** @type {const} */ (["sqlite", "postgresql", "mysql"])) {
      planOf(`SELECT ${broken}`, dialect);
      planOf(`SELECT * FROM Book WHERE ${broken} = (1 AND ${broken}`, dialect);
    }
  }
});

test("tables and columns are found by their aliases", () => {
  const plan = planOf(
    "SELECT b.title FROM book AS b JOIN author a ON a.id = b.author_id " +
      "WHERE name = 'x' AND b.id IN (SELECT id FROM other)",
  );
  assert.deepEqual(plan.missing, { Book: ["author_id", "id"], author: ["id", "name"] });
  assert.deepEqual(plan.queried, { Book: ["*"], author: ["*"] });
  assert.equal(plan.written.size, 0);
});

test("what is written is found, wherever it stands", () => {
  const written = (/** @type {string} */ text) => [...planOf(text, "postgresql").written];
  assert.deepEqual(planOf("INSERT INTO book (id, title) VALUES (1, 'a')").inserted, {
    Book: ["id", "title"],
  });
  assert.deepEqual(planOf("UPDATE book SET title = 'a', id = (SELECT 1) WHERE id = 2").updated, {
    Book: ["title", "id"],
  });
  assert.deepEqual(written("WITH x AS (DELETE FROM book RETURNING id) INSERT INTO log SELECT 1"), [
    "Book",
    "log",
  ]);
  assert.deepEqual(written('TRUNCATE TABLE "author"'), ["author"]);
  assert.deepEqual(written("SELECT * FROM book FOR UPDATE"), []);
  assert.deepEqual(written("INSERT INTO book VALUES (1) ON CONFLICT DO UPDATE SET id = 1"), [
    "Book",
  ]);
});

test("rows tell that a condition was met, unless they are made of none", () => {
  assert.ok(planOf("SELECT id, title FROM book WHERE id = 1").tellsByRows);
  assert.ok(!planOf("SELECT count(*) FROM book WHERE id = 1").tellsByRows);
});

test("nearer values are nearer", () => {
  const near = (/** @type {unknown} */ one, /** @type {unknown} */ other, operator = "=") =>
    comparison(operator, one, other);
  assert.ok(near(5, 7) > near(6, 7));
  assert.ok(near("5", 7) > near("6.5", 7));
  assert.ok(near("abd", "abc") > 0 && near("abz", "abc") > near("abd", "abc"));
  assert.ok(near(null, 1) > near("x", 1));
  assert.ok(near("2026-11-21 10:00", "2026-10-20", "<") > near("2026-11-21", "2026-11-20", "<"));
  assert.ok(near("b", "a", "<") > 0 && near(3, 3, "<") > 0);
  assert.ok(pattern("xbc", "a%", undefined) > pattern("bbc", "a%", undefined));
  assert.ok(pattern("hello", "%xyz%", "!") > pattern("helloxy", "%xyz%", "!"));
  assert.ok(pattern("501", "__!%", "!") > pattern("50%", "__!%", "!"));
});

test("distances are 0 exactly where SQLite finds a row", { skip: noSqlite }, async () => {
  for (const state of STATES) {
    const connection = /** @type {any} */ (sqlite())(":memory:");
    connection.exec(TABLES);
    state.forEach((row) => connection.exec(row));
    const database = new Database(sqliteAccess(connection));
    for (const [statement, query] of [...QUERIES.map((query) => [query, query]), ...CHANGES]) {
      const hasRow = connection.prepare(query).all().length > 0;
      const distance = await database.distance(statement ?? "");
      assert.equal(distance === 0, hasRow, `${statement}: ${distance}`);
      assert.ok(!distance || (distance > 0 && distance <= 1), `${statement}: ${distance}`);
      // That is said where only the whole statement could be asked about.
      assert.notEqual(distance, 1 - 1e-9, statement);
    }
    connection.close();
  }
});

test("distances fall towards the row that is wanted", { skip: noSqlite }, async () => {
  const connection = /** @type {any} */ (sqlite())(":memory:");
  connection.exec(TABLES);
  STATES[2]?.forEach((row) => connection.exec(row));
  const database = new Database(sqliteAccess(connection));
  const distances = [];
  for (const pages of [100, 115, 119, 120]) {
    const statement = "SELECT title FROM book WHERE pages = ? AND title = ?";
    distances.push((await database.distance(statement, [pages, "First"])) ?? NaN);
  }
  assert.deepEqual(
    distances,
    [...distances].sort((one, other) => other - one),
  );
  assert.equal(new Set(distances).size, 4);
  const outside = async (/** @type {number} */ high) =>
    Number(await database.distance("SELECT 1 FROM book WHERE pages NOT BETWEEN 0 AND ?", [high]));
  assert.ok((await outside(900)) > (await outside(710)) && (await outside(710)) > 0);
  connection.close();
});

test("rows of the start come back, and numbers that were given", { skip: noSqlite }, async () => {
  const connection = /** @type {any} */ (sqlite())(":memory:");
  connection.exec(`
    PRAGMA foreign_keys = ON;
    CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT, other INTEGER REFERENCES a (id));
    CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id) ON DELETE CASCADE);
    CREATE TABLE log (t TEXT);
    CREATE TRIGGER watch AFTER DELETE ON b BEGIN INSERT INTO log VALUES ('gone'); END;
    INSERT INTO a VALUES (1, 'one', 1), (2, 'two', 1);
    INSERT INTO b VALUES (1, 1), (2, 2);
  `);
  const database = new Database(sqliteAccess(connection));
  await database.takeSeed("");
  const rows = () =>
    ["a", "b", "log", "sqlite_sequence"].map((name) =>
      connection.prepare(`SELECT * FROM ${name}`).all(),
    );
  const before = rows();
  for (const change of [
    "DELETE FROM a WHERE id = 2",
    "UPDATE a SET t = 'x'",
    "INSERT INTO a (t) VALUES ('three')",
    "DELETE FROM b",
  ]) {
    connection.exec(change);
    database.writes.add(change);
    await database.restore();
    assert.deepEqual(rows(), before, change);
  }
  // A change that no statement told of.
  connection.exec("INSERT INTO b VALUES (7, 1)");
  await database.restore();
  assert.deepEqual(rows(), before);
  assert.equal(
    connection.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all().length,
    1,
  );
  connection.close();
});

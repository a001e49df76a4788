/** A service with a database under the driver: statements, rows, and the way back to the start. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { LIBRARY, noBetterSqlite } from "./support/databases.js";
import { Driver } from "./support/driver.js";

/** Node's own SQLite, where there is one, is watched as well. */
const PACKAGES = ["better-sqlite3"].concat(
  Number(process.versions.node.split(".")[0]) > 20 ? ["node:sqlite"] : [],
);

/**
 * @param {string} name of the package
 * @param {(driver: Driver) => Promise<void>} inside
 * @param {{words?: string[], file?: string, signal?: NodeJS.Signals}} [how] `words` stand before the
 *   program, `signal` ends the driver
 */
async function withLibrary(name, inside, { words = [], file = ":memory:", signal } = {}) {
  process.env.LIBRARY_DATABASE = name;
  process.env.LIBRARY_FILE = file;
  const driver = await Driver.start(LIBRARY, ["node", ...words, "src/server.js"]);
  try {
    await inside(driver);
  } finally {
    await driver.stop(signal);
  }
}

/**
 * @param {string} name
 * @param {string | number | {row: number}} value
 */
function entry(name, value) {
  const isRow = typeof value === "object";
  const literal = typeof value === "string" ? `"${value}"` : String(value);
  return {
    variableName: name,
    printableValue: isRow ? null : literal,
    foreignKeyToPreviouslyGeneratedRow: isRow ? value.row : null,
  };
}

const ROWS = [
  { id: 5, targetTable: "author", data: [entry("name", "Ann O'Hara")] },
  {
    id: 6,
    targetTable: "book",
    data: [
      entry("author_id", { row: 5 }),
      entry("title", "T"),
      entry("pages", 30),
      entry("shelf", "S1"),
    ],
  },
  { id: 7, targetTable: "book", data: [entry("author_id", { row: 5 }), entry("pages", -1)] },
];

for (const name of PACKAGES) {
  const skip = noBetterSqlite;

  test(`${name}: what is read is told, with what is missing`, { skip }, () =>
    withLibrary(name, async (driver) => {
      await driver.reset();
      const { sqlSchemaDto } = await driver.info();
      const [author, book, loan] = sqlSchemaDto.tables;
      assert.deepEqual([author.id.name, book.id.name, loan.id.name], ["author", "book", "loan"]);
      assert.deepEqual(book.foreignKeys, [
        { sourceColumns: ["author_id"], targetTable: "author", targetColumns: ["id"] },
      ]);
      assert.deepEqual(book.tableCheckExpressions, [{ sqlCheckExpression: "pages > 0" }]);
      assert.equal(author.columns[1].unique, true);
      assert.equal(book.columns[1].foreignKeyToAutoIncrement, true);
      assert.equal((await driver.get("/books/7")).status, 404);
      assert.equal((await driver.get("/books/x", 1)).status, 404);
      const { extraHeuristics } = await driver.results();
      assert.equal(extraHeuristics.length, 2);
      const [{ heuristics, sqlSqlExecutionsDto }] = extraHeuristics;
      assert.equal(heuristics[0].id, "SELECT id, title, pages, shelf FROM book WHERE id = 7");
      assert.equal(heuristics[0].value, Number.MAX_VALUE);
      assert.deepEqual(sqlSqlExecutionsDto.failedWhere, { book: ["id"] });
      assert.equal(sqlSqlExecutionsDto.numberOfSqlCommands, 1);
    }),
  );

  test(`${name}: rows open what is behind them, and go with the test`, { skip }, () =>
    withLibrary(name, async (driver) => {
      await driver.reset();
      const { json } = await driver.call("POST", "/databaseCommand", {
        idCounter: 1,
        insertions: ROWS,
      });
      assert.deepEqual(json.data, {
        idMapping: { 5: 1, 6: 1 },
        executionResults: [true, true, false],
      });
      const again = await driver.call("POST", "/databaseCommand", {
        idCounter: 1,
        insertions: ROWS,
      });
      assert.equal(again.status, 204);
      assert.equal((await driver.get("/authors/Ann%20O'Hara/shelves/S2")).status, 404);
      assert.equal((await driver.get("/authors/Ann%20O'Hara/shelves/S1", 1)).status, 200);
      const { extraHeuristics } = await driver.results();
      const [far, near] = extraHeuristics.map((/** @type {any} */ one) => one.heuristics[0].value);
      assert.ok(far > 0 && far < 1 && near === 0, `${far} ${near}`);
      await driver.reset();
      assert.equal((await driver.get("/authors/Ann%20O'Hara/shelves/S1")).status, 404);
      const command = {
        idCounter: null,
        command: "SELECT count(*), NULL FROM author",
        insertions: [],
      };
      const found = await driver.call("POST", "/databaseCommand", command);
      assert.deepEqual(found.json.data.rows, [{ columnData: ["0", "NULL"] }]);
    }),
  );
}

test("what the service wrote is taken back", { skip: noBetterSqlite }, () =>
  withLibrary("better-sqlite3", async (driver) => {
    const statuses = [];
    for (let round = 0; round < 2; round += 1) {
      await driver.reset();
      await driver.call("POST", "/databaseCommand", { idCounter: round, insertions: ROWS });
      const { baseUrlOfSUT } = await driver.info();
      await driver.call("PUT", "/newAction", { index: 0, name: "lend" });
      const sent = { book: 1, reader: "r", due: "2026-01-01" };
      const headers = { "content-type": "application/json" };
      const lent = await fetch(`${baseUrlOfSUT}/loans`, {
        method: "POST",
        headers,
        body: JSON.stringify(sent),
      });
      statuses.push(
        lent.status,
        (await lent.json()).id,
        (await driver.get("/readers/r/late/2026-02-01", 1)).status,
      );
      const { extraHeuristics } = await driver.results();
      const { insertedData } = extraHeuristics[0].sqlSqlExecutionsDto;
      assert.deepEqual(insertedData, { loan: ["book_id", "reader", "due"].sort() });
    }
    assert.deepEqual(statuses, [201, 1, 200, 201, 1, 200]);
    assert.match(driver.said(), /state: SQLite :memory: \(3 tables are restored\)/);
  }),
);

test("nothing is told of statements when nobody asks", { skip: noBetterSqlite }, () =>
  withLibrary("better-sqlite3", async (driver) => {
    await driver.call("PUT", "/runSUT", { run: true, resetState: true });
    await driver.get("/books/7");
    const { extraHeuristics } = await driver.results();
    assert.deepEqual(extraHeuristics[0].heuristics, []);
    assert.equal(extraHeuristics[0].sqlSqlExecutionsDto, null);
  }),
);

test("a new process finds the rows of the first start", { skip: noBetterSqlite }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const [sign, ending] = [join(folder, "sign"), join(folder, "ending.cjs")];
  const isThere = `require("node:fs").existsSync(${JSON.stringify(sign)})`;
  writeFileSync(ending, `setInterval(() => ${isThere} && process.exit(1), 10).unref();`);
  const inside = async (/** @type {Driver} */ driver) => {
    await driver.reset();
    await driver.call("POST", "/databaseCommand", { idCounter: 1, insertions: ROWS });
    assert.equal((await driver.get("/books/1")).status, 200);
    writeFileSync(sign, "");
    await new Promise((resolve) => setTimeout(resolve, 200));
    rmSync(sign);
    await driver.reset();
    assert.equal((await driver.get("/books/1")).status, 404);
  };
  const how = { words: ["--require", ending], file: join(folder, "library.db") };
  await withLibrary("better-sqlite3", inside, how);
  rmSync(folder, { recursive: true });
});

test("rows of tests go with the driver", { skip: noBetterSqlite }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const file = join(folder, "library.db");
  const count = () => {
    const connection = new (createRequire(join(LIBRARY, "x.js"))("better-sqlite3"))(file);
    const [found] = connection.prepare("SELECT count(*) FROM author").raw().all();
    connection.close();
    return found[0];
  };
  const inside = async (/** @type {Driver} */ driver) => {
    await driver.reset();
    await driver.call("POST", "/databaseCommand", { idCounter: 1, insertions: ROWS });
    assert.equal(count(), 1);
  };
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    await withLibrary("better-sqlite3", inside, { file, signal });
    assert.equal(count(), 0, signal);
  }
  // Without a process that starts the service: the signal ends it as it would.
  const driver = await Driver.within(LIBRARY, "src/server.js");
  await inside(driver);
  await driver.stop();
  assert.deepEqual([count(), driver.child.signalCode], [0, "SIGTERM"]);
  rmSync(folder, { recursive: true });
});

test("without a database, commands to one are refused", async () => {
  const folder = new URL("../fixtures/scs/", import.meta.url).pathname;
  const driver = await Driver.start(folder, ["node", "src/server.js"]);
  try {
    await driver.reset();
    const { status, json } = await driver.call("POST", "/databaseCommand", { command: "SELECT 1" });
    assert.deepEqual([status, json.error], [400, "No active database connection"]);
    assert.equal((await driver.info()).sqlSchemaDto, null);
    assert.match(driver.said(), /state: nothing brings it back/);
  } finally {
    await driver.stop();
  }
});

/** The package `sqlite3`: in a file and in memory, with parameters of all kinds. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { LIBRARY } from "./support/databases.js";
import { Driver } from "./support/driver.js";

const MODULES = join(process.env.SQLITE3 || LIBRARY, "node_modules");
const skip = existsSync(join(MODULES, "sqlite3"))
  ? false
  : "sqlite3 is not installed: `npm install` in fixtures/library";

const SERVER = `
const http = require("node:http");
const sqlite3 = require("sqlite3");
const db = new sqlite3.Database(process.env.PLACE);
const asked = (run) => new Promise((resolve, reject) =>
  run((error, found) => error ? reject(error) : resolve(found ?? [])));
const ways = {
  all: (name) => asked((then) => db.all("SELECT id FROM pet WHERE name = ?", [name], then)),
  named: (name) => asked((then) => db.all("SELECT id FROM pet WHERE name = $name", { $name: name }, then)),
  prepared: (name) => asked((then) => db.prepare("SELECT id FROM pet WHERE name = ?").all(name, then)),
  insert: (name) => new Promise((resolve, reject) => db.run("INSERT INTO pet (name) VALUES (?)", name,
    function (error) { error ? reject(error) : resolve([this.lastID]); })),
};
const handle = async (request, response) => {
  if (request.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  const [, way, name] = request.url.split("/");
  try {
    const rows = await ways[way](decodeURIComponent(name));
    response.statusCode = rows.length ? 200 : 404;
    response.end(JSON.stringify(rows));
  } catch (error) { response.statusCode = 500; response.end(String(error)); }
};
db.exec("CREATE TABLE IF NOT EXISTS pet (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)", () =>
  http.createServer(handle).listen(0));
`;

for (const place of ["pets.db", ":memory:"]) {
  test(`a service on sqlite3 is seen, and opened by rows: ${place}`, { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "wallace-"));
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, "server.js"), SERVER);
    symlinkSync(MODULES, join(folder, "node_modules"));
    process.env.PLACE = place;
    const driver = await Driver.start(folder, ["node", "server.js"]);
    try {
      await driver.reset();
      const ways = ["all", "named", "prepared"];
      for (const [at, way] of ways.entries()) {
        assert.equal((await driver.get(`/${way}/rex`, at)).status, 404);
      }
      for (const { heuristics, sqlSqlExecutionsDto } of (await driver.results()).extraHeuristics) {
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
      assert.equal((await driver.get("/all/rex")).status, 200);
      assert.equal((await driver.get("/insert/tom", 1)).text, "[2]");
      const [read, written] = (await driver.results()).extraHeuristics;
      assert.equal(read.heuristics[0].value, 0);
      assert.deepEqual(written.sqlSqlExecutionsDto.insertedData, { pet: ["name"] });
      await driver.reset();
      assert.equal((await driver.get("/all/rex")).status, 404);
      assert.equal((await driver.get("/insert/tom", 1)).text, "[1]");
    } finally {
      await driver.stop();
    }
  });
}

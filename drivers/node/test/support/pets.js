/** A service of pets on any database, and what is promised of each. */
import assert from "node:assert/strict";
import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "../../src/sql/database.js";
import { Driver } from "./driver.js";
import { CHANGES, QUERIES, STATES, TABLES } from "./statements.js";

/**
 * @typedef {object} Server
 * @property {() => Promise<unknown>} empty leaves no table
 * @property {(text: string) => Promise<any[]>} rows executes a text
 * @property {() => import("../../src/sql/database.js").Access} access
 */

/**
 * Distances are 0 exactly where the database finds a row.
 *
 * @param {Server} server
 */
export async function checkDistances({ empty, rows, access }) {
  for (const state of STATES) {
    await empty();
    await rows(TABLES);
    for (const row of state) await rows(row);
    const database = new Database(access());
    for (const [statement = "", query = ""] of [
      ...QUERIES.map((query) => [query, query]),
      ...CHANGES,
    ]) {
      const hasRow = (await rows(query)).length > 0;
      const distance = await database.distance(statement);
      assert.equal(distance === 0, hasRow, `${statement}: ${distance}`);
      assert.ok(!distance || (distance > 0 && distance <= 1), `${statement}: ${distance}`);
      // That is said where only the whole statement could be asked about.
      assert.notEqual(distance, 1 - 1e-9, statement);
    }
  }
}

/**
 * @param {string} ways `const ways = {...}`, functions from a name to rows, and what they need
 * @param {string} modules folder of the packages that they load
 * @returns {string} folder of a service that answers `/WAY/NAME`
 */
export function petService(ways, modules) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "server.js"), ways + LISTENING);
  symlinkSync(modules, join(folder, "node_modules"));
  return folder;
}

const LISTENING = `
require("node:http").createServer(async (request, response) => {
  if (request.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  const [, way, name] = request.url.split("/");
  try {
    const rows = await ways[way](decodeURIComponent(name));
    response.statusCode = rows.length ? 200 : 404;
    response.end(JSON.stringify(rows));
  } catch (error) { response.statusCode = 500; response.end(String(error)); }
}).listen(0);
`;

/**
 * A service is seen, opened by rows, and brought back to its start.
 *
 * @param {string} folder
 * @param {string[]} reads the ways that look for a name
 * @param {string} insert the way that adds one, and gives its number
 * @param {(driver: Driver) => Promise<void>} [more] is checked in the last test
 */
export async function checkService(folder, reads, insert, more = async () => {}) {
  const driver = await Driver.start(folder, ["node", "server.js"]);
  try {
    await driver.reset();
    const { sqlSchemaDto } = await driver.info();
    const { name, schema } = sqlSchemaDto.tables[0].id;
    for (const [at, way] of reads.entries()) {
      assert.equal((await driver.get(`/${way}/rex`, at)).status, 404);
    }
    for (const { heuristics, sqlSqlExecutionsDto } of (await driver.results()).extraHeuristics) {
      assert.equal(heuristics[0].id, "SELECT id FROM pet WHERE name = 'rex'");
      assert.deepEqual(sqlSqlExecutionsDto.failedWhere, { pet: ["name"] });
    }
    const data = [
      { variableName: "name", printableValue: '"rex"', foreignKeyToPreviouslyGeneratedRow: null },
    ];
    const targetTable = schema === "public" ? `${schema}.${name}` : name;
    const insertions = [{ id: 3, targetTable, data }];
    await driver.reset();
    const made = await driver.call("POST", "/databaseCommand", { idCounter: 1, insertions });
    assert.deepEqual(made.json.data, { idMapping: { 3: 1 }, executionResults: [true] });
    assert.equal((await driver.get(`/${reads[0]}/rex`)).status, 200);
    assert.equal((await driver.get(`/${insert}/tom`, 1)).text, "[2]");
    const [read, written] = (await driver.results()).extraHeuristics;
    assert.equal(read.heuristics[0].value, 0);
    assert.deepEqual(written.sqlSqlExecutionsDto.insertedData, { pet: ["name"] });
    await driver.reset();
    assert.equal((await driver.get(`/${reads.at(-1)}/rex`)).status, 404);
    assert.equal((await driver.get(`/${insert}/tom`, 1)).text, "[1]");
    await more(driver);
    return sqlSchemaDto;
  } finally {
    await driver.stop();
  }
}

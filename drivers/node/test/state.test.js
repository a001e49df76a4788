/** Resets, blocked services, and services of which nothing is instrumented. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Driver } from "./support/driver.js";

const SERVER = `
const state = require("./state");
const http = require("node:http");
http.createServer((request, response) => {
  if (request.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths":{"/":{}}}');
  if (request.url === "/block") for (;;);
  if (request.url === "/exit") process.exit(3);
  if (request.url === "/late") setTimeout(() => state.late(5), 60);
  response.end(String(state.next()));
}).listen(0);
`;
const STATE = `
let count = 0;
exports.next = () => ++count;
exports.late = (x) => x > 3;
exports.clear = () => { count = 0; };
`;

/** @param {Record<string, string>} files */
function project(files) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  for (const [name, text] of Object.entries({ "package.json": "{}", ...files })) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/**
 * @param {string[]} options
 * @param {(driver: Driver) => Promise<void>} inside
 * @param {Record<string, string>} [files]
 */
async function withDriver(options, inside, files = {}) {
  const reset = 'module.exports = () => require("./state").clear();';
  const folder = project({ "a.js": SERVER, "state.js": STATE, "reset.js": reset, ...files });
  const driver = await Driver.start(folder, ["node", "a.js"], options);
  try {
    await inside(driver);
  } finally {
    await driver.stop();
  }
}

/** @param {Driver} driver */
async function countTwice(driver) {
  const counts = [];
  for (let test = 0; test < 2; test += 1) {
    await driver.reset();
    counts.push((await driver.get("/count")).text);
  }
  return counts;
}

test("without a hook, the state stays", () =>
  withDriver([], async (driver) => assert.deepEqual(await countTwice(driver), ["1", "2"])));

test("a hook resets in the service", () =>
  withDriver(["--reset", "reset.js"], async (driver) =>
    assert.deepEqual(await countTwice(driver), ["1", "1"]),
  ));

test("a failing hook is told", () =>
  withDriver(
    ["--reset", "reset.js"],
    async (driver) => {
      await driver.reset();
      const { status, json } = await driver.reset();
      assert.deepEqual([status, json.error], [500, "the reset failed: no way"]);
    },
    { "reset.js": 'module.exports = () => { throw new Error("no way"); };' },
  ));

test("a new process resets everything", () =>
  withDriver(["--fresh"], async (driver) =>
    assert.deepEqual(await countTwice(driver), ["1", "1"]),
  ));

test("work that a test left behind is not counted for the next one", () =>
  withDriver([], async (driver) => {
    await driver.reset();
    await driver.get("/late");
    await driver.reset();
    await driver.get("/count");
    await new Promise((resolve) => setTimeout(resolve, 150));
    const scores = await driver.scores();
    assert.equal(scores["Branch_at_state.js_at_line_00004_position_0_trueBranch"], undefined);
  }));

test("a service that ended is started again", () =>
  withDriver([], async (driver) => {
    await driver.reset();
    assert.equal((await driver.get("/exit")).status, 503);
    assert.equal((await driver.reset()).status, 204);
    assert.equal((await driver.get("/count")).text, "1");
  }));

test("a blocked service answers for its driver, and is started again", () =>
  withDriver([], async (driver) => {
    await driver.reset();
    const { baseUrlOfSUT } = await driver.info();
    void fetch(`${baseUrlOfSUT}/block`).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    await driver.call("PUT", "/newAction", { index: 0, name: "x" });
    assert.ok((await driver.results()).targets.length > 0);
    assert.equal((await driver.reset()).status, 204);
    assert.equal((await driver.get("/count")).text, "1");
  }));

test("a service outside of the package says what to include", () =>
  withDriver(
    [],
    async (driver) => {
      const { status, json } = await driver.reset();
      assert.equal(status, 500);
      assert.match(json.error, /--include may name: product/);
    },
    {
      "a.js": "//# wallace\nrequire('product');",
      "node_modules/product/index.js": "require('http').createServer().listen(0);",
    },
  ));

test("a service that limits guesses is asked again, for its description in a folder of its own", () =>
  withDriver(
    [],
    async (driver) => {
      await driver.reset();
      const { restProblem, baseUrlOfSUT } = await driver.info();
      assert.equal(restProblem?.openApiUrl, `${baseUrlOfSUT}/api/docs/json`);
    },
    {
      "a.js": `
let guesses = 0;
require("node:http").createServer((request, response) => {
  if (request.url === "/api/docs/json" && guesses % 7) {
    return response.end('{"openapi":"3.0.0","paths":{}}');
  }
  guesses += 1;
  const status = guesses === 7 ? 429 : guesses % 7 ? 404 : 503;
  response.writeHead(status, { "retry-after": "0" }).end();
}).listen(0);
`,
    },
  ));

const REFUSING = `
require("node:http").createServer((request, response) => {
  const isGraphQl = request.method === "POST" && request.url === "/graphql";
  const errors = [{ message: "who are you?", extensions: { code: "UNAUTHENTICATED" } }];
  const isGate = request.url === "/gate";
  response.writeHead(isGraphQl ? 400 : isGate ? 403 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(isGraphQl ? { errors } : { error: "unauthorized" }));
}).listen(0);
`;

test("an endpoint of GraphQL that asks who calls is found by its errors", () =>
  withDriver(
    [],
    async (driver) => {
      await driver.reset();
      assert.equal((await driver.info()).graphQLProblem?.endpoint, "/graphql");
    },
    { "a.js": REFUSING },
  ));

test("an endpoint that refuses everybody it does not know is what it is said to be", async () => {
  const files = { "a.js": REFUSING };
  await withDriver(
    ["--schema", "/gate"],
    async (driver) => {
      await driver.reset();
      assert.equal((await driver.info()).graphQLProblem?.endpoint, "/gate");
    },
    files,
  );
  await withDriver(
    ["--schema", "/nothing"],
    async (driver) => assert.equal((await driver.reset()).status, 500),
    files,
  );
});

test("a description without operations is left for an endpoint of GraphQL", () =>
  withDriver(
    [],
    async (driver) => {
      await driver.reset();
      assert.equal((await driver.info()).graphQLProblem?.endpoint, "/graphql");
    },
    {
      "a.js": `
require("node:http").createServer((request, response) => {
  if (request.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths": {}}');
  if (request.url === "/graphql") return response.end('{"data":{"__typename":"Query"}}');
  response.writeHead(404).end();
}).listen(0);
`,
    },
  ));

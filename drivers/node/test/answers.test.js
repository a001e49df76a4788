/** State in the memory of the service that outlives a reset, as its answers show it. */
import assert from "node:assert/strict";
import test from "node:test";
import { Answers } from "../src/server/answers.js";
import { request, withService } from "./support/driver.js";

/** @typedef {import("./support/driver.js").Driver} Driver */

const SERVER = `const http = require("node:http");
let isOpen = true;
http.createServer((incoming, response) => {
  if (incoming.url === "/openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  if (incoming.url === "/process") return response.end(String(process.pid));
  if (incoming.url === "/maintenance") isOpen = false;
  response.statusCode = isOpen ? 200 : 503;
  response.end("ok");
}).listen(0);
`;

/** @param {(driver: Driver) => Promise<void>} inside */
const withDriver = (inside) => withService({ "server.js": SERVER }, inside);

/**
 * @param {Driver} driver
 * @param {string} path
 */
async function oneTest(driver, path) {
  await driver.reset();
  const { status } = await driver.get(path);
  await driver.results();
  return status;
}

test("a process whose operations all refuse since an earlier test is replaced, and that is said once", () =>
  withDriver(async (driver) => {
    const paths = ["/a", "/b", "/c", "/d"];
    for (const path of paths) assert.equal(await oneTest(driver, path), 200);
    const { baseUrlOfSUT } = await driver.info();
    const before = (await request("GET", `${baseUrlOfSUT}/process`)).text;
    await oneTest(driver, "/maintenance");
    for (const path of paths) assert.equal(await oneTest(driver, path), 503);
    for (const path of paths) assert.equal(await oneTest(driver, path), 200);
    const url = (await driver.info()).baseUrlOfSUT;
    assert.notEqual((await request("GET", `${url}/process`)).text, before);
    const said = driver.said().match(/state in the memory of the service outlives its reset.*/g);
    assert.equal(said?.length, 1);
    assert.match(String(said), /\/a and 3 more answered 503 .*--reset FILE or --fresh/);
  }));

/**
 * @param {Answers} answers
 * @param {[name: string, status: number][]} tests of one action
 * @returns {boolean} whether a process is to be replaced after one of them
 */
function isStaleAfter(answers, tests) {
  return tests.some(([name, status]) => {
    answers.add([name], [status]);
    return answers.isStale();
  });
}

/** @type {[name: string, status: number][]} */
const WELL = [
  ["a", 200],
  ["b", 201],
  ["c", 204],
  ["d", 302],
];

test("a fault that is looked at again and again, and what inputs explain, is no such state", () => {
  const answers = new Answers();
  assert.equal(isStaleAfter(answers, WELL), false);
  const fault = /** @type {[string, number][]} */ (Array.from({ length: 50 }, () => ["a", 500]));
  assert.equal(isStaleAfter(answers, fault), false);
  const refused = /** @type {[string, number][]} */ (
    Array.from({ length: 50 }, (_, at) => ["abcd"[at % 4], [400, 401, 403, 404, 422][at % 5]])
  );
  assert.equal(isStaleAfter(answers, refused), false);
  // What never answered well tells nothing, and what does again has come back.
  assert.equal(
    isStaleAfter(answers, [
      ["e", 503],
      ["f", 503],
      ["g", 503],
      ["h", 503],
    ]),
    false,
  );
  assert.equal(
    isStaleAfter(answers, [
      ["b", 503],
      ["b", 200],
      ["c", 503],
      ["c", 200],
    ]),
    false,
  );
});

test("operations that fail all at once, and limits, are such a state", () => {
  for (const status of [429, 500, 503]) {
    const answers = new Answers();
    assert.equal(isStaleAfter(answers, WELL), false);
    const failing = /** @type {[string, number][]} */ (
      Array.from({ length: 20 }, (_, at) => ["abc"[at % 3], status])
    );
    assert.equal(isStaleAfter(answers, failing), true, String(status));
  }
});

test("operations that fail for their inputs while others answer well are no such state", () => {
  const answers = new Answers();
  const well = /** @type {[string, number][]} */ ([..."abcdef"].map((name) => [name, 200]));
  assert.equal(isStaleAfter(answers, well), false);
  const failing = /** @type {[string, number][]} */ (
    Array.from({ length: 60 }, (_, at) => ["abcdef"[at % 6], at % 6 < 3 ? 500 : 200])
  );
  assert.equal(isStaleAfter(answers, failing), false);
});

test("a new process has mended failures where none of them comes again", () => {
  for (const comesAgain of [false, true]) {
    const answers = new Answers();
    isStaleAfter(answers, WELL);
    const failing = /** @type {[string, number][]} */ (
      Array.from({ length: 20 }, (_, at) => ["abc"[at % 3], 500])
    );
    assert.equal(isStaleAfter(answers, failing), true);
    assert.equal(answers.add(["a"], [200]), undefined);
    if (comesAgain) answers.add(["b"], [500]);
    assert.equal(answers.add(["b"], [200]), undefined);
    assert.equal(answers.add(["c"], [200])?.get("c"), comesAgain ? undefined : 500);
  }
});

test("where a new process does not help, it is tried less and less often", () => {
  const answers = new Answers();
  isStaleAfter(answers, WELL);
  let replacements = 0;
  for (let at = 0; at < 1_000; at += 1) {
    assert.equal(answers.add(["abcd"[at % 4] ?? ""], [503]), undefined);
    if (answers.isStale()) replacements += 1;
  }
  assert.ok(replacements > 1 && replacements < 8, String(replacements));
  assert.deepEqual(answers.add(["a"], [200])?.get("a"), 503);
});

/** What ends the service is told once, answered for, and not counted for the next test. */
import assert from "node:assert/strict";
import test from "node:test";
import { withService } from "./support/driver.js";

/** @typedef {import("./support/driver.js").Driver} Driver */

const SERVER = `const http = require("node:http");
function fail(reason) {
  throw new Error(reason);
}
async function reject() {
  await null;
  fail("nobody waits for me");
}
const kinds = {
  thrown: () => setImmediate(() => fail("nobody catches me")),
  rejected: () => void reject(),
  text: () => void Promise.reject("a text"),
  exit: () => process.exit(3),
};
http.createServer((request, response) => {
  const [, name, isLate] = request.url.split("/");
  if (name === "openapi.json") return response.end('{"openapi":"3.0.0","paths":{"/":{}}}');
  if (isLate) response.end("ok", () => setTimeout(kinds[name], 20));
  else if (kinds[name]) kinds[name]();
  else response.end("ok");
}).listen(0);
`;

/** @param {(driver: Driver) => Promise<void>} inside */
const withDriver = (inside) =>
  withService({ "server.js": SERVER }, async (driver) => {
    await driver.reset();
    await inside(driver);
  });

/** @param {Driver} driver how often an end was told, by its first line */
const reports = (driver) => driver.said().match(/ended by itself/g)?.length ?? 0;

for (const [kind, statement, reason] of /** @type {[string, string | null, RegExp][]} */ ([
  ["thrown", "server.js_3_fail", /Error: nobody catches me\n {4}at fail \(server\.js:3\)/],
  ["rejected", "server.js_3_fail", /Error: nobody waits for me\n {4}at fail \(server\.js:3\)/],
  ["text", null, /a text/],
  ["exit", "server.js_13_exit", /process\.exit\(3\)\n[^]* at .*exit \(server\.js:13\)/],
])) {
  test(`a test goes on where the service ended: ${kind}`, () =>
    withDriver(async (driver) => {
      for (let round = 0; round < 2; round += 1) {
        await driver.reset();
        await driver.get("/other");
        const { status, text } = await driver.get(`/${kind}`, 1);
        assert.deepEqual([status, text], [503, "ended: the service ended\n"]);
        assert.equal((await driver.get("/other", 2)).text, "ok");
        const { additionalInfoList, targets } = await driver.results();
        const statements = additionalInfoList.map(
          (/** @type {any} */ info) => info.lastExecutedStatement,
        );
        assert.deepEqual(statements, [null, statement, null]);
        const names = targets.map((/** @type {any} */ one) => one.descriptiveId);
        assert.equal(
          names.includes("Line_at_server.js_00003"),
          statement?.endsWith("fail") ?? false,
        );
      }
      assert.equal(reports(driver), 1);
      assert.match(driver.said(), reason);
    }));
}

test("what ends the service behind an answer is not counted for the next test", () =>
  withDriver(async (driver) => {
    for (let round = 0; round < 2; round += 1) {
      await driver.reset();
      assert.equal((await driver.get("/rejected/late")).text, "ok");
      await driver.results();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await driver.reset();
      assert.equal((await driver.get("/other")).text, "ok");
      const scores = await driver.scores();
      assert.equal(scores["Line_at_server.js_00003"], undefined);
      assert.ok((scores["Line_at_server.js_00019"] ?? 0) > 0);
    }
    assert.equal(reports(driver), 1);
  }));

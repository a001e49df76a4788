/** `fuzz` in tests of a service. The engine is a stand-in; cli/tests try the real one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { failuresOf } from "../src/testing/report.js";

const PACKAGE = new URL("..", import.meta.url).pathname;

const APP = `
let count = 0;
exports.reset = () => { count = 0; };
exports.app = (request, response) => {
  count += 1;
  const described = { openapi: "3.0.0", paths: {} };
  response.end(JSON.stringify(request.url === "/openapi.json" ? described : count));
};
`;
const TEST = `
import test from "node:test";
import { fuzz } from "wallace-driver";
import { app, reset } from "./app.js";
test("no faults", () => fuzz(app, { calls: 7, reset }));
`;
/** Resets twice with a call between, and tells what it saw as a fault. */
const engine = (/** @type {number} */ code) => `#!${process.execPath}
const fs = require("node:fs");
const options = new Map(process.argv.slice(3).map((word, at, all) => [word, all[at + 1]]));
const base = options.get("--driver") + "/controller/api";
const headers = { "content-type": "application/json", connection: "keep-alive" };
(async () => {
  const answers = [];
  let units;
  for (let round = 0; round < 2; round += 1) {
    const body = JSON.stringify({ run: true, resetState: true });
    await fetch(base + "/runSUT", { method: "PUT", headers, body });
    const { data } = await (await fetch(base + "/infoSUT", { headers })).json();
    units = data.unitsInfoDto.unitNames;
    answers.push(await (await fetch(data.baseUrlOfSUT + "/count")).text());
  }
  const out = options.get("--out") + "/report";
  fs.mkdirSync(out, { recursive: true });
  const text = "calls " + options.get("--calls") + " answers " + answers + " units " + units;
  fs.writeFileSync(out + "/junit.xml", '<testcase classname="GET:/count" name="x">' +
    '<failure message="F100 &quot;wrong&quot;" type="F100">' + text + "</failure></testcase>");
  console.error("nothing listens");
  process.exit(${code});
})();
`;

/**
 * @param {number} code of the engine
 * @param {string} [text] that stands in for it
 */
function run(code, text = engine(code)) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  const files = { "package.json": "{}", "app.js": APP, "app.test.mjs": TEST, engine: text };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, "engine"), 0o755);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules/wallace-driver"));
  const words = ["--import", "wallace-driver/register", "--test", "--test-reporter=tap"];
  /** @type {NodeJS.ProcessEnv} */
  const environment = { ...process.env, WALLACE: join(folder, "engine"), WALLACE_CACHE: "" };
  // Otherwise its results would be those of this file.
  delete environment.NODE_TEST_CONTEXT;
  const options = { cwd: folder, env: environment, encoding: /** @type {const} */ ("utf8") };
  const { stdout } = spawnSync(process.execPath, [...words, "app.test.mjs"], options);
  return stdout;
}

test("faults fail the test with their requests", () => {
  const shown = run(1);
  assert.match(shown, /fail 1/);
  assert.match(shown, /GET:\/count: F100 "wrong"/);
  // A reset before each test, and the modules of the service.
  assert.match(shown, /calls 7 answers 1,1 units app\.js/);
  assert.match(shown, /state: the hook of the test/);
});

test("no fault is no failure", () => assert.match(run(0), /fail 0/));

test("a search that fails is no fault", () => {
  const shown = run(3);
  assert.match(shown, /fail 1/);
  assert.match(shown, /the search failed: nothing listens/);
});

test("a command that ends as if it had found faults, and reports none, has failed", () => {
  const broken = `#!${process.execPath}\nthrow new Error("not that command");`;
  assert.match(run(1, broken), /the search failed: [^]*not that command/);
});

test("texts of the report are read as they were", () => {
  const xml =
    '<testcase classname="a&#39;b" x="1">\n <failure message="&lt;">1 &amp;amp; 2</failure>';
  assert.deepEqual(failuresOf(xml), [{ name: "a'b: <", text: "1 &amp; 2" }]);
});

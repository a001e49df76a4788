/** What blocks the service is ended, reported once, and not counted for the next test. */
import assert from "node:assert/strict";
import test from "node:test";
import { Starvation } from "../src/driver/starvation.js";
import { Watchdog } from "../src/driver/watchdog.js";
import { OWN_WORK } from "../src/runtime/memory.js";
import { withService } from "./support/driver.js";

/** @typedef {import("./support/driver.js").Driver} Driver */

const SERVER = `const http = require("node:http");
const { execSync } = require("node:child_process");
const big = JSON.stringify(Array.from({ length: 60000 }, (_, i) => ({ i, text: "x".repeat(20) })));
let turns = 0;
console.error("loaded", process.pid);
function spin() {
  for (;;) turns += 1;
}
async function forever() {
  for (;;) { await null; if (turns < 0) return; }
}
const kinds = {
  handler: spin,
  caught: () => { for (;;) { try { spin(); } catch { turns += 1; } finally { turns += 1; } } },
  promise: () => Promise.resolve().then(spin),
  microtasks: forever,
  tick: () => process.nextTick(spin),
  pattern: () => /^(a+)+$/.test("a".repeat(40) + "!"),
  timer: () => setTimeout(spin, 1),
  parse: () => { for (;;) JSON.parse(big); },
  native: () => execSync("sleep 60"),
};
http.createServer((request, response) => {
  const [, name, isLate] = request.url.split("/");
  if (name === "openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  if (name === "process") return response.end(String(process.pid));
  if (name === "never") return;
  if (isLate) response.end("ok", () => setTimeout(kinds[name], 20));
  else if (kinds[name]) kinds[name]();
  else response.end("ok");
}).listen(0);
`;
/**
 * @param {string} code
 * @returns {string} the target of the line that holds it
 */
function line(code) {
  const number = SERVER.split("\n").findIndex((text) => text.includes(code)) + 1;
  return `Line_at_server.js_${String(number).padStart(5, "0")}`;
}

/** @param {(driver: Driver) => Promise<void>} inside */
function withDriver(inside) {
  const reset = async (/** @type {Driver} */ driver) => {
    await driver.reset();
    await inside(driver);
  };
  return withService({ "server.js": SERVER }, reset, ["--hang", "1"]);
}

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>} its outcome, which has to come: what hangs comes never
 */
async function soon(work) {
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, "late").unref());
  const outcome = await Promise.race([work, late]);
  assert.notEqual(outcome, "late");
  return /** @type {T} */ (outcome);
}

/** @param {Driver} driver a test after one that hung: quick, and only with what is its own */
async function nextTest(driver) {
  await soon(driver.reset());
  assert.equal((await soon(driver.get("/"))).text, "ok");
  const scores = await driver.scores();
  assert.equal(scores[line("turns += 1;")], undefined);
  assert.equal(scores[line('else response.end("ok")')], 1);
}

/** @param {Driver} driver how often a hang was told, by its first line */
const reports = (driver) => driver.said().match(/was blocked for/g)?.length ?? 0;

for (const [kind, statement, second] of /** @type {[string, RegExp | null, boolean][]} */ ([
  ["handler", /^server\.js_7_spin$/, true],
  ["caught", /^server\.js_7_spin$/, false],
  ["promise", /^server\.js_7_spin$/, false],
  ["microtasks", /^server\.js_10_forever$/, false],
  ["tick", /^server\.js_7_spin$/, false],
  ["pattern", /^server\.js_18_pattern$/, false],
  ["timer", /^server\.js_7_spin$/, false],
  ["parse", /^server\.js_20_parse$/, true],
  ["native", null, false],
])) {
  test(`a service that hangs is answered for, and goes on: ${kind}`, () =>
    withDriver(async (driver) => {
      for (let round = 0; round < (second ? 2 : 1); round += 1) {
        const { status } = await driver.get(`/${kind}`);
        assert.equal(status, 503);
        const next = await soon(driver.get("/", 1));
        assert.equal(next.text, "ok");
        const { additionalInfoList, targets } = await soon(driver.results());
        const place = additionalInfoList[0].lastExecutedStatement;
        if (statement) assert.match(place, statement);
        else assert.equal(place, null);
        assert.equal(additionalInfoList[1].lastExecutedStatement, null);
        assert.ok(targets.length > 0);
        await nextTest(driver);
      }
      assert.equal(reports(driver), 1);
      const shown = statement ? /\n {4}at .*\(server\.js:\d+\)/ : /that was ended: native code/;
      assert.match(driver.said(), shown);
      assert.doesNotMatch(driver.said(), /requests\.js/);
    }));
}

test("what hangs after its answer is ended when the next test begins", () =>
  withDriver(async (driver) => {
    for (const kind of ["timer", "promise"]) {
      assert.equal((await driver.get(`/${kind}/late`)).text, "ok");
      await driver.results();
      await new Promise((resolve) => setTimeout(resolve, 100));
      await nextTest(driver);
    }
    assert.equal(reports(driver), 1);
  }));

test("a request that nobody waits for is given up", () =>
  withDriver(async (driver) => {
    const answer = driver.get("/never").catch(() => "closed");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await soon(driver.results("killSwitch=true"));
    assert.equal(await soon(answer), "closed");
    await nextTest(driver);
    assert.equal(reports(driver), 0);
  }));

test("once a process had to be replaced, another one is kept that has loaded the service", () =>
  withDriver(async (driver) => {
    await driver.get("/native");
    const first = (await driver.get("/process", 1)).text;
    const loaded = () => driver.said().match(/loaded \d+/g) ?? [];
    // The first, the one that replaced it, and the spare.
    while (loaded().length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    const spare = loaded()[2];
    await driver.reset();
    assert.equal((await driver.get("/native")).status, 503);
    const second = (await soon(driver.get("/process", 1))).text;
    assert.notEqual(second, first);
    assert.equal(`loaded ${second}`, spare);
    await nextTest(driver);
  }));

test("a thread that waits for the processor does not hang", () => {
  let [state, own, system] = ["R", 5, 1];
  const starvation = new Starvation(
    () => `7 (a) b) ${state} 1 7 7 0 -1 0 0 0 0 0 ${own} ${system} 0 0 20 0 11 0`,
  );
  starvation.isStarved();
  assert.equal(starvation.isStarved(), true);
  // It spins.
  own += 2;
  assert.equal(starvation.isStarved(), false);
  // It sleeps in native code.
  state = "S";
  assert.equal(starvation.isStarved(), false);
  system += 1;
  assert.equal(new Starvation(() => "").isStarved(), false);
});

test("the system tells of this thread that it runs", () => {
  const starvation = new Starvation();
  starvation.isStarved();
  const before = process.cpuUsage();
  for (let used = 0; used < 50_000;) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  assert.equal(starvation.isStarved(), false);
});

test("what the thread does for the driver is no hang of the service", async () => {
  const control = new Int32Array(new SharedArrayBuffer(256));
  const watchdog = new Watchdog(/** @type {any} */ ({ control }), "/", 60, async () => {});
  // The thread of this test is always seen running.
  watchdog.starvation = new Starvation(() => "");
  watchdog.start();
  const later = () => new Promise((resolve) => setTimeout(resolve, 400));
  control[OWN_WORK] = 1;
  await later();
  assert.equal(watchdog.isBlocked(), false);
  control[OWN_WORK] = 0;
  await later();
  assert.equal(watchdog.isBlocked(), true);
});

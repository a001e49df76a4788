/** What blocks the service is ended, reported once, and not counted for the next test. */
import assert from "node:assert/strict";
import test from "node:test";
import { LOOK, ThreadTime, within } from "../src/driver/thread_time.js";
import { Watchdog } from "../src/driver/watchdog.js";
import { OWN_WORK } from "../src/runtime/memory.js";
import { withService } from "./support/driver.js";

/** @typedef {import("./support/driver.js").Driver} Driver */

const SERVER = `const http = require("node:http");
const { readFileSync } = require("node:fs");
require("node:child_process").spawnSync("mkfifo", ["never"]);
const big = JSON.stringify(Array.from({ length: 60000 }, (_, i) => ({ i, text: "x".repeat(20) })));
let [turns, isLate] = [0, false];
console.error("loaded", process.pid);
function spin() { if (isLate) console.error("spins");
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
  native: () => readFileSync("never"),
};
http.createServer((request, response) => {
  const [, name, when] = request.url.split("/");
  isLate = Boolean(when);
  if (name === "openapi.json") return response.end('{"openapi":"3.0.0","paths":{"/":{}}}');
  if (name === "process") return response.end(String(process.pid));
  if (name === "never") return console.error("never answered");
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
  return withService({ "server.js": SERVER }, reset, ["--hang", "0.5"]);
}

/** How long what hangs is waited for, in milliseconds: it comes never, however long that is. */
const NEVER = 120_000;

/**
 * @template T
 * @param {Promise<T>} work
 * @returns {Promise<T>} its outcome, which has to come
 */
async function soon(work) {
  const late = new Promise((resolve) => setTimeout(resolve, NEVER, "late").unref());
  const outcome = await Promise.race([work, late]);
  assert.notEqual(outcome, "late");
  return /** @type {T} */ (outcome);
}

/**
 * Waits until the service has said something more often than before.
 *
 * @param {Driver} driver
 * @param {string} words
 * @param {number} [times]
 */
async function hears(driver, words, times = 1) {
  while (driver.said().split(words).length <= times) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
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
  ["handler", /^server\.js_8_spin$/, true],
  ["caught", /^server\.js_8_spin$/, false],
  ["promise", /^server\.js_8_spin$/, false],
  ["microtasks", /^server\.js_11_forever$/, false],
  ["tick", /^server\.js_8_spin$/, false],
  ["pattern", /^server\.js_19_pattern$/, false],
  ["timer", /^server\.js_8_spin$/, false],
  ["parse", /^server\.js_21_parse$/, true],
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
    for (const [index, kind] of ["timer", "promise"].entries()) {
      assert.equal((await driver.get(`/${kind}/late`)).text, "ok");
      await driver.results();
      await soon(hears(driver, "spins", index + 1));
      // Longer than the report of the answer shows that nothing blocks the service.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await nextTest(driver);
    }
    assert.equal(reports(driver), 1);
  }));

test("a request that nobody waits for is given up", () =>
  withDriver(async (driver) => {
    const answer = driver.get("/never").catch(() => "closed");
    await soon(hears(driver, "never answered"));
    await soon(driver.results("killSwitch=true"));
    assert.equal(await soon(answer), "closed");
    await nextTest(driver);
    assert.equal(reports(driver), 0);
  }));

test("once a process had to be replaced, another one is kept that has loaded the service", () =>
  withDriver(async (driver) => {
    await driver.get("/native");
    const first = (await driver.get("/process", 1)).text;
    // The first, the one that replaced it, and the spare.
    await soon(hears(driver, "loaded", 3));
    const spare = driver.said().match(/loaded \d+/g)?.[2];
    await driver.reset();
    assert.equal((await driver.get("/native")).status, 503);
    const second = (await soon(driver.get("/process", 1))).text;
    assert.notEqual(second, first);
    assert.equal(`loaded ${second}`, spare);
    await nextTest(driver);
  }));

/** @param {string} state @param {number} ticks that the thread ran */
const told = (state, ticks) => `7 (a) b) ${state} 1 7 7 0 -1 0 0 0 0 0 ${ticks} 1 0 0 20 0 11 0`;

test("a thread that waits for the processor has no time, and does not hang", () => {
  let text = told("R", 5);
  const time = new ThreadTime(() => text);
  assert.equal(time.had(), 0);
  text = told("R", 7);
  assert.equal(time.had(), 20);
  // A look that is late is one look.
  text = told("R", 100);
  assert.equal(time.had(), LOOK);
  // It sleeps in native code.
  text = told("S", 100);
  assert.equal(time.had(), LOOK);
  assert.equal(new ThreadTime(() => "").had(), LOOK);
});

test("the system tells of this thread that it runs", () => {
  const time = new ThreadTime();
  const before = process.cpuUsage();
  for (let used = 0; used < 50_000;) {
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  assert.ok(time.had() > 0);
});

test("what needs the thread is late once the thread had the time for it", async () => {
  const never = new Promise(() => {});
  let looks = 0;
  // Of two looks it has one, and of that a tick.
  const time = new ThreadTime(() => told("R", (looks += 1) >> 1));
  assert.equal(await within(never, 50, time), undefined);
  assert.ok(looks >= 10);
  assert.equal(await within(Promise.resolve("done"), 50, time), "done");
  await assert.rejects(within(Promise.reject(new Error("refused")), 50, time), /refused/);
});

test("what the thread does for the driver is no hang of the service", async () => {
  const control = new Int32Array(new SharedArrayBuffer(256));
  const watchdog = new Watchdog(/** @type {any} */ ({ control }), "/", 60, async () => {});
  // The thread of this test is always seen running.
  watchdog.time = new ThreadTime(() => "");
  watchdog.start();
  const looks = (/** @type {number} */ left) =>
    new Promise((resolve) => {
      const waits = setInterval(() => {}, 1000);
      watchdog.onLook = () => void ((left -= 1) || resolve(clearInterval(waits)));
    });
  control[OWN_WORK] = 1;
  await looks(8);
  assert.equal(watchdog.isBlocked(), false);
  control[OWN_WORK] = 0;
  await looks(8);
  assert.equal(watchdog.isBlocked(), true);
});

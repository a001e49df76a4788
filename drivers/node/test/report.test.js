/** What a service tells behind its answers, where no message goes to the driver's thread. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Announcer, Listener } from "../src/driver/announcement.js";
import { ActionNotes } from "../src/driver/notes.js";
import { ReportReader, Reporter } from "../src/driver/report.js";
import { Exchange } from "../src/service/exchange.js";
import { request, withService } from "./support/driver.js";

/** @typedef {import("./support/driver.js").Driver} Driver */

const SERVER = `const http = require("node:http");
const act = {
  lazy: () => require("./lazy").load(),
  throws: () => { throw new Error("no"); },
  both: (query) => { require("./part" + query).load(); throw new Error("no"); },
  magic: (query) => query === "open sesame",
  late: () => setTimeout(() => require("./late").run(1), 5),
};
http.createServer((incoming, response) => {
  const [, name, query] = incoming.url.split("/");
  if (name === "openapi.json") return response.end('{"openapi":"3.0.0","paths":{}}');
  try {
    act[name]?.(query);
  } catch {}
  response.end("ok");
}).listen(0);
`;
const LAZY = "exports.load = () => {\n  return 1;\n};\n";
const PARTS = 20;
const LATE = "exports.run = (x) => (x > 0 ? 1 : 2);\n";

/** @param {(driver: Driver) => Promise<void>} inside */
function withDriver(inside) {
  /** @type {Record<string, string>} */
  const files = { "server.js": SERVER, "lazy.js": LAZY, "late.js": LATE };
  for (let part = 0; part < PARTS; part += 1) files[`part${part}.js`] = LAZY;
  return withService(files, async (driver) => {
    await driver.reset();
    await inside(driver);
  });
}

test("tests that follow each other have each its own lines", () =>
  withDriver(async (driver) => {
    for (let round = 0; round < 20; round += 1) {
      const isThrowing = round % 2 === 0;
      await driver.reset();
      await driver.get(isThrowing ? "/throws" : "/other");
      const { targets, additionalInfoList } = await driver.results();
      const names = targets.map((/** @type {any} */ one) => one.descriptiveId);
      assert.equal(names.includes("Line_at_server.js_00004"), isThrowing);
      const { lastExecutedStatement } = additionalInfoList[0];
      assert.equal(lastExecutedStatement, isThrowing ? "server.js_4_module" : null);
    }
  }));

test("uses of inputs and lines belong to their action", () =>
  withDriver(async (driver) => {
    await driver.reset();
    await driver.get("/other");
    await driver.get("/magic/_EM_1_XYZ_", 1);
    await driver.get("/throws", 2);
    const { targets, additionalInfoList } = await driver.results();
    const constants = additionalInfoList.map((/** @type {any} */ info) =>
      (info.stringSpecializations._EM_1_XYZ_ ?? []).map((/** @type {any} */ use) => use.value),
    );
    assert.deepEqual(constants, [[], ["open sesame"], []]);
    const thrown = targets.find((/** @type {any} */ one) => one.descriptiveId.endsWith("_00004"));
    assert.equal(thrown.actionIndex, 2);
  }));

test("a module that an action loads is told with it, and so are two requests of one action", () =>
  withDriver(async (driver) => {
    await driver.reset();
    await driver.get("/other");
    assert.equal((await driver.scores())["Line_at_lazy.js_00002"], undefined);
    await driver.reset();
    await driver.get("/other");
    const { baseUrlOfSUT } = await driver.info();
    await request("GET", `${baseUrlOfSUT}/lazy`);
    assert.equal((await driver.scores())["Line_at_lazy.js_00002"], 1);
    await driver.reset();
    await driver.get("/throws");
    await request("GET", `${baseUrlOfSUT}/lazy`);
    const scores = await driver.scores();
    assert.deepEqual(
      ["lazy.js_00002", "server.js_00004"].map((place) => scores[`Line_at_${place}`]),
      [1, 1],
    );
  }));

test("where a module is loaded, nothing else that is told gets lost", () =>
  withDriver(async (driver) => {
    for (let part = 0; part < PARTS; part += 1) {
      await driver.reset();
      await driver.get(`/both/${part}`);
      const { targets, additionalInfoList } = await driver.results();
      assert.equal(additionalInfoList[0].lastExecutedStatement, "server.js_5_module");
      const place = `Line_at_part${part}.js_00002`;
      assert.ok(targets.some((/** @type {any} */ one) => one.descriptiveId === place));
    }
  }));

test("work behind an answer belongs to its test, also where work is no longer followed", () =>
  withDriver(async (driver) => {
    const { baseUrlOfSUT } = await driver.info();
    const side = "Branch_at_late.js_at_line_00001_position_0_trueBranch";
    const seen = [];
    for (const before of [0, 250, 0]) {
      for (let count = 0; count < before; count += 1) await request("GET", `${baseUrlOfSUT}/other`);
      await driver.reset();
      await driver.get("/late");
      // A machine with much to do comes late to it.
      let score;
      for (let look = 0; look < 50 && score === undefined; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        score = (await driver.scores())[side];
      }
      seen.push(score);
    }
    assert.deepEqual(seen, [1, 1, 1]);
  }));

test("long announcements and reports arrive whole, and a half one is none", () => {
  const file = join(mkdtempSync(join(tmpdir(), "wallace-")), "actions");
  const announcer = new Announcer(file);
  const inputs = Array.from({ length: 300 }, (_, at) => `_EM_${at}_XYZ_é`);
  announcer.announce(7, 2, inputs);
  assert.deepEqual(new Listener(file).next(), { count: 1, test: 7, action: 2, inputs });

  const reader = new ReportReader(`${file}.report`);
  const reporter = new Reporter(`${file}.report`);
  const count = 10_000;
  const touched = Int32Array.from({ length: count }, (_, at) => count - at);
  const actions = new Int32Array(count + 1).fill(3);
  const scores = Float64Array.from({ length: count + 1 }, (_, at) => at / count);
  const memory = /** @type {any} */ ({ touched, actions, scores });
  const notes = `{"statuses":[200,503],"mayDiffer":true}\n${JSON.stringify({ kind: "use", tainted: "é" })}\n`;
  for (const size of [3, count]) {
    reporter.write(5, memory, size, 7, notes);
    const { announcement, test } = reader.head();
    assert.deepEqual([announcement, test], [5, 7]);
    const body = reader.body();
    assert.equal(body?.reached.length, size);
    assert.deepEqual(body?.reached[2], [count - 2, (count - 2) / count, 3]);
    assert.deepEqual(body?.statuses, [200, 503]);
    assert.deepEqual(body?.notes, [{ kind: "use", tainted: "é" }]);
  }
  reader.head();
  reporter.reopen();
  assert.equal(reader.body() && reader.head().announcement, -1);
  announcer.close();
  reader.close();
});

test("statements are looked at behind an answer, before it is told that all is known", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "wallace-")), "actions");
  const announcer = new Announcer(file);
  const reader = new ReportReader(`${file}.report`);
  let waiting = 1;
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting = 0;
    return { 0: /** @type {any} */ ({ distances: [] }) };
  };
  const exchange = new Exchange(file, {
    hasWaiting: () => waiting > 0,
    settle,
    mayDiffer: () => true,
  });
  announcer.announce(1, 0, []);
  exchange.begin();
  await new Promise((resolve) => exchange.answered(() => resolve(undefined)));
  assert.equal(waiting, 0);
  assert.equal(reader.head().test, 1);
  const { notes, mayDiffer } = reader.body() ?? {};
  assert.deepEqual(notes, [{ kind: "activities", activities: { 0: { distances: [] } } }]);
  assert.equal(mayDiffer, true);
  announcer.close();
  reader.close();
});

test("what is noted of one test says nothing of the next", () => {
  const notes = new ActionNotes();
  notes.turnTo(1);
  notes.hear({ kind: "thrown", action: 0, statement: "one" });
  notes.turnTo(1);
  assert.equal(notes.actions[0]?.statement, "one");
  notes.turnTo(2);
  assert.deepEqual(notes.actions, {});
});

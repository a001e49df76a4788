/** What the process that serves the protocol asks that of the service, and what it need not. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { Duplex } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { Announcer } from "../src/driver/announcement.js";
import { ReportReader, Reporter } from "../src/driver/report.js";
import { RemoteProcess } from "../src/supervisor/remote.js";

/** A process of the service that is not there: what it is asked is answered and kept. */
function remote() {
  const file = join(mkdtempSync(join(tmpdir(), "wallace-")), "actions");
  const announcer = new Announcer(file);
  const reports = new ReportReader(`${file}.report`);
  const reporter = new Reporter(`${file}.report`);
  /** @type {string[]} */
  const asked = [];
  const socket = new Duplex({
    read() {},
    write(line, _, done) {
      const { id, method } = JSON.parse(String(line));
      asked.push(method);
      socket.push(`${JSON.stringify({ id, result: {} })}\n`);
      done();
    },
  });
  const means = { announcer, reports, hasHook: false, ending: `${file}.ending` };
  const process = new RemoteProcess(/** @type {any} */ (socket), async () => {}, means);
  /** @param {boolean} mayDiffer */
  const answer = (mayDiffer) => {
    const memory = /** @type {any} */ ({ touched: [], actions: [], scores: [] });
    const known = { statuses: [], mayDiffer };
    reporter.write(announcer.count, memory, 0, process.test, `${JSON.stringify(known)}\n`);
  };
  return { process, asked, answer };
}

test("a reset is asked for where rows may differ, and not elsewhere", async () => {
  const { process, asked, answer } = remote();
  for (const mayDiffer of [false, true]) {
    await process.beginAction(0, []);
    answer(mayDiffer);
    await process.reset();
    assert.deepEqual(asked, mayDiffer ? ["reset"] : []);
  }
});

test("with a database, an action waits until statements of the last one were looked at", async () => {
  const { process, asked, answer } = remote();
  process.socket.push('{"care":{"isCareful":false,"hasDatabases":true}}\n');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await process.beginAction(0, []);
  answer(true);
  await process.beginAction(1, []);
  assert.deepEqual(asked, []);
  // This one was not answered yet.
  await process.beginAction(2, []);
  assert.deepEqual(asked, ["beginAction"]);
});

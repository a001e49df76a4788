/** Messages that Node takes from the text of a call. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import module from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

const REGISTER = new URL("../src/register.js", import.meta.url).href;

const CODE = `
let zero = 0; const list = [1, 2];
const attempts = [
  () => assert(zero > 1 && list.length < 5),
  () => { const wide = "ü"; assert.ok(!wide.startsWith("ü")) ; assert(wide === wide); },
  () => {
    assert(
      list.includes(3) && zero === 0,
    );
  },
  () => (assert.strict["ok"](zero ? list : null), assert(true)),
  () => assert(zero && "said", "with a message"),
  () => assert.equal(zero === 0, false),
  () => assert(),
];
for (const attempt of attempts) {
  try {
    attempt();
  } catch (error) {
    const { message, generatedMessage, code, actual, stack } = error;
    const isError = error instanceof Error && Object.getPrototypeOf(error) === assert.AssertionError.prototype;
    console.log(JSON.stringify([message, generatedMessage, code, actual, stack.split("\\n    at")[0], isError]));
  }
}
`;

// Before that, Node reads the line from the file, and finds it by the columns of what runs.
const isKnown = "registerHooks" in module;

for (const [kind, start] of Object.entries({
  "a.js": 'const assert = require("assert");',
  "a.mjs": 'import assert from "node:assert/strict";',
})) {
  test(`an assertion without a message shows what was written: ${kind}`, { skip: !isKnown }, () => {
    const folder = mkdtempSync(join(tmpdir(), "wallace-"));
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(join(folder, kind), start + CODE);
    const [plain, instrumented] = [[], ["--import", REGISTER]].map((words) => {
      const env = { ...process.env, WALLACE_CACHE: "" };
      return spawnSync(process.execPath, [...words, kind], { cwd: folder, env, encoding: "utf8" });
    });
    assert.equal(plain?.stdout.split("\n").length, 8);
    assert.equal(instrumented?.stdout, plain?.stdout);
  });
}

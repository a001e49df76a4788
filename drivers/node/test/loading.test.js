/** Modules of all kinds, loaded by Node as services load them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { placeOf } from "../src/driver/place.js";

const REGISTER = new URL("../src/register.cjs", import.meta.url).pathname;
const run = promisify(execFile);

/**
 * Runs a project under the driver's hooks.
 *
 * @param {Record<string, string>} files
 * @param {string} entry
 * @param {Record<string, string>} [variables]
 * @returns {Promise<string>} what it printed
 */
async function output(files, entry, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  for (const [name, text] of Object.entries({ "package.json": "{}", ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const env = { ...process.env, WALLACE_CACHE: join(folder, "cache"), ...variables };
  const values = ["--require", REGISTER, join(folder, entry)];
  const first = await run(process.execPath, values, { cwd: folder, env });
  // The second start finds everything in the cache.
  const second = await run(process.execPath, values, { cwd: folder, env });
  assert.equal(second.stdout, first.stdout);
  return first.stdout + first.stderr;
}

/** Says whether the function it stands in was rewritten. */
const SEEN =
  "const { toString } = process.getBuiltinModule('vm').runInNewContext('Function.prototype');" +
  "const seen = (f) => toString.call(f).includes('$w' + '_');";

test("CommonJS", async () => {
  const shown = await output(
    {
      "a.js": `${SEEN} console.log(seen(require("./b").f), seen(require("dep")));`,
      "b.js": "exports.f = () => 1 < 2;",
      "node_modules/dep/index.js": "module.exports = () => 1 < 2;",
    },
    "a.js",
  );
  assert.equal(shown, "true false\n");
});

test("a folder as the program: its package is the service, also among others", async () => {
  const files = {
    "api/package.json": '{ "main": "src/main.js" }',
    "api/src/main.js": `${SEEN} console.log(seen(() => 1 < 2), seen(require("../../other").f));`,
    "other.js": "exports.f = () => 1 < 2;",
  };
  assert.equal(await output(files, "api"), "true false\n");
});

test("timers that the service replaces are not the driver's", async () => {
  const files = {
    "a.js": `globalThis.setTimeout = () => 1; globalThis.clearTimeout = null; ${SEEN}
      globalThis.performance = null; console.log(seen(require("./b").f));`,
    "b.js": "exports.f = () => 1 < 2;",
  };
  assert.equal(await output(files, "a.js"), "true\n");
});

test("threads of a test runner are where the tested modules run, those of a service are left alone", async () => {
  const start = (/** @type {string} */ file) =>
    `const { Worker } = require("worker_threads"); new Worker(require.resolve("${file}"));`;
  const files = {
    "a.js": start("./thread.js"),
    "thread.js": `${SEEN} console.log(seen(require("./b").f));`,
    "b.js": "exports.f = () => 1 < 2;",
    "node_modules/ava/package.json": '{"name":"ava"}',
    "node_modules/ava/cli.js": start("./worker.js"),
    "node_modules/ava/worker.js": 'require("../../thread.js")',
  };
  assert.equal(await output(files, "a.js"), "false\n");
  assert.equal(await output(files, "node_modules/ava/cli.js"), "true\n");
});

test("packages that are named belong to the service", async () => {
  const files = {
    "a.js": `${SEEN} console.log(seen(require("dep")), seen(require("@s/p")));`,
    "node_modules/dep/index.js": "module.exports = () => 1 < 2;",
    "node_modules/@s/p/index.js": "module.exports = () => 1 < 2;",
  };
  assert.equal(await output(files, "a.js", { WALLACE_INCLUDE: "dep,@s/*" }), "true true\n");
});

test("what an installed command runs belongs to the service, and so do places in it", async () => {
  const files = {
    "app.js": "exports.f = () => 1 < 2;",
    "module.mjs": "export const g = () => 1 < 2;",
    "node_modules/dep/index.js": "module.exports = () => 1 < 2;",
    "node_modules/framework/package.json": '{ "name": "framework" }',
    "node_modules/framework/start.js": `${SEEN} const own = process.cwd() + "/";
      console.log(seen(() => 1 < 2), seen(require(own + "app").f), seen(require("dep")));
      import(own + "module.mjs").then(({ g }) => console.log(seen(g)));`,
  };
  assert.equal(await output(files, "node_modules/framework/start.js"), "true true false\ntrue\n");
  const placed = (/** @type {string} */ file) =>
    placeOf([{ name: "f", file, line: 3 }], "/p/node_modules/framework").statement;
  assert.equal(placed("/p/app.js"), "../../app.js_3_f");
  assert.equal(placed("/p/node_modules/dep/index.js"), null);
  assert.equal(placed("node:events"), null);
});

test("ES modules, also in a cycle and with functions called before the body", async () => {
  const shown = await output(
    {
      "package.json": '{"type":"module"}',
      "a.js": `import { g } from "./b.js"; ${SEEN}
        export function f(x) { return x > 1 ? "big" : g(x); } console.log(f(1), seen(f), seen(g));`,
      "b.js": `import { f } from "./a.js"; export function g(x) { return x || 0; }
        console.log(f(2), f(0));`,
    },
    "a.js",
  );
  assert.equal(shown, "big 0\n1 true true\n");
});

test("top-level await, import.meta, JSON and dynamic imports", async () => {
  const shown = await output(
    {
      "a.mjs": `#!/usr/bin/env node
        const x = await Promise.resolve(1); const { f } = await import("./c.cjs");
        if (x === 1) console.log(import.meta.url.endsWith("a.mjs"), f(2)); ${SEEN}
        console.log(seen(f));`,
      "c.cjs": "exports.f = (x) => x > 1;",
    },
    "a.mjs",
  );
  assert.equal(shown, "true true\ntrue\n");
});

test("functions show the text that was written", async () => {
  const written = [
    "function f(a, b = 1 < 2) { return a && b; }",
    "(a) => a",
    "async x => x ? f(x) : { a: x?.b ?? 1 }",
    "class A extends Object { x = 1 === 2; static { this.y = 1 < 2; } get z() { return !this.x; } }",
    "function* g() { while (yield 1 < 2) if (this) f(); else throw g }",
  ];
  const files = {
    "a.mjs": `
      import assert from "node:assert"; import { createContext, runInContext } from "node:vm";
      const written = ${JSON.stringify(written)};
      const made = [${written.join(", ")}];
      assert.deepEqual(made.map(String), written);
      const o = { m(a) { return a > 1; }, get n() { return 1 && 2; } };
      assert.equal(String(o.m), "m(a) { return a > 1; }");
      assert.equal(String(Object.getOwnPropertyDescriptor(o, "n").get), "get n() { return 1 && 2; }");
      const { toString } = Function.prototype;
      assert.equal(String(toString), "function () { [native code] }");
      assert.equal(toString.name, "toString");
      assert.throws(() => toString.call({}), TypeError);
      console.log(runInContext(\`(\${(a) => (a < 2 ? "small" : "large")})(1)\`, createContext({})));`,
  };
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major >= 22) assert.equal(await output(files, "a.mjs"), "small\n");
});

test("stacks keep their lines", async () => {
  const text = `function f(x) {\n  if (x > 1) {\n    throw new Error("here");\n  }\n}\ntry {
  f(2);\n} catch (error) {\n  console.log(error.stack.match(/a\\.js:(\\d+)/g).join(" "));\n}`;
  assert.match(await output({ "a.js": text }, "a.js"), /^a\.js:3 a\.js:7\n/);
});

test("what cannot be read runs as it is, with one remark", async () => {
  const shown = await output(
    {
      "a.js": "with ({ z: 1 }) console.log(z); require('./b');",
      "b.js": "$w_x = 1 < 2; console.log($w_x);",
    },
    "a.js",
  );
  assert.equal(shown, "1\ntrue\n");
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const hasTypes = major > 22 || (major === 22 && minor >= 18);
test("TypeScript as Node strips it", { skip: !hasTypes }, async () => {
  const shown = await output(
    {
      "a.cts": `const { g } = require("./b.mts"); ${SEEN} const f = (x: number): boolean => x > 1;
        console.log(f(2), g("a"), seen(f), seen(g));`,
      "b.mts": "export const g = (x: string): number => x === 'a' ? 1 : 0;",
    },
    "a.cts",
  );
  assert.match(shown, /^true 1 true true\n/);
});

test("lines of text that a loader made are those of the original", async () => {
  const { originalOf } = await import("../src/loader/source_map.js");
  // Two statements on one line, from lines 1 and 3.
  const map = { version: 3, sources: ["a.ts"], names: [], mappings: "AAAA,IAEA" };
  const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
  const text = `a();b();\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
  const original = originalOf(text);
  assert.deepEqual([original?.lineOf(1, 0), original?.lineOf(1, 4)], [1, 3]);
  assert.deepEqual([original?.isAdded(1, 1), original?.isAdded(2, 2)], [false, true]);
  assert.equal(originalOf("a();"), undefined);
});

test("what a loader added is left alone", async () => {
  const { rewrite } = await import("../src/rewriter/rewrite.js");
  const { text, unit } = rewrite({
    text: "var helper = a || b; c(helper);",
    isModule: false,
    name: "a.ts",
    id: "00000001",
    original: { lineOf: (_, column) => (column < 21 ? undefined : 7), isAdded: () => false },
  });
  assert.match(text, /^var helper = a \|\| b; \$w_00000001\[0\]=1;/);
  assert.deepEqual(unit.sites[0]?.slice(0, 2), [0, 7]);
});

test("what a compiler writes for decorators has no targets", async () => {
  const { rewrite } = await import("../src/rewriter/rewrite.js");
  const { originalOf } = await import("../src/loader/source_map.js");
  // As swc writes it: the helper and the types stand behind original code, in lines of their own.
  const lines = [
    "var C = require('c');",
    "function decorate(a, b) { return a && b ? a : b; }",
    "decorate([",
    "C.get(1 < 2),",
    "decorate('type', typeof C === 'undefined' ? Object : C)",
    "], a === b);",
  ];
  const map = { version: 3, sources: ["a.ts"], names: [], mappings: "AAAA;;;AACA;;AAEA" };
  const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
  const text = `${lines.join("\n")}\n//# sourceMappingURL=data:application/json;base64,${encoded}`;
  const original = originalOf(text);
  const { unit } = rewrite({ text, isModule: false, name: "a.ts", id: "00000001", original });
  const found = unit.sites.map(([kind, line]) => [kind, line]);
  assert.deepEqual(
    found.filter(([kind]) => kind === 1),
    [
      [1, 2],
      [1, 4],
    ],
  );
  assert.deepEqual([...new Set(found.map(([, line]) => line))].sort(), [1, 2, 4]);
});

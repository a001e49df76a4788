/** Vitest and Jest, which load modules by their own means. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import wallace from "../src/vite.js";

const PACKAGE = new URL("..", import.meta.url).pathname;
const RUNNERS = new URL("../fixtures/runners/node_modules/", import.meta.url).pathname;
const skip = existsSync(join(RUNNERS, "vitest"))
  ? false
  : "the runners are not installed: `npm install` in fixtures/runners";

const ENGINE = `#!${process.execPath}
const options = new Map(process.argv.slice(3).map((word, at, all) => [word, all[at + 1]]));
const base = options.get("--driver") + "/controller/api";
const headers = { "content-type": "application/json", connection: "keep-alive" };
const put = (path, body) =>
  fetch(base + path, { method: "PUT", headers, body: JSON.stringify(body) });
(async () => {
  await put("/runSUT", { run: true, resetState: true });
  await put("/newAction", { index: 0, name: "x" });
  const { data } = await (await fetch(base + "/infoSUT", { headers })).json();
  const answer = await (await fetch(data.baseUrlOfSUT + "/size/7")).text();
  const found = await (await fetch(base + "/testResults?descriptiveIds=true", { headers })).json();
  const names = found.data.targets.filter((one) => one.value === 1).map((one) => one.descriptiveId);
  const units = data.unitsInfoDto.unitNames.join();
  console.error("saw " + JSON.stringify({ answer, units, names }));
  process.exit(3);
})();
`;

/** Tests of the project that also have to pass, and a search that tells what it saw as an error. */
const BODY = `
test("small", () => expect(size(3)).toBe("small"));
test("search", async () => {
  const { fuzz } = FUZZ;
  await expect(fuzz(app, { calls: 5 })).rejects.toThrow("nothing");
}, 30000);
`;

/**
 * @param {Record<string, string>} files
 * @param {string[]} words
 */
function run(files, words) {
  const folder = mkdtempSync(join(tmpdir(), "wallace-"));
  for (const [name, text] of Object.entries({ engine: ENGINE, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(RUNNERS)) {
    symlinkSync(join(RUNNERS, name), join(folder, "node_modules", name));
  }
  symlinkSync(PACKAGE, join(folder, "node_modules/wallace-driver"));
  /** @type {NodeJS.ProcessEnv} */
  const environment = { ...process.env, WALLACE: join(folder, "engine"), CI: "1" };
  delete environment.NODE_TEST_CONTEXT;
  const [program = "", ...values] = words;
  const path = join(folder, "node_modules", program);
  const options = { cwd: folder, env: environment, encoding: /** @type {const} */ ("utf8") };
  const { stdout, stderr } = spawnSync(process.execPath, [path, ...values], options);
  const shown = stdout + stderr;
  const saw = /saw (\{.*?\})/.exec(shown.replaceAll('\\"', '"'))?.[1];
  return { shown, saw: saw ? JSON.parse(saw) : undefined };
}

/**
 * @param {{shown: string, saw: any}} outcome
 * @param {string} [unit]
 * @param {string} [line] that the request ran
 */
function check({ shown, saw }, unit = "src/app.js", line = "00012") {
  assert.ok(saw, shown);
  assert.equal(saw.answer, "large", shown);
  assert.equal(saw.units, unit);
  assert.ok(saw.names.includes(`Line_at_${unit}_${line}`), saw.names.join("\n"));
  assert.ok(saw.names.includes(`Branch_at_${unit}_at_line_00005_position_0_falseBranch`));
  assert.match(shown, /1 passed/);
}

const TYPED = `
type Size = "small" | "large";

export function size(n: number): Size {
  return n < 5 ? "small" : "large";
}

interface Answer {
  end(text: string): void;
}

export const app = (request: { url: string }, response: Answer) => {
  const described = JSON.stringify({ openapi: "3.0.0", paths: {} });
  const [, path, n] = request.url.split("/");
  response.end(path === "openapi.json" ? described : size(Number(n)));
};
`;

const PLAIN = `"use strict";

function size(n) {
  const isStrict = (function () { return this === undefined; })();
  return n < 5 || !isStrict ? "small" : "large";
}

exports.size = size;
exports.app = (request, response) => {
  const described = JSON.stringify({ openapi: "3.0.0", paths: {} });
  const [, path, n] = request.url.split("/");
  response.end(path === "openapi.json" ? described : size(Number(n)));
};
`;

test("Vitest, with TypeScript", { skip }, () => {
  const files = {
    "package.json": '{"type":"module"}',
    "src/app.ts": TYPED,
    "vitest.config.js":
      'import wallace from "wallace-driver/vite"; export default { plugins: [wallace()] };',
    "app.test.js":
      'import { expect, test } from "vitest"; import { app, size } from "./src/app.ts";' +
      BODY.replace("FUZZ", 'await import("wallace-driver")'),
  };
  check(run(files, ["vitest/vitest.mjs", "run"]), "src/app.ts", "00015");
});

test("Jest", { skip }, () => {
  const files = {
    "package.json": "{}",
    "src/app.js": PLAIN,
    "jest.config.js":
      'module.exports = { transform: { "\\\\.js$": "wallace-driver/jest" }, cacheDirectory: __dirname + "/cache" };',
    "app.test.js":
      'const { app, size } = require("./src/app.js");' +
      BODY.replace("FUZZ", 'require("wallace-driver")'),
  };
  check(run(files, ["jest/bin/jest.js", "--watchman=false"]));
});

test("the set-up file of Vitest is loaded by the plugin, wherever the package lies", () => {
  const plugin = wallace();
  const [file = ""] = plugin.config().test.setupFiles;
  assert.equal(plugin.load(file), readFileSync(file, "utf8"));
  assert.equal(plugin.load("other.js"), undefined);
});

/** Takes away what leads from the text of a module to ours. */
const HIDING = `
const { getBuiltinModule } = process;
beforeEach(() => { process.getBuiltinModule = undefined; });
afterEach(() => { process.getBuiltinModule = getBuiltinModule; });
test("seen", async () => {
  const { size } = await LOADED;
  expect([3, 7].map(size)).toEqual(["small", "large"]);
  expect(SEEN).toBe(true);
});
`;

const SHADOWING = `"use strict";
const process = { env: "small" }, globalThis = undefined;
SIZE function size(n) { return n < 5 ? process.env : globalThis ?? "large"; }
`;

/** @param {string} loaded */
function hiding(loaded) {
  const seen = 'Object.getOwnPropertyNames(globalThis).includes("$w_claim")';
  return HIDING.replace("LOADED", loaded).replace("SEEN", seen);
}

test("Vitest, where a module and its test hide Node", { skip }, () => {
  const files = {
    "package.json": '{"type":"module"}',
    "src/size.js": SHADOWING.replace("SIZE", "export"),
    "vitest.config.js":
      'import wallace from "wallace-driver/vite"; export default { plugins: [wallace()] };',
    "size.test.js": `import { afterEach, beforeEach, expect, test } from "vitest"; ${hiding('import("./src/size.js")')}`,
  };
  const { shown } = run(files, ["vitest/vitest.mjs", "run"]);
  assert.match(shown, /1 passed/, shown);
});

test("Vitest, with mocks in files that are instrumented", { skip }, () => {
  const files = {
    "package.json": '{"type":"module"}',
    "src/real.js": "export const real = (n) => n < 3;",
    "src/size.js":
      'import { real } from "./real.js"; export const size = (n) => (real(n) ? "small" : "large");',
    "setup.js": `import { vi } from "vitest";
      const { mocked } = vi.hoisted(() => ({ mocked: () => true }));
      vi.mock("./src/real.js", () => ({ real: mocked }));`,
    "tests/size.js": `import { expect, test, vi } from "vitest";
      import { size } from "../src/size.js";
      import { hostname } from "node:os";
      const name = vi.hoisted(() => "here");
      vi.mock("node:os", async (original) => ({ ...(await original()), hostname: () => name }));
      test("mocked", () => expect(size(7) + hostname()).toBe("smallhere"));`,
    "vitest.config.js": `import wallace from "wallace-driver/vite";
      const test = { include: ["tests/*.js"], setupFiles: ["./setup.js"] };
      export default { plugins: [wallace()], test };`,
  };
  const { shown } = run(files, ["vitest/vitest.mjs", "run"]);
  assert.match(shown, /1 passed/, shown);
});

test("Jest, where a module hides Node", { skip }, () => {
  const files = {
    "package.json": "{}",
    "src/size.js": SHADOWING.replace("SIZE", "exports.size = size;"),
    "jest.config.js":
      'module.exports = { transform: { "\\\\.js$": "wallace-driver/jest" }, cacheDirectory: __dirname + "/cache" };',
    "size.test.js": hiding('require("./src/size.js")').replace(/^(before|after)Each.*$/gm, ""),
  };
  const { shown } = run(files, ["jest/bin/jest.js", "--watchman=false"]);
  assert.match(shown, /1 passed/, shown);
});

test("Jest before version 24 finds what it asks a transform for", () => {
  const loaded = createRequire(import.meta.url)("../src/jest.js");
  assert.equal(typeof loaded.process, "function");
  const { code } = loaded
    .createTransformer()
    .process("exports.a = 1 < 2;", join(process.cwd(), "a.js"), { rootDir: "." }, {});
  assert.match(code, /\$w_claim.*1<|1 < 2/);
});

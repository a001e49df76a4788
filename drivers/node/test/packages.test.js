/** The command where the driver's own packages are not installed. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

const own = new URL("../", import.meta.url).pathname;

test("a driver without its packages says so and starts nothing", () => {
  const folder = mkdtempSync(join(tmpdir(), "wallace-driver-"));
  try {
    for (const part of ["package.json", "bin", "src"]) {
      cpSync(join(own, part), join(folder, part), { recursive: true });
    }
    const script = join(folder, "bin/wallace-driver.js");
    const ended = spawnSync(process.execPath, [script, "--port", "0", "--", "node"], {
      timeout: 60_000,
    });
    assert.equal(ended.status, 2);
    assert.match(String(ended.stderr), /acorn is missing: `npm ci` in .*wallace-driver-/);
    assert.equal(String(ended.stdout), "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

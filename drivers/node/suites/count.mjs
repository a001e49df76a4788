/** Loaded into every process of a suite: writes how many targets its code reached. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { TOUCHED, USED } from "../src/runtime/memory.js";
import { memory } from "../src/runtime/recording.js";

/** Runners end their children without asking. */
const PAUSE = 300;

const folder = process.env.SUITE_COUNTS ?? "";
const file = join(folder, `${process.pid}-${threadId}`);
const { setInterval, Math } = globalThis;
let before = 0;

function write() {
  const { control, marks } = memory;
  const used = marks.subarray(0, control[USED] ?? 0);
  const count = Math.max(
    control[TOUCHED] ?? 0,
    used.reduce((sum, mark) => sum + (mark ? 1 : 0), 0),
  );
  if (count > before) writeFileSync(file, String(count));
  before = count;
}

setInterval(write, PAUSE).unref();
process.once("exit", write);

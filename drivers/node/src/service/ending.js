/**
 * The end of the service that it brings about itself: an exception that nobody caught, a rejection
 * that nobody handled, a call of `process.exit`. What is known then is written to a file, since no
 * message would be sent any more.
 */
import { writeFileSync } from "node:fs";
import { framesOf, placeOf } from "../driver/place.js";
import { ACTION, TEST } from "../runtime/memory.js";
import { memory } from "../runtime/recording.js";
import { answerRequests } from "./requests.js";

/** What is said to whoever waits for an answer. */
const ENDED = "the service ended";

/**
 * @typedef {import("../driver/place.js").Place &
 *   {reason: string, test: number, action: number}} Ending
 */

/**
 * @param {string} file for what is known of the end
 * @param {string} root folder of the service
 * @param {() => void} report is called before: what was reached is told
 */
export function watchEnding(file, root, report) {
  /** @type {unknown} */
  let thrown;
  process.on("uncaughtExceptionMonitor", (error) => (thrown = error));
  process.on("exit", (code) => {
    const error = thrown instanceof Error ? thrown : new Error(`process.exit(${code})`);
    const reason = thrown === undefined || thrown === error ? String(error) : String(thrown);
    const place = placeOf(framesOf(String(error.stack)), root);
    const { control } = memory;
    const ending = { ...place, reason, test: control[TEST], action: control[ACTION] };
    try {
      report();
      writeFileSync(file, JSON.stringify(ending));
      answerRequests(ENDED);
    } catch {
      // It ends all the same.
    }
  });
}

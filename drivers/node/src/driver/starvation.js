/**
 * Whether the service's thread waits for a processor: on a machine that has more to do than it can,
 * a loop that does not turn is no hang.
 */
import { readFileSync } from "node:fs";

/** Linux tells of the first thread of a process what it does, and for how long it did. */
const FILE = `/proc/self/task/${process.pid}/stat`;
/** Places of the state and of both times, behind the name. */
const STATE = 0;
const TIMES = [11, 12];

/** @returns {string} nothing on systems that do not tell */
function told() {
  try {
    return readFileSync(FILE, "latin1");
  } catch {
    return "";
  }
}

export class Starvation {
  /** @param {() => string} read what the system tells of the thread */
  constructor(read = told) {
    this.read = read;
    this.time = -1;
  }

  /** @returns {boolean} whether the thread wanted to run since the last look, and was not let */
  isStarved() {
    const text = this.read();
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const time = TIMES.reduce((sum, place) => sum + Number(fields[place]), 0);
    const isStarved = fields[STATE] === "R" && time === this.time;
    this.time = time;
    return isStarved;
  }
}

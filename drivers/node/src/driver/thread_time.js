/**
 * How much time the service's thread had: where the machine has more to do than it can, a loop that
 * does not turn is no hang, and what the thread was asked for takes longer.
 */
import { readFileSync } from "node:fs";

/** Time between two looks, in milliseconds. */
export const LOOK = 50;
/** Linux tells of the first thread of a process what it does, and for how long it ran. */
const FILE = `/proc/self/task/${process.pid}/stat`;
/** Places of the state and of both times, behind the name. */
const STATE = 0;
const TIMES = [11, 12];
/** The unit of these times, in milliseconds: the same on each Linux. */
const TICK = 10;

/** @returns {string} nothing on systems that do not tell */
function told() {
  try {
    return readFileSync(FILE, "latin1");
  } catch {
    return "";
  }
}

export class ThreadTime {
  /** @param {() => string} read what the system tells of the thread */
  constructor(read = told) {
    this.read = read;
    this.ticks = 0;
    this.had();
  }

  /**
   * @returns {number} the milliseconds since the last look in which the thread ran, or did not want
   *   to: all of them where nothing is told. A look counts as the time between two, since a machine
   *   may sleep.
   */
  had() {
    const text = this.read();
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = TIMES.reduce((sum, place) => sum + Number(fields[place]), 0);
    const ran = (ticks - this.ticks) * TICK;
    this.ticks = ticks;
    return fields[STATE] === "R" ? Math.min(ran, LOOK) : LOOK;
  }
}

/**
 * @template T
 * @param {Promise<T>} work that needs the thread
 * @param {number} milliseconds that the thread may have for it
 * @param {ThreadTime} [time]
 * @returns {Promise<T | undefined>} nothing if it took longer
 */
export async function within(work, milliseconds, time = new ThreadTime()) {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  // Who has waited long enough does not hear of it any more.
  done.catch(() => {});
  const late = async () => {
    for (let left = milliseconds; left > 0 && !isDone; left -= time.had()) await later(LOOK);
    return undefined;
  };
  return Promise.race([done, late()]);
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
export function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * What a test reached, told through a file: the service's thread writes it behind each answer, and
 * the process that serves the protocol reads it. A message would wake the driver's thread in the
 * service for each test, which costs more than all that is written here.
 *
 * Behind a head of 32-bit numbers stand the reached targets, then one JSON text a line, what is known
 * of the test and the notes, then the first number of the head once more: a text without it is not
 * whole.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Bytes of the head: announcement, test, number of targets, bytes of the lines, time, and no meaning. */
const HEAD = 24;
/** Bytes of a target: its number, its action, its score. */
const RECORD = 16;
const BLOCK = 1 << 16;
/** In the place of an announcement: what stands here is not all there is. */
const OPEN = -1;

/**
 * @typedef {import("./recorder.js").Reached} Reached
 * @typedef {import("../runtime/memory.js").Memory} Memory
 * @typedef {{announcement: number, test: number, time: number}} Head
 * @typedef {{statuses: number[], mayDiffer: boolean}} Known of a test: the statuses of its answers,
 *   and whether rows of databases may not be those of the start
 */

/** @returns {number} milliseconds, as they fit into the head */
export const clock = () => Date.now() & 0x7fffffff;

/** @param {number} size in bytes */
function blockOf(size) {
  const bytes = new ArrayBuffer(size);
  return {
    size,
    bytes: Buffer.from(bytes),
    numbers: new Int32Array(bytes),
    scores: new Float64Array(bytes),
  };
}

/** Writes reports. */
export class Reporter {
  /** @param {string} file that is there */
  constructor(file) {
    this.descriptor = openSync(file, "r+");
    this.block = blockOf(BLOCK);
    this.isOpen = false;
  }

  /** Says that what was written is not all there is. */
  reopen() {
    if (this.isOpen) return;
    this.isOpen = true;
    this.block.numbers[0] = OPEN;
    writeSync(this.descriptor, this.block.bytes, 0, 4, 0);
  }

  /**
   * @param {number | undefined} announcement the last one whose request is answered; nothing while
   *   more is to be told than stands here
   * @param {Memory} memory
   * @param {number} count targets that were touched
   * @param {number} test
   * @param {string} lines one JSON text each: what is known, and notes
   */
  write(announcement, memory, count, test, lines) {
    const length = Buffer.byteLength(lines);
    const end = HEAD + RECORD * count + length;
    if (end + 4 > this.block.size) this.block = blockOf(2 * Math.ceil((end + 4) / BLOCK) * BLOCK);
    const { bytes, numbers, scores } = this.block;
    this.isOpen = announcement === undefined;
    const first = announcement ?? OPEN;
    numbers.set([first, test, count, length, clock()]);
    for (let at = 0, place = HEAD / 4; at < count; at += 1, place += RECORD / 4) {
      const target = memory.touched[at] ?? 0;
      numbers[place] = target;
      numbers[place + 1] = memory.actions[target] ?? -1;
      scores[(place + 2) >> 1] = memory.scores[target] ?? 0;
    }
    bytes.write(lines, end - length);
    bytes.writeInt32LE(first, end);
    writeSync(this.descriptor, bytes, 0, end + 4, 0);
  }
}

/** Reads reports. */
export class ReportReader {
  /** @param {string} file that is made */
  constructor(file) {
    this.descriptor = openSync(file, "w+");
    this.block = blockOf(BLOCK);
    this.isOpen = true;
  }

  /** @returns {Head} of the last report */
  head() {
    const read = this.isOpen ? readSync(this.descriptor, this.block.bytes, 0, BLOCK, 0) : 0;
    const { numbers } = this.block;
    if (read < HEAD) return { announcement: OPEN, test: OPEN, time: 0 };
    return { announcement: numbers[0] ?? OPEN, test: numbers[1] ?? OPEN, time: numbers[4] ?? 0 };
  }

  /**
   * @returns {(Known & {reached: Reached[], notes: any[]}) | undefined} what stands behind the head
   *   that was read
   */
  body() {
    const { numbers: head } = this.block;
    const [first = OPEN, , count = 0, length = 0] = head;
    const end = HEAD + RECORD * count + length;
    if (end + 4 > this.block.size) {
      this.block = blockOf(Math.ceil((end + 4) / BLOCK) * BLOCK);
      readSync(this.descriptor, this.block.bytes, 0, end + 4, 0);
    }
    const { bytes, numbers, scores } = this.block;
    if (!length || numbers[0] !== first || bytes.readInt32LE(end) !== first) return undefined;
    /** @type {Reached[]} */
    const reached = [];
    for (let place = HEAD / 4; reached.length < count; place += RECORD / 4) {
      reached.push([numbers[place] ?? 0, scores[(place + 2) >> 1] ?? 0, numbers[place + 1] ?? -1]);
    }
    const lines = bytes.toString("utf8", end - length, end).trimEnd();
    const [known, ...notes] = lines.split("\n").map((line) => JSON.parse(line));
    return { ...known, reached, notes };
  }

  close() {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

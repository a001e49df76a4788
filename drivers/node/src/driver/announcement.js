/**
 * The action that comes next, told through a file: for each request the service's thread looks at
 * it, which costs a hundredth of a message and wakes nobody.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Bytes in front of the inputs: a number that changes, test, action, and the length of the rest. */
const HEAD = 16;
/** Bytes that are read at once. */
const BLOCK = 1024;

/** @typedef {{count: number, test: number, action: number, inputs: string[]}} Announcement */

/** Writes announcements. */
export class Announcer {
  /** @param {string} file that the service's thread reads */
  constructor(file) {
    this.descriptor = openSync(file, "w");
    this.count = 0;
    this.isOpen = true;
  }

  /**
   * @param {number} test
   * @param {number} action -1 while the test has none
   * @param {string[]} inputs
   */
  announce(test, action, inputs) {
    const rest = inputs.length ? JSON.stringify(inputs) : "";
    const length = Buffer.byteLength(rest);
    const whole = Buffer.allocUnsafe(HEAD + length);
    this.count = (this.count + 1) & 0x3fffffff;
    whole.writeInt32LE(this.count, 0);
    whole.writeInt32LE(test, 4);
    whole.writeInt32LE(action, 8);
    whole.writeInt32LE(length, 12);
    if (length) whole.write(rest, HEAD);
    if (this.isOpen) writeSync(this.descriptor, whole, 0, whole.length, 0);
  }

  close() {
    if (this.isOpen) closeSync(this.descriptor);
    this.isOpen = false;
  }
}

/** Reads announcements. */
export class Listener {
  /** @param {string} file empty for none */
  constructor(file) {
    this.descriptor = file ? openSync(file, "r") : undefined;
    this.block = Buffer.alloc(BLOCK);
    this.head = new Int32Array(this.block.buffer, this.block.byteOffset, HEAD / 4);
    /** The last announcement that was read. */
    this.count = 0;
  }

  /** @returns {Announcement | undefined} what was announced since the last look */
  next() {
    const { descriptor, block, head } = this;
    if (descriptor === undefined) return undefined;
    const read = readSync(descriptor, block, 0, BLOCK, 0);
    const [count = 0, test = 0, action = 0, length = 0] = head;
    if (read < HEAD || count === this.count) return undefined;
    this.count = count;
    return { count, test, action, inputs: this.#inputs(descriptor, length, read) };
  }

  /**
   * @param {number} descriptor
   * @param {number} length
   * @param {number} read bytes that are in the block
   * @returns {string[]}
   */
  #inputs(descriptor, length, read) {
    if (!length) return [];
    const end = HEAD + length;
    if (end <= read) return JSON.parse(this.block.toString("utf8", HEAD, end));
    const whole = Buffer.alloc(length);
    readSync(descriptor, whole, 0, length, HEAD);
    return JSON.parse(whole.toString());
  }
}

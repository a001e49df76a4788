/**
 * The action that comes next, told through a file: for each request the service's thread looks at
 * it, which costs a hundredth of a message and wakes nobody.
 */
import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** Bytes in front of the inputs: a number that changes, the action, and the length of the rest. */
const HEAD = 12;
/** Bytes that are read at once. */
const BLOCK = 1024;

/** Writes announcements. */
export class Announcer {
  /** @param {string} file that the service's thread reads */
  constructor(file) {
    this.descriptor = openSync(file, "w");
    this.count = 0;
    this.isOpen = true;
  }

  /**
   * @param {number} action -1 while a test has none
   * @param {string[]} inputs
   */
  announce(action, inputs) {
    const rest = inputs.length ? Buffer.from(JSON.stringify(inputs)) : Buffer.alloc(0);
    const head = Buffer.alloc(HEAD);
    this.count = (this.count + 1) | 0;
    head.writeInt32LE(this.count, 0);
    head.writeInt32LE(action, 4);
    head.writeInt32LE(rest.length, 8);
    if (this.isOpen) writeSync(this.descriptor, Buffer.concat([head, rest]), 0, undefined, 0);
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
    this.count = 0;
  }

  /** @returns {{action: number, inputs: string[]} | undefined} what was announced since the last look */
  next() {
    const { descriptor, block } = this;
    if (descriptor === undefined) return undefined;
    const read = readSync(descriptor, block, 0, BLOCK, 0);
    const count = block.readInt32LE(0);
    if (read < HEAD || count === this.count) return undefined;
    this.count = count;
    const inputs = this.#inputs(descriptor, block.readInt32LE(8));
    return { action: block.readInt32LE(4), inputs };
  }

  /**
   * @param {number} descriptor
   * @param {number} length
   * @returns {string[]}
   */
  #inputs(descriptor, length) {
    if (!length) return [];
    const whole = Buffer.alloc(length);
    readSync(descriptor, whole, 0, length, HEAD);
    return JSON.parse(whole.toString());
  }
}

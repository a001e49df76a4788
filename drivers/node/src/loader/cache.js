/**
 * Rewritten text by content, so that a second start costs next to nothing.
 *
 * All of a project is one file: reading it is one call of the system, and most of a project is
 * needed at each start.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir, homedir } from "node:os";
import { join } from "node:path";

/** @typedef {{text: string, unit: import("../rewriter/sites.js").Unit}} Rewritten */

/** Entries of files that are gone are dropped when the file grows beyond this. */
const MOST_ENTRIES = 20_000;

export class Cache {
  /**
   * @param {string} root folder of the project
   * @param {string} version of the rewriter: another one writes another text
   * @param {string} setting folder of the cache, `on` for the user's, empty for none
   */
  constructor(root, version, setting) {
    this.version = version;
    const folder = setting === "on" ? userFolder() : setting;
    this.file = folder && join(folder, `${hash(`${version} ${root}`)}.json`);
    /** @type {Map<string, Rewritten> | undefined} */
    this.entries = undefined;
    /** @type {Map<string, Rewritten>} what this process needed */
    this.used = new Map();
    this.hasNews = false;
  }

  /**
   * @param {string} name of the unit
   * @param {string} text the original
   */
  keyOf(name, text) {
    return hash(`${name}\n${text}`);
  }

  /** @param {string} key */
  get(key) {
    this.entries ??= this.#read();
    const found = this.entries.get(key);
    if (found) this.used.set(key, found);
    return found;
  }

  /**
   * @param {string} key
   * @param {Rewritten} rewritten
   */
  set(key, rewritten) {
    this.entries?.set(key, rewritten);
    this.used.set(key, rewritten);
    this.hasNews = true;
  }

  /** Writes what is new. A cache that cannot be written is none. */
  save() {
    if (!this.file || !this.hasNews) return;
    this.hasNews = false;
    const isLarge = (this.entries?.size ?? 0) > MOST_ENTRIES;
    const entries = [...(isLarge ? this.used : (this.entries ?? this.used))];
    const unfinished = `${this.file}.${process.pid}`;
    try {
      mkdirSync(join(this.file, ".."), { recursive: true });
      writeFileSync(unfinished, JSON.stringify(entries));
      renameSync(unfinished, this.file);
    } catch {
      // Read-only homes are no reason to stop.
    }
  }

  /** @returns {Map<string, Rewritten>} */
  #read() {
    if (!this.file) return new Map();
    try {
      return new Map(JSON.parse(readFileSync(this.file, "utf8")));
    } catch {
      return new Map();
    }
  }
}

function userFolder() {
  const base = process.env.XDG_CACHE_HOME ?? (homedir() ? join(homedir(), ".cache") : tmpdir());
  return join(base, "wallace-driver");
}

/**
 * @param {string} text
 * @returns {string}
 */
export function hash(text) {
  return createHash("sha1").update(text).digest("hex").slice(0, 16);
}

/**
 * The table of a unit: which targets its text has, and where.
 *
 * A site is `[kind, line, position, targets]`: how many targets it has follows from its kind. The
 * targets of a unit are numbered from 0, in the order of the table.
 *
 * @typedef {[kind: number, line: number, position: number, targets: number, extra?: any]} Site
 * @typedef {{name: string, id: string, count: number, sites: Site[]}} Unit
 */

/** Kinds of sites. */
export const LINE = 0;
export const BRANCH = 1;
export const ARMS = 2;
/** A text is read as a number, a date, JSON ...: it can be, or not. */
export const PARSE = 3;
/** A call returns normally. */
export const CALL = 4;

/** Collects the sites of one unit. */
export class Sites {
  /**
   * @param {(position: number) => number} lineOf line of a position, from 1; 0 for what a loader added
   * @param {(from: number, to: number) => boolean} isAdded whether a loader added a whole stretch
   */
  constructor(lineOf, isAdded) {
    this.lineOf = lineOf;
    this.isAdded = isAdded;
    this.count = 0;
    /** @type {Site[]} */
    this.sites = [];
    /** @type {Map<number, number>} target of each line */
    this.lines = new Map();
    /** @type {Map<string, number>} how many sites of a kind a line has */
    this.positions = new Map();
  }

  /**
   * @param {number} kind
   * @param {number} line
   * @param {number} targets
   * @param {any} [extra]
   * @returns {number} the first target
   */
  #add(kind, line, targets, extra) {
    const family = `${kind === ARMS ? BRANCH : kind}:${line}`;
    const position = this.positions.get(family) ?? 0;
    this.positions.set(family, position + 1);
    /** @type {Site} */
    const site = [kind, line, position, targets];
    if (extra !== undefined) site.push(extra);
    this.sites.push(site);
    const first = this.count;
    this.count += targets;
    return first;
  }

  /**
   * @param {number} position
   * @returns {number | undefined} the target of the line that starts a statement here; nothing
   *   where the line has one already
   */
  line(position) {
    const line = this.lineOf(position);
    if (line === 0 || this.lines.has(line)) return undefined;
    const target = this.#add(LINE, line, 1);
    this.lines.set(line, target);
    return target;
  }

  /** @param {number} position */
  branch(position) {
    return this.#add(BRANCH, this.lineOf(position), 2);
  }

  /**
   * @param {number} position
   * @param {any[]} literals what each arm asks for, `null` where that is no literal; then comes the
   *   default
   */
  arms(position, literals) {
    return this.#add(ARMS, this.lineOf(position), literals.length + 1, literals);
  }

  /** @param {number} position */
  parse(position) {
    return this.#add(PARSE, this.lineOf(position), 2);
  }

  /** @param {number} position */
  call(position) {
    const line = this.lineOf(position);
    return this.#add(CALL, line, 1, this.lines.get(line));
  }
}

/**
 * What the visitors of one unit share.
 *
 * @typedef {import("./node.js").Node} Node
 * @typedef {{depth: number, most: number, hasTemporaries: boolean, name: string}} Frame
 * @typedef {(context: Context, node: Node) => void} Visitor
 */

/** Visitors by type of node; every file of this folder adds its own. */
/** @type {Record<string, Visitor>} */
export const visitors = {};

/** The rewriting of one unit. */
export class Context {
  /**
   * @param {string} text
   * @param {import("./edits.js").Edits} edits
   * @param {import("./sites.js").Sites} sites
   * @param {string} marks name of the array that the unit's code marks
   */
  constructor(text, edits, sites, marks) {
    this.text = text;
    this.edits = edits;
    this.sites = sites;
    this.marks = marks;
    /** @type {Frame} */
    this.frame = newFrame("", true);
  }

  /**
   * Visits an expression whose value counts, or a statement.
   *
   * @param {Node | null | undefined} node
   */
  visit(node) {
    // Nobody wrote what a loader added: none of it can be reached by a better test.
    if (!node || this.sites.isAdded(node.start, node.end)) return;
    const visitor = visitors[node.type];
    if (visitor) visitor(this, node);
  }

  /** @param {(Node | null)[]} nodes */
  visitAll(nodes) {
    for (const node of nodes) this.visit(node);
  }

  /**
   * A variable of the function for the value of an operand, which `inside` must not use.
   *
   * @template T
   * @param {(name: string) => T} inside
   * @returns {T}
   */
  withTemporary(inside) {
    const { frame } = this;
    frame.depth += 1;
    frame.most = Math.max(frame.most, frame.depth);
    const result = inside(`$w_${frame.depth}`);
    frame.depth -= 1;
    return result;
  }

  /**
   * Visits the body of a function, which has variables of its own.
   *
   * @param {string} name
   * @param {boolean} hasTemporaries
   * @param {() => void} inside
   * @returns {string} the declaration of the variables that it needs
   */
  inFrame(name, hasTemporaries, inside) {
    const outer = this.frame;
    this.frame = newFrame(name, hasTemporaries);
    inside();
    const { most } = this.frame;
    this.frame = outer;
    const names = Array.from({ length: most }, (_, index) => `$w_${index + 1}`);
    return most ? `let ${names.join(",")};` : "";
  }

  /**
   * @param {Node} node
   * @returns {string} its text
   */
  textOf(node) {
    return this.text.slice(node.start, node.end);
  }
}

/**
 * @param {string} name
 * @param {boolean} hasTemporaries
 * @returns {Frame}
 */
function newFrame(name, hasTemporaries) {
  return { depth: 0, most: 0, hasTemporaries, name };
}

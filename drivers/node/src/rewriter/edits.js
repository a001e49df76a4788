const NAME_START = /^[$\w]/;
const NAME_END = /[$\w]$/;

/**
 * Insertions into a text, collected first and made all at once.
 *
 * Nothing is printed anew: what the author wrote stays where it is, on its line.
 *
 * @typedef {{start: number, end: number, text: string}} Step what takes the place of a stretch
 */
export class Edits {
  /** @param {string} text the original */
  constructor(text) {
    this.text = text;
    /** @type {Map<number, {closing: {text: string}[], opening: {text: string}[]}>} */
    this.places = new Map();
    /** @type {Step[]} */
    this.replaced = [];
  }

  /** @param {number} position */
  #at(position) {
    let place = this.places.get(position);
    if (!place) {
      place = { closing: [], opening: [] };
      this.places.set(position, place);
    }
    return place;
  }

  /**
   * Puts `text` before what starts at `position`, behind what was put there earlier. The text may
   * be changed until `apply`.
   *
   * @param {number} position
   * @param {string} text
   * @returns {{text: string}} the insertion
   */
  before(position, text) {
    const insertion = { text };
    this.#at(position).opening.push(insertion);
    return insertion;
  }

  /**
   * Puts `text` behind what ends at `position`, before what was put there earlier: who wraps first
   * is outside. The text may be changed until `apply`.
   *
   * @param {number} position
   * @param {string} text
   * @returns {{text: string}} the insertion
   */
  after(position, text) {
    const insertion = { text };
    this.#at(position).closing.unshift(insertion);
    return insertion;
  }

  /**
   * @param {{start: number, end: number}} node
   * @param {string} opening
   * @param {string} closing
   */
  wrap(node, opening, closing) {
    this.before(node.start, opening);
    this.after(node.end, closing);
  }

  /**
   * Puts `text` in the place of a stretch in which nothing else is inserted.
   *
   * @param {number} start
   * @param {number} end
   * @param {string} text
   */
  replace(start, end, text) {
    this.replaced.push({ start, end, text });
  }

  /** @returns {Step[]} in their order */
  steps() {
    const steps = [...this.places].map(([position, place]) => {
      const text = [...place.closing, ...place.opening].map((one) => one.text).join("");
      // Minified text needs no space behind `return`, `typeof` or `case`: ours does.
      const isGlued = NAME_START.test(text) && NAME_END.test(this.text[position - 1] ?? "");
      return { start: position, end: position, text: isGlued ? ` ${text}` : text };
    });
    return steps.concat(this.replaced).sort((a, b) => a.start - b.start || a.end - b.end);
  }

  /** @returns {string} the new text */
  apply() {
    let result = "";
    let done = 0;
    for (const { start, end, text } of this.steps()) {
      result += this.text.slice(done, start) + text;
      done = end;
    }
    return result + this.text.slice(done);
  }
}

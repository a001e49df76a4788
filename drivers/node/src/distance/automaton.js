/** The automaton of a regular expression, for distances. */
import { parse } from "./expression.js";

/**
 * @typedef {(unit: number) => boolean} Takes
 * @typedef {{takes: Takes | undefined, to: number}} Step a step without `takes` is free
 * @typedef {{steps: Step[][], end: number}} Automaton from state 0 to `end`
 * @typedef {import("./expression.js").Expression} Expression
 */

/** Expressions that need more states have no distance. */
const MOST_STATES = 1_500;

/**
 * @param {string} source
 * @param {string} flags
 * @returns {Automaton | undefined} nothing for what is too large, or no regular language
 */
export function automaton(source, flags) {
  try {
    const tree = parse(source, flags);
    const builder = new Builder();
    // Without an anchor, any text may stand before and after the match.
    if (!tree.isAnchoredAtStart) builder.step(0, () => true, 0);
    const end = builder.append(tree.expression, 0);
    if (!tree.isAnchoredAtEnd) builder.step(end, () => true, end);
    return { steps: builder.steps, end };
  } catch {
    return undefined;
  }
}

class Builder {
  constructor() {
    /** @type {Step[][]} */
    this.steps = [[]];
  }

  state() {
    if (this.steps.length > MOST_STATES) throw new Error("too large");
    return this.steps.push([]) - 1;
  }

  /**
   * @param {number} from
   * @param {Takes | undefined} takes
   * @param {number} to
   */
  step(from, takes, to) {
    this.steps[from]?.push({ takes, to });
    return to;
  }

  /**
   * Adds what `expression` matches behind state `from`.
   *
   * @param {Expression} expression
   * @param {number} from
   * @returns {number} the state behind it
   */
  append(expression, from) {
    switch (expression.kind) {
      case "empty":
        return from;
      case "one":
        return this.step(from, expression.takes, this.state());
      case "sequence":
        return expression.parts.reduce((state, part) => this.append(part, state), from);
      case "choice": {
        const end = this.state();
        for (const part of expression.parts) this.step(this.append(part, from), undefined, end);
        return end;
      }
      default:
        return this.repeat(expression, from);
    }
  }

  /**
   * @param {Extract<Expression, {kind: "repeat"}>} expression
   * @param {number} from
   */
  repeat({ part, least, most }, from) {
    let state = from;
    for (let count = 0; count < least; count += 1) state = this.append(part, state);
    if (most === Infinity) {
      // A loop of its own, so that what stands before cannot be entered again.
      const start = this.step(state, undefined, this.state());
      this.step(this.append(part, start), undefined, start);
      return this.step(start, undefined, this.state());
    }
    const end = this.state();
    for (let count = least; count < most; count += 1) {
      this.step(state, undefined, end);
      state = this.append(part, state);
    }
    return this.step(state, undefined, end);
  }
}

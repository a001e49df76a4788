/**
 * Distance of a text to the nearest one that a regular expression matches: the least number of
 * characters to insert, delete or replace. It is a shortest path through the product of the text
 * and the automaton of the expression (R. Wagner, "Order-n correction for regular languages",
 * Communications of the ACM 17 (1974)).
 */
import { automaton } from "./automaton.js";

/** Longer texts have no distance, so that a request cannot stop the service. */
const LONGEST_TEXT = 200;
/** Automata that are kept. */
const MOST_KEPT = 256;

/** @type {Map<string, import("./automaton.js").Automaton | undefined>} */
const kept = new Map();

/**
 * @param {string} source
 * @param {string} flags
 * @param {string} text
 * @returns {number | undefined} nothing where there is no distance
 */
export function edits(source, flags, text) {
  if (text.length > LONGEST_TEXT) return undefined;
  const key = `${flags}/${source}`;
  if (!kept.has(key) && kept.size < MOST_KEPT) kept.set(key, automaton(source, flags));
  const built = kept.has(key) ? kept.get(key) : automaton(source, flags);
  if (!built) return undefined;
  return shortest(built, flags.includes("i") ? text.toLowerCase() : text);
}

/**
 * Row by row: the least edits with which the text so far leads to each state.
 *
 * @param {import("./automaton.js").Automaton} built
 * @param {string} text
 */
function shortest(built, text) {
  const { steps, end } = built;
  let row = new Array(steps.length).fill(Infinity);
  row[0] = 0;
  relax(steps, row);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const next = row.map((cost) => cost + 1);
    for (let state = 0; state < steps.length; state += 1) {
      if (row[state] === Infinity) continue;
      for (const { takes, to } of steps[state] ?? []) {
        if (!takes) continue;
        const cost = row[state] + (takes(unit) ? 0 : 1);
        if (cost < next[to]) next[to] = cost;
      }
    }
    relax(steps, next);
    row = next;
  }
  return row[end] === Infinity ? undefined : row[end];
}

/**
 * Steps that take no character of the text: free ones, and inserted characters.
 *
 * @param {import("./automaton.js").Automaton["steps"]} steps
 * @param {number[]} row
 */
function relax(steps, row) {
  const open = [];
  for (let state = row.length - 1; state >= 0; state -= 1) {
    if ((row[state] ?? Infinity) < Infinity) open.push(state);
  }
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const { takes, to } of steps[state] ?? []) {
      const cost = (row[state] ?? 0) + (takes ? 1 : 0);
      if (cost < (row[to] ?? 0)) {
        row[to] = cost;
        open.push(to);
      }
    }
  }
}

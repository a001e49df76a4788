/** What was recorded of one test by processes that came after each other. */

/** @typedef {{name: string, score: number, action: number}} Named */
/** @typedef {import("../driver/notes.js").ActionNote} ActionNote */
/** @typedef {{targets: Named[], actions: Record<number, ActionNote>}} Kept */

/**
 * @param {Kept | undefined} earlier
 * @param {Kept} later
 * @returns {Kept}
 */
export function joined(earlier, later) {
  if (!earlier) return later;
  const targets = merged(earlier.targets, later.targets);
  return { targets, actions: { ...earlier.actions, ...later.actions } };
}

/**
 * Of two scores of a target the better one; of two that are equal, that of the earlier action.
 *
 * @param {Named[]} earlier
 * @param {Named[]} later
 * @returns {Named[]}
 */
function merged(earlier, later) {
  const best = new Map(earlier.map((one) => [one.name, one]));
  for (const one of later) {
    const before = best.get(one.name);
    if (!before || one.score > before.score) best.set(one.name, one);
  }
  return [...best.values()];
}

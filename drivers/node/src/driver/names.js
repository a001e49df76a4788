/** Names of targets, in the scheme of the protocol. */
import { ARMS, CALL, LINE, PARSE } from "../rewriter/sites.js";

/** @typedef {import("../rewriter/sites.js").Unit} Unit */

/**
 * @param {Unit} unit
 * @returns {{name: string, line: number}[]} its targets, by number
 */
export function targetsOf(unit) {
  return unit.sites.flatMap((site) =>
    namesOf(unit.name, site).map((name) => ({ name, line: site[1] })),
  );
}

/**
 * @param {string} unit
 * @param {import("../rewriter/sites.js").Site} site
 * @returns {string[]}
 */
function namesOf(unit, [kind, line, position, count]) {
  const place = String(line).padStart(5, "0");
  if (kind === LINE) return [`Line_at_${unit}_${place}`];
  if (kind === CALL) return [`Success_Call_at_${unit}_${place}_${position}`];
  if (kind === PARSE) {
    const stem = `MethodReplacement_at_${unit}_${place}_${position}_EXCEPTION`;
    return [`${stem}_true`, `${stem}_false`];
  }
  const stem = `Branch_at_${unit}_at_line_${place}_position_${position}`;
  if (kind === ARMS) return Array.from({ length: count }, (_, arm) => `${stem}_arm_${arm}`);
  return [`${stem}_trueBranch`, `${stem}_falseBranch`];
}

/**
 * @param {Unit} unit
 * @returns {{lines: number, branches: number}} how many line targets and branch sides it has
 */
export function sizesOf(unit) {
  let lines = 0;
  let branches = 0;
  for (const [kind, , , targets] of unit.sites) {
    if (kind === LINE) lines += targets;
    else if (kind !== CALL && kind !== PARSE) branches += targets;
  }
  return { lines, branches };
}

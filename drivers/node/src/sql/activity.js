/** What the statements of an action were about. */
import { MOST_ROWS } from "./question.js";
import { filled } from "./template.js";

/**
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./plan.js").Columns} Columns
 * @typedef {import("./question.js").Question} Question
 */

/** @import {Steps} from "./steps.js" */

/**
 * @typedef {object} Activity
 * @property {{statement: string, distance: number | null}[]} distances `null` where there is no
 *   row, or the statement cannot be asked about
 * @property {{text: string, milliseconds: number, hasFailed: boolean}[]} statements
 * @property {Columns} queried
 * @property {Columns} updated
 * @property {Columns} inserted
 * @property {Columns} missing what would have to be in which table: no row met the condition
 * @property {string[]} deleted
 */

/** Distances that are computed for one action. */
const MOST_DISTANCES = 50;

/** @returns {Activity} */
export function noActivity() {
  return {
    distances: [],
    statements: [],
    queried: {},
    updated: {},
    inserted: {},
    missing: {},
    deleted: [],
  };
}

/**
 * One execution of a statement.
 *
 * @typedef {object} Execution
 * @property {string} text as it was executed, with values in the places of parameters
 * @property {number} milliseconds
 * @property {boolean} hasFailed
 * @property {number | undefined} rows that came back, where that is known
 * @property {boolean} hasChanged whether it changed a row
 */

/**
 * Adds an execution.
 *
 * @param {Activity} activity
 * @param {Execution} execution
 * @param {Plan} plan
 * @param {string[]} constants as the database is asked with
 * @returns {Steps<void>}
 */
export function* add(activity, execution, plan, constants) {
  const { text, milliseconds, hasFailed } = execution;
  activity.statements.push({ text, milliseconds, hasFailed });
  if (plan.isHousekeeping || plan.isDefinition) return;
  join(activity.queried, plan.queried);
  join(activity.updated, plan.updated);
  join(activity.inserted, plan.inserted);
  activity.deleted = [...new Set([...activity.deleted, ...plan.deleted])].sort();
  if (!plan.isAsking || hasFailed || activity.distances.length >= MOST_DISTANCES) return;
  // What a statement changed, it found.
  const isMet = execution.hasChanged || (plan.tellsByRows && Boolean(execution.rows));
  const distance = isMet ? 0 : yield* distanceOf(plan.questions, constants);
  if (distance !== 0) join(activity.missing, plan.missing);
  activity.distances.push({ statement: text, distance });
}

/**
 * @param {Columns} to
 * @param {Columns} from
 */
function join(to, from) {
  for (const [table, columns] of Object.entries(from)) {
    to[table] = [...new Set([...(to[table] ?? []), ...columns])].sort();
  }
}

/**
 * The least distance of any of the selections.
 *
 * @param {Question[]} questions
 * @param {string[]} constants
 * @returns {Steps<number | null>}
 */
export function* distanceOf(questions, constants) {
  /** @type {number | null} */
  let least = null;
  for (const question of questions) {
    const distance = yield* ask(question, constants);
    if (distance !== null) least = Math.min(least ?? distance, distance);
  }
  return least;
}

/**
 * @param {Question} question
 * @param {string[]} constants
 * @returns {Steps<number | null>}
 */
function* ask(question, constants) {
  /** @type {unknown[][]} */
  let rows;
  try {
    rows = yield filled(question.text, constants);
  } catch {
    return (yield* isMet(question, constants)) ?? null;
  }
  /** @type {(number | undefined)[]} */
  const inner = [];
  for (const questions of question.inner) {
    inner.push((yield* distanceOf(questions, constants)) ?? undefined);
  }
  if (!rows.length) return null;
  const distance = Math.min(...rows.map((row) => question.measure(row, inner)));
  // There are more rows than were looked at: the nearest may be among the others.
  const isOpen = rows.length >= MOST_ROWS && distance > 0;
  return isOpen && (yield* isMet(question, constants)) === 0 ? 0 : distance;
}

/**
 * @param {Question} question
 * @param {string[]} constants
 * @returns {Steps<number | undefined>}
 */
function* isMet(question, constants) {
  try {
    const rows = yield filled(question.exact, constants);
    return rows.length ? 0 : 1 - 1e-9;
  } catch {
    return undefined;
  }
}

/**
 * Work on a database as a generator: it yields statements and is given their rows, as lists of
 * values. So it runs at once where the package of the database does, before the service goes on,
 * and in turn elsewhere.
 *
 * @template T
 * @typedef {Generator<string, T, any>} Steps
 */

/** @typedef {unknown[][]} Rows */

/**
 * @template T
 * @param {Steps<T>} steps
 * @param {(statement: string) => Rows} all
 * @returns {T}
 */
export function atOnce(steps, all) {
  let step = steps.next();
  while (!step.done) {
    /** @type {Rows} */
    let rows;
    try {
      rows = all(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(rows);
  }
  return step.value;
}

/**
 * @template T
 * @param {Steps<T>} steps
 * @param {(statement: string) => Rows | Promise<Rows>} all
 * @returns {Promise<T>}
 */
export async function inTurn(steps, all) {
  let step = steps.next();
  while (!step.done) {
    /** @type {Rows} */
    let rows;
    try {
      rows = await all(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(rows);
  }
  return step.value;
}

/** Characters of statements that are sent at once: servers refuse texts that are too long. */
const LONGEST_TEXT = 1 << 20;

/**
 * Statements whose rows nobody needs, as few texts: each way to a server and back takes its time.
 *
 * @param {Iterable<string>} statements
 * @returns {Steps<void>}
 */
export function* together(statements) {
  let text = "";
  for (const statement of statements) {
    if (text && text.length + statement.length > LONGEST_TEXT) {
      yield text;
      text = "";
    }
    text += text ? `; ${statement}` : statement;
  }
  if (text) yield text;
}

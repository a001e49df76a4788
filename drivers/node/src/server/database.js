/** Commands of the engine to the database behind the service. */
import { DATABASE_COMMAND, read } from "./body.js";
import { crashed, data, done, refused } from "./reply.js";

/**
 * @typedef {import("./reply.js").Reply} Reply
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../sql/insertion.js").Insertion} Insertion
 */

/**
 * `POST /databaseCommand`: either any statement, or rows to insert.
 *
 * @param {Session} session
 * @param {string} body
 * @param {string | undefined} type
 * @returns {Promise<Reply>}
 */
export async function databaseCommand(session, body, type) {
  const { controller } = session;
  if (!controller.isRunning || !(await controller.schema())) {
    return refused(400, "No active database connection");
  }
  const message = read(body, type, DATABASE_COMMAND);
  if ("refusal" in message) return message.refusal;
  const { idCounter = null, command = null, insertions = [] } = message.value;
  if (insertions === null) return refused(500, "Thrown exception: null");
  if (command === null && !insertions.length) return refused(400, "No input command");
  if (command === null) return insert(session, idCounter, insertions);
  if (insertions.length) return refused(400, "Only 1 command can be specified");
  return execute(session, command);
}

/**
 * @param {Session} session
 * @param {string} statement
 */
async function execute({ controller }, statement) {
  try {
    const rows = await controller.query(statement);
    return data({ rows: rows.map((columnData) => ({ columnData })) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`Error executing '${statement}': ${reason}`);
  }
}

/** @param {string} reason */
const failed = (reason) => refused(400, `Failed to execute database command: ${reason}`);

/**
 * Inserts rows, unless the number says that they were inserted before.
 *
 * @param {Session} session
 * @param {number | null} counter
 * @param {any[]} insertions
 */
async function insert(session, counter, insertions) {
  /** @type {Insertion[]} */
  const rows = insertions.map(insertionOf);
  if (rows.some((row) => !row.targetTable)) return refused(400, "Insertion with no target table");
  if (counter !== null) {
    if (counter <= session.insertions) return done();
    session.insertions = counter;
  }
  const reason = dangling(rows);
  if (reason) return failed(reason);
  try {
    const { keys, isInserted } = await session.controller.insert(rows);
    return data({ idMapping: keys, executionResults: isInserted });
  } catch (error) {
    return error instanceof Error ? failed(error.message) : crashed();
  }
}

/**
 * @param {any} one
 * @returns {Insertion}
 */
function insertionOf({ id = null, targetTable = "", data: entries = [] }) {
  return {
    id,
    targetTable: targetTable ?? "",
    data: (entries ?? []).map((/** @type {any} */ entry) => ({
      variableName: entry.variableName ?? "",
      printableValue: entry.printableValue ?? null,
      foreignKeyToPreviouslyGeneratedRow: entry.foreignKeyToPreviouslyGeneratedRow ?? null,
    })),
  };
}

/**
 * @param {Insertion[]} rows
 * @returns {string | undefined} the first reference to a row that does not stand before it, in the
 *   words of the peers
 */
function dangling(rows) {
  /** @type {number[]} */
  const known = [];
  for (const [place, { id, data: entries }] of rows.entries()) {
    for (const { printableValue, foreignKeyToPreviouslyGeneratedRow: key } of entries) {
      if (printableValue !== null || key === null || known.includes(key)) continue;
      return (
        `Insertion operation at position ${place} has a foreign key reference to key ${key} but ` +
        `that was not processed. Processed primary keys: ${known.join(", ")}`
      );
    }
    if (id !== null) known.push(id);
  }
  return undefined;
}

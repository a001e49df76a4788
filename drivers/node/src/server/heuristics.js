/** What an action did with databases, with exactly the fields of the protocol. */

/** @typedef {import("../sql/activity.js").Activity} Activity */

/**
 * @param {Activity | undefined} activity
 * @param {boolean} reportsSql
 */
export function heuristics(activity, reportsSql) {
  const isWanted = reportsSql && activity !== undefined;
  return {
    heuristics: isWanted ? activity.distances.map(heuristic) : [],
    sqlSqlExecutionsDto: reportsSql ? executions(activity) : null,
    mongoExecutionsDto: { failedQueries: [] },
    redisExecutionsDto: { failedCommands: [] },
  };
}

/**
 * A distance that is not known is the largest number, as in the rest of the family.
 *
 * @param {Activity["distances"][number]} one
 */
function heuristic({ statement, distance }) {
  return {
    type: "SQL",
    objective: "MINIMIZE_TO_ZERO",
    id: statement,
    value: distance ?? Number.MAX_VALUE,
    numberOfEvaluatedRecords: distance === null ? 0 : 1,
    extraHeuristicEvaluationFailure: false,
  };
}

/** @param {Activity | undefined} activity */
function executions(activity) {
  const statements = activity?.statements ?? [];
  return {
    queriedData: activity?.queried ?? {},
    updatedData: activity?.updated ?? {},
    insertedData: activity?.inserted ?? {},
    deletedData: activity?.deleted ?? [],
    failedWhere: activity?.missing ?? {},
    numberOfSqlCommands: statements.length,
    sqlParseFailureCount: 0,
    sqlExecutionLogDtoList: statements.map(({ text, milliseconds, hasFailed }) => {
      // The misspelling is that of the protocol.
      return { sqlCommand: text, executionTime: milliseconds, threwSqlExeception: hasFailed };
    }),
  };
}

/**
 * Settings, which travel as environment variables: the service is started by its own command.
 *
 * @typedef {object} Settings
 * @property {number} port port of the driver, 0 for any free one
 * @property {string} supervisor path or `host:port` of the process that serves the driver instead
 * @property {string[]} include packages in `node_modules` that belong to the service
 * @property {string} reset file of the reset hook
 * @property {string} [hook] whose hook it is where it is none of a file, for people
 * @property {string} service URL of the service, where it is not to be found by watching
 * @property {string} schema path of the OpenAPI description or of the GraphQL endpoint
 * @property {string} cache folder of the cache, empty for none
 * @property {number} hang after how many seconds without a turn of its loop the service is blocked
 * @property {string} rows folder in which the rows of databases are kept for the next process, empty
 *   for none
 * @property {string} actions file that tells of the action that comes next, empty for none
 * @property {boolean} isSpare whether the process is to wait before it listens
 */

/** The protocol's usual port. */
export const DEFAULT_PORT = 40100;

/** How long a service may be busy without a turn of its event loop, in seconds. */
export const DEFAULT_HANG = 2;

/** Names of the variables. */
export const VARIABLES = Object.freeze({
  port: "WALLACE_DRIVER_PORT",
  supervisor: "WALLACE_SUPERVISOR",
  include: "WALLACE_INCLUDE",
  reset: "WALLACE_RESET",
  service: "WALLACE_SERVICE",
  schema: "WALLACE_SCHEMA",
  cache: "WALLACE_CACHE",
  hang: "WALLACE_HANG",
  spare: "WALLACE_SPARE",
  rows: "WALLACE_ROWS",
  actions: "WALLACE_ACTIONS",
});

/**
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Settings}
 */
export function readSettings(environment) {
  /** @param {string} name */
  const text = (name) => environment[name] ?? "";
  const include = text(VARIABLES.include).split(",");
  return {
    port: Number(environment[VARIABLES.port] || DEFAULT_PORT),
    supervisor: text(VARIABLES.supervisor),
    include: include.map((name) => name.trim()).filter(Boolean),
    reset: text(VARIABLES.reset),
    service: text(VARIABLES.service).replace(/\/$/, ""),
    schema: text(VARIABLES.schema),
    cache: environment[VARIABLES.cache] ?? "on",
    hang: Number(environment[VARIABLES.hang] || DEFAULT_HANG),
    rows: text(VARIABLES.rows),
    actions: text(VARIABLES.actions),
    isSpare: text(VARIABLES.spare) === "1",
  };
}

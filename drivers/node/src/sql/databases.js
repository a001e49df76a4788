/** The databases of the service, and what it executes on them, action by action. */
import * as layout from "../runtime/memory.js";
import { tell } from "../runtime/channel.js";
import { currentAction, memory } from "../runtime/recording.js";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noActivity } from "./activity.js";
import { Database } from "./database.js";

/**
 * @typedef {import("./activity.js").Activity} Activity
 * @typedef {import("./database.js").Access} Access
 * @typedef {import("./database.js").Executed} Executed
 * @typedef {import("./insertion.js").Insertion} Insertion
 */

/** Statements that are kept of one action. */
const MOST_STATEMENTS = 200;

const WRITING = /\b(insert|update|delete|replace|truncate|merge|copy)\b/i;
const DEFINING = /\b(create|alter|drop|rename)\b/i;

/** @type {Map<unknown, Database>} by what tells them apart: a file, an address, a connection */
const databases = new Map();
/** @type {{database: Database, executed: Executed, action: number}[]} */
let waiting = [];
/** @type {Record<number, Activity>} of the current test */
let activities = {};
let test = -1;
let hasStarted = false;
/** Folder in which rows are kept for the next process; empty for one of this process's own. */
let folder = "";
/** Depth of work of our own. */
let own = 0;
/** Work on databases that was begun last: the next one waits for it. */
/** @type {Promise<unknown>} */
let busy = Promise.resolve();

/**
 * One after the other: to bring rows back takes several statements on the connection on which others
 * are looked at.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
function inOrder(work) {
  const done = busy.then(work);
  busy = done.catch(() => {});
  return done;
}

/**
 * The database of a connection.
 *
 * @param {unknown} key
 * @param {() => Access} access
 * @param {unknown} [connection] that is in use
 * @returns {Database}
 */
export function databaseOf(key, access, connection) {
  let database = databases.get(key);
  if (database) {
    database.access.use?.(connection);
  } else {
    database = new Database(access());
    database.access.use?.(connection);
    databases.set(key, database);
    tell({ kind: "database" });
    if (hasStarted) lookAt(database);
  }
  return database;
}

/** @type {WeakMap<Database, Promise<void>>} */
const ready = new WeakMap();

/**
 * A database that is opened late is looked at before the service writes to it.
 *
 * @param {Database} database
 */
function lookAt(database) {
  const looked = database.takeSeed(fileOf(database));
  if (!looked) return;
  ready.set(database, looked);
  // The first reaction: those of statements that wait follow at once, in their order.
  void looked.then(() => ready.delete(database));
}

/** @returns {Database[]} those that can still be asked */
function open() {
  for (const [key, { access }] of databases) if (access.isGone?.()) databases.delete(key);
  return [...databases.values()];
}

/**
 * What statements have to wait for, where they can.
 *
 * @param {Database} database
 * @returns {Promise<void> | undefined}
 */
export function readiness(database) {
  return ready.get(database);
}

/** @param {Database} database */
function fileOf(database) {
  const { name } = database.access;
  const isMemory =
    database.access.dialect === "sqlite" && /^(|:memory:|.*mode=memory.*)$/.test(name);
  if (isMemory) return "";
  folder ||= ownFolder();
  return join(folder, `${createHash("sha1").update(name).digest("hex").slice(0, 16)}.rows`);
}

/** A folder that goes with this process. */
function ownFolder() {
  const made = mkdtempSync(join(tmpdir(), "wallace-rows-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/**
 * Runs work of our own, of which nothing is noted.
 *
 * @template T
 * @param {() => T} work that does not wait
 * @returns {T}
 */
export function unseen(work) {
  const { control } = memory;
  own += 1;
  Atomics.store(control, layout.OWN_WORK, own);
  try {
    return work();
  } finally {
    own -= 1;
    Atomics.store(control, layout.OWN_WORK, own);
  }
}

/** Whether what runs is work of our own. */
export function isUnseen() {
  return own > 0;
}

/**
 * Notes a statement that is about to be executed.
 *
 * @param {Database} database
 * @param {string} statement
 * @param {() => import("./template.js").Values} values
 * @returns {Executed | undefined} what its outcome is told to; nothing where nobody wants to know
 */
export function note(database, statement, values) {
  if (WRITING.test(statement)) database.wrote(statement);
  if (DEFINING.test(statement)) database.forget();
  const { control } = memory;
  if (!control[layout.KEEPS_SQL]) return undefined;
  const action = currentAction();
  if (action === undefined || waiting.length >= MOST_STATEMENTS) return undefined;
  /** @type {Executed} */
  const executed = {
    statement,
    values: values(),
    milliseconds: 0,
    hasFailed: false,
    rows: undefined,
    hasChanged: false,
  };
  waiting.push({ database, executed, action });
  Atomics.store(control, layout.WAITING_SQL, waiting.length);
  return executed;
}

/** What was executed since the last time, with the rows that are there now. */
export function settle() {
  return inOrder(async () => {
    const { control } = memory;
    const current = control[layout.TEST] ?? 0;
    if (test !== current) [test, activities] = [current, {}];
    const settled = waiting;
    waiting = [];
    try {
      for (const { database, executed, action } of settled) {
        const index = Math.max(action, 0);
        const activity = (activities[index] ??= noActivity());
        await database.settle(executed, activity);
      }
    } finally {
      // Only now: whoever sees that nothing waits takes what is known for all there is.
      Atomics.store(control, layout.WAITING_SQL, waiting.length);
    }
    return activities;
  });
}

/** Whether statements were executed that nobody looked at yet. */
export function hasWaiting() {
  return waiting.length > 0;
}

/** Whether there may be rows to bring back. */
export function mayDiffer() {
  return open().some((database) => database.mayDiffer());
}

/**
 * Looks at the rows of the start, once.
 *
 * @param {string} keeping folder in which they are kept for the next process; empty where no process
 *   follows
 */
export async function start(keeping) {
  if (hasStarted) return;
  folder = keeping;
  hasStarted = true;
  for (const database of open()) {
    await database.takeSeed(fileOf(database));
    // A new process begins with the rows of the first one.
    if (database.isUnknown) await database.restore();
  }
  // However the process ends: what can be done at once is done.
  process.once("exit", () => void restoreAll().catch(() => {}));
}

const KINDS = { sqlite: "SQLite", postgresql: "PostgreSQL", mysql: "MySQL" };

/** @returns {string[]} what people are told of each database */
export function described() {
  return open().map(({ access, seed, trouble }) => {
    const kind = KINDS[access.dialect];
    const tables = seed ? `${seed.kept.size} tables are restored` : `not restored: ${trouble}`;
    return `${kind} ${access.name} (${tables})`;
  });
}

/** Whether the service has a database that is still there. */
export function isInUse() {
  return open().length > 0;
}

/** Brings back the rows of the start: of each database, also where another one refuses. */
export function restore() {
  return inOrder(restoreAll);
}

async function restoreAll() {
  waiting = [];
  Atomics.store(memory.control, layout.WAITING_SQL, 0);
  const restored = open().map(async (database) => database.restore());
  const outcomes = await Promise.allSettled(restored);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

/** @returns {Promise<import("./schema.js").SchemaMessage | null>} of all databases together */
export async function schema() {
  const schemas = [];
  for (const database of open()) schemas.push((await database.schema()).message);
  const [first] = schemas;
  if (!first) return null;
  const tables = schemas.flatMap((one) => one.tables);
  return { ...first, tables, enumeraredTypes: schemas.flatMap((one) => one.enumeraredTypes) };
}

/**
 * @param {Insertion[]} rows
 * @returns {Promise<{keys: Record<string, number>, isInserted: boolean[]}>}
 */
export function insert(rows) {
  return inOrder(async () => {
    /** @type {Record<string, number>} */
    const keys = {};
    const isInserted = [];
    for (const row of rows) {
      const database = await having(row.targetTable);
      isInserted.push(...((await database?.insert([row], keys)) ?? [false]));
    }
    return { keys, isInserted };
  });
}

/** @param {string} table */
async function having(table) {
  for (const database of open()) {
    if ((await database.schema()).table(table)) return database;
  }
  return undefined;
}

/**
 * @param {string} statement
 * @returns {Promise<string[][]>} rows as texts
 */
export async function query(statement) {
  const [database] = open();
  const rows = (await database?.query(statement)) ?? [];
  return rows.map((row) => row.map((value) => (value === null ? "NULL" : String(value))));
}

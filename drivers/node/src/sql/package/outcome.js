/** How executions came out. */
import { now } from "../../time.js";

/** @typedef {import("../database.js").Executed} Executed */

/**
 * Executes a statement, and notes how it came out.
 *
 * @template T
 * @param {Executed | undefined} executed nothing where nobody wants to know
 * @param {() => T} execute
 * @param {(result: T) => Partial<Executed>} outcome
 * @returns {T}
 */
export function noted(executed, execute, outcome) {
  if (!executed) return execute();
  const began = now();
  try {
    const result = execute();
    Object.assign(executed, outcome(result));
    return result;
  } catch (error) {
    executed.hasFailed = true;
    throw error;
  } finally {
    executed.milliseconds = Math.round(now() - began);
  }
}

/**
 * Takes the place of a method, with its name and length.
 *
 * @param {any} target
 * @param {string} name
 * @param {(original: Function) => (this: any, ...values: any[]) => any} make
 */
export function wrap(target, name, make) {
  const original = target[name];
  if (typeof original !== "function") return;
  const wrapped = make(original);
  Object.defineProperty(wrapped, "name", { value: original.name });
  Object.defineProperty(wrapped, "length", { value: original.length });
  const { enumerable = true } = Object.getOwnPropertyDescriptor(target, name) ?? {};
  Object.defineProperty(target, name, {
    value: wrapped,
    enumerable,
    configurable: true,
    writable: true,
  });
}

/**
 * @param {unknown[]} values of a call of SQLite: single ones, lists, and one object of named ones
 * @returns {import("../template.js").Values}
 */
export function sqliteValues(values) {
  const isNamed = (/** @type {unknown} */ value) => {
    const kind = Object.prototype.toString.call(value);
    return kind === "[object Object]" && !ArrayBuffer.isView(value);
  };
  const named = /** @type {Record<string, unknown> | undefined} */ (values.find(isNamed));
  const positional = values.filter((value) => !isNamed(value)).flat();
  return { positional, named };
}

/**
 * @param {unknown} value that a database gave
 * @returns {unknown} with numbers as numbers
 */
export function plain(value) {
  return typeof value === "bigint" ? Number(value) : value;
}

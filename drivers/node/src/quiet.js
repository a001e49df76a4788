/** Loads modules at once, inside of hooks that cannot wait, and without remarks of Node. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/**
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
export function withoutWarnings(work) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * @param {string} name of a module of this package, relative to this file, or of a package
 * @returns {any}
 */
export function load(name) {
  return withoutWarnings(() => require(name));
}

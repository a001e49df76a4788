/**
 * Loads modules at once, inside of hooks that cannot wait, without remarks of Node, and as they
 * are: what compiles the service's modules shall not compile ours.
 */
import module, { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Node's own way of loading, before anybody changed it. */
/** @type {[holder: any, name: string, own: any][]} */
const ways = [
  [module.Module, "_load"],
  [module.Module, "_resolveFilename"],
  [module.Module.prototype, "load"],
  [module.Module.prototype, "_compile"],
  [/** @type {any} */ (module.Module)._extensions, ".js"],
].map(([holder, name]) => [holder, name, holder[name]]);

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
 * @template T
 * @param {() => T} work
 * @returns {T}
 */
function asNodeDoes(work) {
  const theirs = ways.map(([holder, name]) => holder[name]);
  for (const [holder, name, own] of ways) holder[name] = own;
  try {
    return work();
  } finally {
    ways.forEach(([holder, name], at) => (holder[name] = theirs[at]));
  }
}

/**
 * @param {string} name of a module of this package, relative to this file, or of a package
 * @returns {any}
 */
export function load(name) {
  return withoutWarnings(() => asNodeDoes(() => require(name)));
}

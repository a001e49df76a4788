/**
 * Hooks the loading of modules: CommonJS where it is compiled, ES modules where they are loaded.
 *
 * A load hook must not touch CommonJS: other loaders have yet to see its text, with its types.
 */
import module from "node:module";
import { fileURLToPath } from "node:url";
import { withoutTypes } from "./typescript.js";

/**
 * @typedef {(file: string, text: string, isModule: boolean) => string} Replace gives the text that
 *   runs instead
 */

/** @type {any} */
const loader = module;

/**
 * @param {Replace} replace
 * @param {(file: string, module: {exports: any}) => void} loaded hears of each module that ran
 */
export function hookCommonJs(replace, loaded) {
  const { prototype } = loader.Module;
  const compile = prototype._compile;
  const hasLoadHooks = Boolean(loader.registerHooks);
  /** @type {(this: any, text: string, file: string, format?: string) => any} */
  prototype._compile = function _compile(text, file, format) {
    const result = compiled.call(this, text, file, format);
    loaded(file, this);
    return result;
  };
  /** @type {(this: any, text: string, file: string, format?: string) => any} */
  function compiled(text, file, format) {
    const isModule = format === "module" || format === "module-typescript";
    // The load hook has seen those.
    if (isModule && hasLoadHooks) return compile.call(this, text, file, format);
    if (typeof text !== "string") return compile.call(this, text, file, format);
    if (format === "commonjs-typescript") {
      return compile.call(this, replace(file, withoutTypes(text), false), file, "commonjs");
    }
    return compile.call(this, replace(file, text, isModule), file, format);
  }
}

/**
 * Hooks ES modules in this thread, where Node can.
 *
 * @param {Replace} replace
 * @param {(name: string) => void} builtin hears of Node's own modules, before they are handed out
 * @returns {boolean} whether it can
 */
export function hookModules(replace, builtin) {
  if (!loader.registerHooks) return false;
  const { registerHooks, register } = loader;
  /** @type {any} */
  let ours;
  const again = () => {
    ours?.deregister();
    ours = registerHooks({ load });
  };
  /**
   * @param {string} url
   * @param {any} context
   * @param {Function} next
   */
  function load(url, context, next) {
    const result = next(url, context);
    if (url.startsWith("node:")) builtin(url);
    return url.startsWith("file:") ? replaced(url, result, replace) : result;
  }
  // The hook registered last sees what the others made: ours goes behind every other.
  loader.registerHooks = (/** @type {any} */ hooks) => {
    const handle = registerHooks(hooks);
    again();
    return handle;
  };
  loader.register = (/** @type {any[]} */ ...values) => {
    const result = register(...values);
    again();
    return result;
  };
  loader.syncBuiltinESMExports();
  again();
  return true;
}

/**
 * @param {string} url
 * @param {{format?: string, source?: any}} result
 * @param {Replace} replace
 */
function replaced(url, result, replace) {
  const { format, source } = result;
  if (!/^module(-typescript)?$/.test(format ?? "") || source === null || source === undefined) {
    return result;
  }
  const text = typeof source === "string" ? source : Buffer.from(source).toString();
  const plain = format === "module" ? text : withoutTypes(text);
  const instead = replace(fileURLToPath(url), plain, true);
  return instead === plain ? result : { ...result, format: "module", source: instead };
}

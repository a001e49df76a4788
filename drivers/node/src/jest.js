/**
 * A transform for Jest, so that it runs instrumented modules:
 *
 *     // jest.config.js
 *     module.exports = { transform: { "\\.[cm]?[jt]sx?$": "wallace-driver/jest" } };
 *
 * Another transform runs before it: `babel-jest`, or that of the option `transform`.
 */
import { channel, subscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { join } from "node:path";
import { hash } from "./loader/cache.js";
import { VERSION } from "./rewriter/version.js";
import { prepare } from "./testing/claim.js";
import * as fuzzing from "./testing/fuzz.js";
import { Rewriting } from "./testing/rewriting.js";

// Modules run in this process and in contexts of their own, which share these channels with it.
subscribe("wallace:index", (/** @type {any} */ asked) => (asked.exports = fuzzing));
subscribe("wallace:prepare", (/** @type {any} */ { realm }) => prepare(realm));
// Channels that nobody holds are forgotten.
const held = [channel("wallace:index"), channel("wallace:prepare")];

/** @param {string} global */
function preparing(global) {
  const module = `${global}.process.getBuiltinModule("node:diagnostics_channel")`;
  return `(${module}.channel("wallace:prepare").publish({realm:${global}}),$w_claim)`;
}

/**
 * @typedef {{code: string, map?: any}} Transformed
 * @typedef {object} Transformer of Jest
 * @property {(text: string, file: string, options: any, ...more: any[]) => Transformed | string} [process]
 * @property {(text: string, file: string, options: any, ...more: any[]) => string} [getCacheKey]
 */

/**
 * @param {{include?: string[], transform?: string}} [options] `include`: packages in `node_modules`
 *   that belong to the service; `transform`: what compiles before
 */
export function createTransformer({ include = [], transform = "babel-jest" } = {}) {
  const root = process.cwd();
  const inner = innerTransformer(transform, root);
  const rewriting = new Rewriting(root, include, preparing);
  return {
    /**
     * @param {string} text
     * @param {string} file
     * @param {any} options
     * @param {any[]} more of older versions
     * @returns {Transformed}
     */
    process(text, file, options, ...more) {
      const result = inner?.process?.(text, file, options, ...more) ?? text;
      const { code, map } = typeof result === "string" ? { code: result, map: null } : result;
      const isModule = Boolean(options.supportsStaticESM);
      const known = typeof map === "string" ? JSON.parse(map) : map;
      return { code: rewriting.rewrite(file, code, isModule, known) ?? code, map };
    },
    /**
     * @param {string} text
     * @param {string} file
     * @param {any} options
     * @param {any[]} more of older versions
     */
    getCacheKey(text, file, options, ...more) {
      const own = `wallace ${VERSION} ${include} ${file} ${text}`;
      return `${inner?.getCacheKey?.(text, file, options, ...more) ?? ""}${hash(own)}`;
    },
  };
}

/**
 * @param {string} name
 * @param {string} root
 * @returns {Transformer | undefined} nothing where there is none
 */
function innerTransformer(name, root) {
  const require = createRequire(join(root, "package.json"));
  try {
    const loaded = require(name);
    const made = loaded.default ?? loaded;
    return made.createTransformer?.() ?? made;
  } catch (error) {
    if (name !== "babel-jest") throw error;
    return throughJest(require);
  }
}

/**
 * The `babel-jest` that Jest brings along, where packages are not all side by side.
 *
 * @param {NodeJS.Require} require
 * @returns {Transformer | undefined}
 */
function throughJest(require) {
  try {
    const config = createRequire(createRequire(require.resolve("jest")).resolve("jest-config"));
    const loaded = config("babel-jest");
    return (loaded.default ?? loaded).createTransformer();
  } catch {
    return undefined;
  }
}

/** Of older versions, which ask for it before they make a transformer. */
export { processed as process };
const processed = () => "";

export default { createTransformer, process: processed, held };

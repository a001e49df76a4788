/** From the text of a module to what runs instead: out of the cache, or rewritten. */
import { load } from "../quiet.js";
import { MARKER, VERSION } from "../rewriter/version.js";
import { Cache, hash } from "./cache.js";
import { originalOf } from "./source_map.js";

/**
 * @typedef {import("../rewriter/sites.js").Unit} Unit
 * @typedef {import("../rewriter/rewrite.js").Source} Source
 */

/** Prepares the modules of a scope. */
export class Preparation {
  /**
   * @param {import("./scope.js").Scope} scope
   * @param {string} cache see `Settings`
   */
  constructor(scope, cache) {
    this.scope = scope;
    this.cache = new Cache(scope.root, VERSION, cache);
  }

  /**
   * @param {string} file
   * @param {string} text
   * @param {boolean} isModule
   * @returns {{text: string, unit: Unit, source: Source} | undefined} nothing where the module stays
   *   as it is
   */
  prepare(file, text, isModule) {
    if (text.includes(MARKER) || text.includes("$w_")) return undefined;
    const name = this.scope.nameOf(file);
    const key = this.cache.keyOf(name, `${isModule} ${text}`);
    const known = this.cache.get(key);
    /** @type {Source} */
    const source = { text, isModule, name, id: hash(name).slice(0, 8) };
    if (known) return { ...known, source };
    try {
      source.original = originalOf(text);
      const rewritten = this.#rewriter()(source);
      this.cache.set(key, rewritten);
      return { ...rewritten, source };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`wallace: ${name} is left as it is: ${reason}\n`);
      return undefined;
    }
  }

  /** The parser is loaded when the first module is not in the cache. */
  #rewriter() {
    const { rewrite } = load("./rewriter/rewrite.js");
    return /** @type {typeof import("../rewriter/rewrite.js").rewrite} */ (rewrite);
  }
}

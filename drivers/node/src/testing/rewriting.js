/** The rewriter for test runners: the text of a module claims its unit in whatever process it runs. */
import { fileURLToPath } from "node:url";
import { Preparation } from "../loader/prepare.js";
import { scopeOf } from "../loader/scope.js";

/** Modules of this package are no part of a service. */
const OWN = fileURLToPath(new URL("..", import.meta.url));
/** A name of the module's own: before its declaration it has no value. */
const DECLARES_GLOBAL = /(?:\b(?:var|let|const|function|class|import|as)|,)\s*globalThis\b/;
const DIRECTIVE = /^(?:#![^\n]*\n)?\s*(["'])use strict\1;?/;

export class Rewriting {
  /**
   * @param {string} root folder of the project
   * @param {string[]} include packages in `node_modules` that belong to the service
   * @param {(global: string) => string} preparing gives the code that makes `$w_claim` of a global
   *   object, where nobody has done it
   */
  constructor(root, include, preparing) {
    this.preparation = new Preparation(scopeOf(undefined, root, include), "");
    this.preparing = preparing;
  }

  /**
   * @param {string} file
   * @param {string} text
   * @param {boolean} isModule whether it is an ES module
   * @param {object | null | undefined} map from the text to what people wrote
   * @returns {string | undefined} nothing where the text stays as it is
   */
  rewrite(file, text, isModule, map) {
    if (file.startsWith(OWN) || !this.preparation.scope.owns(file)) return undefined;
    const rewritten = this.preparation.prepare(file, withMap(text, map), isModule);
    if (!rewritten) return undefined;
    // A directive has to stay the first thing.
    const start = DIRECTIVE.exec(rewritten.text)?.[0] ?? "";
    const global = DECLARES_GLOBAL.test(text) ? 'Function("return this")()' : "globalThis";
    const prepared = `(typeof $w_claim==="undefined"?${this.preparing(global)}:$w_claim)`;
    const claim = `${prepared}(${JSON.stringify(rewritten.unit)})`;
    return `${start};${claim};${rewritten.text.slice(start.length)}`;
  }
}

/**
 * @param {string} text
 * @param {object | null | undefined} map
 */
function withMap(text, map) {
  if (!map || text.includes("sourceMappingURL=data:")) return text;
  const inline = Buffer.from(JSON.stringify(map)).toString("base64");
  return `${text}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
}

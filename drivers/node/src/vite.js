/**
 * A plugin for Vite, so that Vitest runs instrumented modules:
 *
 *     // vitest.config.js
 *     import wallace from "wallace-driver/vite";
 *     export default { plugins: [wallace()] };
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Rewriting } from "./testing/rewriting.js";

const CLAIM = JSON.stringify(fileURLToPath(new URL("./testing/claim.js", import.meta.url)));
const SETUP = fileURLToPath(new URL("./testing/setup.js", import.meta.url));

/**
 * Modules run in another process than this one.
 *
 * @param {string} global
 */
function preparing(global) {
  const require = `${global}.process.getBuiltinModule("node:module").createRequire(${CLAIM})`;
  return `${require}(${CLAIM}).prepare(${global})`;
}

/**
 * @param {{include?: string[]}} [options] `include`: packages in `node_modules` that belong to the
 *   service
 */
export default function wallace({ include = [] } = {}) {
  /** @type {Rewriting | undefined} */
  let rewriting;
  return {
    name: "wallace",
    // Behind what compiles, then it is JavaScript, and behind what moves mocks to the front, which
    // does not know what we put round them.
    enforce: /** @type {const} */ ("post"),
    // Tests may take away what leads to our modules.
    config: () => ({ test: { setupFiles: [SETUP] } }),
    // Of folders outside of the project some versions load nothing.
    load: (/** @type {string} */ id) => (id === SETUP ? readFileSync(SETUP, "utf8") : undefined),
    /** @param {{root: string}} config */
    configResolved({ root }) {
      rewriting = new Rewriting(root, include, preparing);
    },
    transform: {
      order: /** @type {const} */ ("post"),
      /**
       * @this {any}
       * @param {string} code
       * @param {string} id
       */
      handler(code, id) {
        const [file = ""] = id.split("?");
        if (id.startsWith("\0") || !/\.[cm]?[jt]sx?$/.test(file)) return undefined;
        const text = rewriting?.rewrite(file, code, true, this.getCombinedSourcemap?.());
        // Lines stay, so that maps stay right.
        return text === undefined ? undefined : { code: text, map: null };
      },
    },
  };
}

/** Removes types as Node itself does, keeping lines and columns. */
import module from "node:module";
import { withoutWarnings } from "../quiet.js";

/**
 * @param {string} text
 * @returns {string}
 */
export function withoutTypes(text) {
  // Not in Node 20, which does not load TypeScript either.
  const { stripTypeScriptTypes } = /** @type {any} */ (module);
  return withoutWarnings(() => stripTypeScriptTypes(text));
}

/**
 * Hooks of ES modules in Node 20, which run in a thread of their own. The table of a unit travels
 * by message, and the unit's text claims it before anything else of it runs.
 */
import { fileURLToPath } from "node:url";
import { Preparation } from "./prepare.js";
import { Scope } from "./scope.js";

/** @type {Preparation} */
let preparation;
/** @type {import("node:worker_threads").MessagePort} */
let port;

/** @param {any} data */
export function initialize(data) {
  const scope = new Scope(data.root, data.include, data.project);
  preparation = new Preparation(scope, data.cache);
  ({ port } = data);
}

/**
 * @param {string} url
 * @param {any} context
 * @param {Function} next
 */
export async function load(url, context, next) {
  const result = await next(url, context);
  if (!url.startsWith("file:") || result.format !== "module" || !result.source) return result;
  const file = fileURLToPath(url);
  if (!preparation.scope.owns(file)) return result;
  const text = Buffer.from(result.source).toString();
  const rewritten = preparation.prepare(file, text, true);
  if (!rewritten) return result;
  preparation.cache.save();
  port.postMessage(rewritten.unit);
  return { ...result, source: claiming(rewritten) };
}

/**
 * @param {{text: string, unit: {id: string}}} rewritten
 * @returns {string} the text behind an import that is evaluated before it, also in a cycle
 */
function claiming({ text, unit }) {
  const claim = `import "data:text/javascript,globalThis.$w_claim('${unit.id}')";`;
  const hashbang = /^#![^\n]*\n?/.exec(text)?.[0] ?? "";
  return `${hashbang}${claim}${text.slice(hashbang.length)}`;
}

/** The reset hook of the service: a module whose default export, or `reset`, is a function. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { origin } from "../runtime/recording.js";

/** The test of work that belongs to none. */
const NO_TEST = { test: -1, action: -1 };

/** @type {(() => unknown) | undefined} the hook of a test that runs in this process */
let given;

/** @param {(() => unknown) | undefined} reset takes the place of a file */
export function setReset(reset) {
  given = reset;
}

/**
 * @param {string} file empty for none
 * @returns {() => Promise<void>}
 */
export function loadReset(file) {
  /** @type {Promise<() => unknown> | undefined} */
  let hook;
  return async () => {
    if (file) hook ??= find(file);
    const reset = given ?? (await hook);
    if (!reset) return;
    // What the hook does counts for no test.
    await origin.run(NO_TEST, reset);
  };
}

/**
 * @param {string} file
 * @returns {Promise<() => unknown>}
 */
async function find(file) {
  const loaded = await import(pathToFileURL(resolve(file)).href);
  const hook = loaded.reset ?? loaded.default?.reset ?? loaded.default;
  if (typeof hook !== "function") throw new Error(`${file} exports no function`);
  return hook;
}

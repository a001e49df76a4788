/**
 * What tests of a service use: `await fuzz(app, { calls: 5000 })`.
 *
 * Test runners may load this file by their own means; what it hands out is Node's own copy, which is
 * the one that instrumented modules know.
 */
import { load } from "./quiet.js";

/** @type {typeof import("./testing/fuzz.js")} */
export const { FaultsFoundError, fuzz } = load("./testing/fuzz.js");

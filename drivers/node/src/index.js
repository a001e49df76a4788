/** What tests of a service use: `await fuzz(app, { calls: 5000 })`. */
export { FaultsFoundError, fuzz } from "./testing/fuzz.js";

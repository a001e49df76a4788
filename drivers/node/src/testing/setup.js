/**
 * Runs in Vitest before the tests of a file, in whatever context they do. It is compiled like the
 * service, so it imports nothing: our modules are Node's.
 */
const { createRequire } = process.getBuiltinModule("node:module");
createRequire(import.meta.url)("./claim.js").prepare(globalThis);

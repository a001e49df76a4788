/**
 * The same as `register.js`, for `--require`: a process that is not the service is not to pay for
 * the loader of ES modules.
 */
"use strict";

const { emitWarning } = process;
process.emitWarning = () => {};
try {
  require("./register.js");
} finally {
  process.emitWarning = emitWarning;
}

/**
 * The same for CommonJS. Jest runs modules in contexts of their own, which cannot load ES modules:
 * the transform `wallace-driver/jest` hands out Node's own copy.
 */
"use strict";

const { channel } = require("node:diagnostics_channel");

const asked = { exports: undefined };
channel("wallace:index").publish(asked);
module.exports = asked.exports ?? require("./index.js");

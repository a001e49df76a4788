#!/usr/bin/env node
import { run } from "../src/supervisor/main.js";

await run(process.argv.slice(2));

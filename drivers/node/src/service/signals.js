/** Rows come back before a signal ends the service. */
import { restore } from "../sql/databases.js";

const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

export function restoreOnSignals() {
  for (const signal of SIGNALS) process.once(signal, () => void end(signal));
}

/** @param {NodeJS.Signals} signal */
async function end(signal) {
  try {
    await restore();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`wallace: rows of tests stay in the database: ${reason}\n`);
  }
  // The service may have its own way to end; without one, the signal does what it does.
  if (!process.listenerCount(signal)) process.kill(process.pid, signal);
}

/** Shows that the event loop of the service turns. */
import { BEAT } from "../runtime/memory.js";
import { memory } from "../runtime/recording.js";
import { setInterval } from "../time.js";

/** Time between two beats, in milliseconds: less than between two looks of the watchdog. */
const PAUSE = 40;

export function startHeartbeat() {
  const { control } = memory;
  const beat = () => Atomics.add(control, BEAT, 1);
  // The service ends when it wants to, and its own timers are as they would be without.
  setInterval(beat, PAUSE).unref();
}

/** Timers and the clock as they were at the start: tests of a service replace those of the process. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;

const { performance } = globalThis;

/** @returns {number} milliseconds */
export const now = () => performance.now();

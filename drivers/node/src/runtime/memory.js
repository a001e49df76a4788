/**
 * What the service's threads write and the driver's thread reads: shared memory, so that the
 * driver answers while the service is busy.
 */

/** Most targets of a process. Memory that is not touched costs nothing. */
export const CAPACITY = 1 << 20;

/** Places in `control`. */
export const USED = 0;
export const TOUCHED = 1;
export const ACTION = 2;
export const TEST = 3;
/** Requests that are being answered. */
export const OPEN_REQUESTS = 4;
/** Distances to patterns that were computed in the current action. */
export const MEASUREMENTS = 5;
/** Whether the values of decisions are kept. */
export const KEEPS_OPERANDS = 6;
/** Turns of the service's event loop. */
export const BEAT = 7;
/** File descriptor of the socket on which an answer is awaited; -1 for none. */
export const SOCKET = 8;
/** Whether statements on databases are kept. */
export const KEEPS_SQL = 9;
/** Statements that nobody looked at yet. */
export const WAITING_SQL = 10;
/** Whether the driver said something that the service's thread has not heard yet. */
export const UNHEARD = 11;
/** The last reset that the service's thread has begun. */
export const BEGUN = 12;
/** The last reset that is done. */
export const RESET = 13;
/** Whether the driver sleeps until a request is answered: to wake nobody costs time as well. */
export const AWAITS_REQUESTS = 14;
/** Whether the service's thread works for the driver, and not for the service. */
export const OWN_WORK = 15;
/** Statuses of answers, by action; 0 for none. */
export const STATUSES = 16;
/** Actions of a test whose statuses are kept. */
export const MOST_STATUSES = 48;

/**
 * @typedef {object} Memory
 * @property {SharedArrayBuffer[]} buffers
 * @property {Int32Array} control
 * @property {Uint8Array} marks 1 where a line ran, or where a side is settled
 * @property {Float64Array} scores best score of each target in the current test
 * @property {Int32Array} actions action in which the score was first reached
 * @property {Int32Array} touched targets with a score
 * @property {Uint8Array} tries evaluations of a side without a better score
 * @property {Uint8Array} kinds 1 for targets that are only marked: lines and calls
 */

/** @returns {SharedArrayBuffer[]} */
export function allocate() {
  const sizes = [
    4 * (STATUSES + MOST_STATUSES),
    CAPACITY,
    8 * CAPACITY,
    4 * CAPACITY,
    4 * CAPACITY,
    CAPACITY,
    CAPACITY,
  ];
  const buffers = sizes.map((size) => new SharedArrayBuffer(size));
  const control = new Int32Array(/** @type {SharedArrayBuffer} */ (buffers[0]));
  control[ACTION] = -1;
  control[SOCKET] = -1;
  return buffers;
}

/**
 * @param {SharedArrayBuffer[]} buffers
 * @returns {Memory}
 */
export function view(buffers) {
  const [control, marks, scores, actions, touched, tries, kinds] =
    /** @type {[SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer, SharedArrayBuffer]} */ (
      buffers
    );
  return {
    buffers,
    control: new Int32Array(control),
    marks: new Uint8Array(marks),
    scores: new Float64Array(scores),
    actions: new Int32Array(actions),
    touched: new Int32Array(touched),
    tries: new Uint8Array(tries),
    kinds: new Uint8Array(kinds),
  };
}

/**
 * What the service tells its driver besides scores: units, uses of tainted texts, listeners. It is
 * kept until a driver is there to hear it.
 */

/** @typedef {{kind: string, [name: string]: any}} Message */

/** @type {Message[]} */
let waiting = [];
/** @type {((message: Message) => void) | undefined} */
let send;

/** @param {Message} message */
export function tell(message) {
  if (send) send(message);
  // Of what happens in a process that never listens, nobody will hear.
  else if (message.kind === "unit" || message.kind === "listener") waiting.push(message);
}

/**
 * Connects the driver, which gets what was said so far.
 *
 * @param {(message: Message) => void} receiver
 */
export function connect(receiver) {
  send = receiver;
  const earlier = waiting;
  waiting = [];
  for (const message of earlier) receiver(message);
}

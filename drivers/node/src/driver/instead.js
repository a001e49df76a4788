/** The answer to a request that the service itself will not answer any more. */
import { writeSync } from "node:fs";

/**
 * @param {number} socket its file descriptor; negative for none
 * @param {string} reason the same each time: tests compare it
 */
export function answerInstead(socket, reason) {
  if (socket < 0) return;
  const body = `ended: ${reason}\n`;
  const head = [
    "HTTP/1.1 503 Service Unavailable",
    "content-type: text/plain",
    `content-length: ${body.length}`,
    "connection: close",
  ];
  try {
    writeSync(socket, `${head.join("\r\n")}\r\n\r\n${body}`);
  } catch {
    // Nobody waits any more.
  }
}

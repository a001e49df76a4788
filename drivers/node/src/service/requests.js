/** Ties the work of a request to the action of the engine that made it. */
import http from "node:http";
import https from "node:https";
import { answerInstead } from "../driver/instead.js";
import * as layout from "../runtime/memory.js";
import { followsWork, memory, origin } from "../runtime/recording.js";

/** @type {Set<http.ServerResponse>} answers that are awaited */
const open = new Set();

/**
 * Wraps the servers' `emit`: every request starts with `begin`, runs as work of the current action,
 * and counts as open until its answer is out and what it reached is told.
 *
 * @param {() => void} begin
 * @param {(end: () => void) => void} answered
 */
export function watchRequests(begin, answered) {
  for (const prototype of [http.Server.prototype, https.Server.prototype]) {
    /** @type {Function} */
    const emit = prototype.emit;
    /** @type {(this: any, event: any, ...values: any[]) => boolean} */
    const watched = function (event, ...values) {
      if (event !== "request") return emit.call(this, event, ...values);
      begin();
      const isFollowed = followsWork();
      follow(values[1], answered);
      if (!isFollowed) return emit.call(this, event, ...values);
      const { control } = memory;
      const call = { test: control[layout.TEST] ?? 0, action: control[layout.ACTION] ?? -1 };
      return origin.run(call, () => emit.call(this, event, ...values));
    };
    Object.defineProperty(watched, "name", { value: "emit" });
    prototype.emit = watched;
  }
}

/**
 * @param {http.ServerResponse} response that is awaited from now on
 * @param {(end: () => void) => void} answered hears of its answer, and has to end it
 */
function follow(response, answered) {
  const { control } = memory;
  const test = control[layout.TEST];
  const place = layout.STATUSES + Math.max(control[layout.ACTION] ?? 0, 0);
  open.add(response);
  Atomics.add(control, layout.OPEN_REQUESTS, 1);
  control[layout.SOCKET] = descriptorOf(response.socket);
  response.once("close", () => {
    open.delete(response);
    if (test === control[layout.TEST] && response.writableFinished) keep(place, response);
    control[layout.SOCKET] = -1;
    answered(end);
  });
}

/** A request is over. */
function end() {
  const { control } = memory;
  Atomics.sub(control, layout.OPEN_REQUESTS, 1);
  if (Atomics.load(control, layout.AWAITS_REQUESTS)) Atomics.notify(control, layout.OPEN_REQUESTS);
}

/**
 * @param {number} place of the action among statuses
 * @param {http.ServerResponse} response
 */
function keep(place, { statusCode }) {
  const isKept = place < layout.STATUSES + layout.MOST_STATUSES;
  if (isKept && Number.isInteger(statusCode)) memory.control[place] = statusCode;
}

/**
 * @param {any} socket
 * @returns {number} -1 for a socket on which text cannot be written as it is
 */
function descriptorOf(socket) {
  const descriptor = socket?.encrypted ? undefined : socket?._handle?.fd;
  return typeof descriptor === "number" ? descriptor : -1;
}

/**
 * Answers in the place of the service, which ends.
 *
 * @param {string} reason
 */
export function answerRequests(reason) {
  for (const response of open) {
    if (!response.headersSent) answerInstead(descriptorOf(response.socket), reason);
  }
}

/** Gives up the answers that are awaited: whoever asked has done so. */
export function abandonRequests() {
  for (const response of open) response.destroy();
}

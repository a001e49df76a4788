/** The shapes of answers: wrapped ones, and those that the peers' container makes by itself. */

/**
 * @typedef {{status: number, type?: string, body?: string, headers?: Record<string, string>}} Reply
 * @typedef {import("node:http").IncomingMessage} Request
 */

const JSON_TYPE = "application/json;charset=utf8;version=1";

/**
 * @param {number} status
 * @param {unknown} data
 * @param {string | null} [error]
 * @returns {Reply}
 */
function wrapped(status, data, error = null) {
  return { status, type: JSON_TYPE, body: JSON.stringify({ data, error }) };
}

/**
 * @param {unknown} value
 * @returns {Reply} 200 with data
 */
export function data(value) {
  return wrapped(200, value);
}

/** @returns {Reply} 201 */
export function created() {
  return wrapped(201, null);
}

/** @returns {Reply} 204 */
export function done() {
  return { status: 204, type: JSON_TYPE };
}

/**
 * @param {number} status
 * @param {string} reason
 */
export function refused(status, reason) {
  return wrapped(status, null, reason);
}

/**
 * @param {string} reason
 * @returns {Reply} 400 for a body that cannot be read
 */
export function unreadable(reason) {
  return { status: 400, type: "text/plain", body: reason };
}

/** @returns {Reply} 500 as after an exception that nobody caught */
export function crashed() {
  return { status: 500, headers: { connection: "close" } };
}

/**
 * An error that is not wrapped: JSON where the client asked for it, a page otherwise.
 *
 * @param {number} status
 * @param {string} message
 * @param {Request} request
 * @returns {Reply}
 */
export function byContainer(status, message, request) {
  const headers = status === 500 ? { connection: "close" } : undefined;
  if (request.headers.accept === "application/json") {
    const url = (request.url ?? "").replace(/\?.*/, "");
    const body = JSON.stringify({ servlet: "wallace", message, url, status: String(status) });
    return { status, type: "application/json", body, headers };
  }
  const body = `<html><head><title>Error ${status}</title></head></html>\n`;
  return { status, type: "text/html;charset=iso-8859-1", body, headers };
}

/**
 * The root of the protocol, where only people come by.
 *
 * @param {Request} request
 * @returns {Reply}
 */
export function warnPeople(request) {
  const { accept = "" } = request.headers;
  const wantsPage = !accept || accept.includes("*/*") || accept.includes("text/html");
  if (!wantsPage) return byContainer(406, "Not Acceptable", request);
  const body =
    "<!DOCTYPE html><html><head><title>Driver</title></head><body><h1>Driver</h1>" +
    "<p>A fuzzing engine talks to this address; there is nothing to see here.</p></body></html>";
  return { status: 400, type: "text/html", body };
}

/** The driver on a socket. */
import http from "node:http";
import { databaseCommand } from "./database.js";
import { controllerInfo, infoSut } from "./information.js";
import { operands, targets } from "./insight.js";
import * as reply from "./reply.js";
import { testResults } from "./results.js";
import { Session } from "./session.js";

/**
 * @typedef {import("./reply.js").Reply} Reply
 * @typedef {{request: http.IncomingMessage, query: URLSearchParams, body: string,
 *   type: string | undefined}} Call
 * @typedef {(session: Session, call: Call) => Reply | Promise<Reply>} Handler
 */

/** Says on which address a driver listens, loopback where it is not set. */
const HOST = "WALLACE_DRIVER_HOST";

const BASE = "/controller/api";

/** @type {Record<string, Record<string, Handler>>} handlers by path and verb */
const ROUTES = {
  "": { GET: () => ({ status: 302, headers: { location: `${BASE}/` } }) },
  "/": { GET: (_, { request }) => reply.warnPeople(request) },
  "/controllerInfo": { GET: () => controllerInfo() },
  "/infoSUT": { GET: ({ controller }, { request }) => infoSut(controller, request) },
  "/newSearch": { POST: (session) => session.newSearch() },
  "/runSUT": { PUT: (session, { body, type }) => session.runSut(body, type) },
  "/newAction": { PUT: (session, { body, type }) => session.newAction(body, type) },
  "/testResults": { GET: (session, { request, query }) => testResults(session, request, query) },
  "/databaseCommand": {
    POST: (session, { body, type }) => databaseCommand(session, body, type),
  },
  "/mongoInsertion": { POST: () => reply.refused(400, "No active database connection") },
  "/redisInsertion": { POST: () => reply.refused(400, "No active Redis connection") },
  "/wallace/targets": { GET: ({ controller }) => targets(controller) },
  "/wallace/operands": { GET: ({ controller }, { query }) => operands(controller, query) },
};

/**
 * @param {import("./controller.js").Controller} controller
 * @param {number} port 0 for any free one
 * @returns {Promise<string>} what an engine is given, for example `http://127.0.0.1:40100`
 */
export function serve(controller, port) {
  const session = new Session(controller);
  const server = http.createServer(
    { keepAliveTimeout: 0, noDelay: true },
    async (request, response) => {
      try {
        send(response, await answer(session, request));
      } catch (error) {
        process.stderr.write(`wallace: ${error instanceof Error ? error.stack : error}\n`);
        send(response, reply.crashed());
      }
    },
  );
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const host = process.env[HOST] || "127.0.0.1";
    server.listen(port, host, () => {
      const address = /** @type {import("node:net").AddressInfo} */ (server.address());
      const isAny = host === "0.0.0.0" || host === "::";
      const shown = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
      resolve(`http://${shown}:${address.port}`);
    });
  });
}

/**
 * @param {Session} session
 * @param {http.IncomingMessage} request
 * @returns {Promise<Reply>}
 */
async function answer(session, request) {
  const [path = "", query] = (request.url ?? "").split("?", 2);
  const route = path.startsWith(BASE) ? ROUTES[path.slice(BASE.length)] : undefined;
  if (!route) return reply.byContainer(404, "Not Found", request);
  const handler = route[request.method ?? ""];
  if (!handler) return reply.byContainer(405, "Method Not Allowed", request);
  let body = "";
  if (request.method !== "GET") {
    for await (const part of request.setEncoding("utf8")) body += part;
  }
  const type = request.headers["content-type"];
  return handler(session, { request, query: new URLSearchParams(query), body, type });
}

/**
 * @param {http.ServerResponse} response
 * @param {Reply} reply
 */
function send(response, { status, type, body, headers = {} }) {
  /** @type {Record<string, string | number>} */
  const all = { ...headers };
  if (type) all["content-type"] = type;
  if (status !== 204) all["content-length"] = Buffer.byteLength(body ?? "");
  response.writeHead(status, all).end(body);
}

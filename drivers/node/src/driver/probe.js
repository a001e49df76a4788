/** Finds out what a service offers: a GraphQL endpoint, or an OpenAPI description. */
import { within } from "./thread_time.js";

/** @typedef {{kind: "graphql", endpoint: string} | {kind: "rest", openApi: string}} Problem */

/** Where frameworks put descriptions: the places of wallace/src/local_service/interface.rs. */
const DESCRIPTIONS = [
  "/openapi.json",
  "/api-docs/openapi.json",
  "/api-docs",
  "/api-docs.json",
  "/api-docs-json",
  "/swagger.json",
  "/swagger-json",
  "/api.json",
  "/api-json",
  "/api/openapi.json",
  "/api/api-docs",
  "/api/swagger.json",
  "/v3/api-docs",
  "/v2/api-docs",
  "/docs/json",
  "/docs/openapi.json",
  "/documentation/json",
  "/docs-json",
  "/doc",
  "/openapi",
  "/openapi.yaml",
  "/swagger.yaml",
  "/api/docs/json",
  "/api/docs-json",
  "/api/documentation/json",
  "/api/openapi.yaml",
  "/api/doc",
  "/api/v1/openapi.json",
  "/api/v1/openapi.yml",
  "/v1/openapi.json",
  "/swagger/json",
  "/openapi/json",
  "/openapi.yml",
];
const ENDPOINTS = ["/graphql", "/api/graphql", "/", "/query", "/api", "/v1/graphql"];

/** Those of them that nothing else is called like. */
const GUARDED = ENDPOINTS.filter((endpoint) => endpoint.endsWith("/graphql"));
/** Who calls is not known, or may not. */
const DENIED = new Set([401, 403]);

/** What every endpoint of GraphQL answers. */
const QUERY = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query: "{__typename}" }),
};

/** How much time the service's thread may have for one answer, in milliseconds. */
const PATIENCE = 3_000;
/** Longest pause where a service says that it takes no requests just now, and of all, in milliseconds. */
const LONGEST = 1_000;
const ALL_PAUSES = 15_000;
/** Too many requests, which guesses are, and not available, as some are right after their start. */
const NOT_NOW = new Set([429, 503]);

/**
 * @param {string[]} urls where the service listens
 * @param {import("../settings.js").Settings} settings
 * @returns {Promise<{url: string, problem: Problem}>}
 */
export async function probe(urls, settings) {
  const { schema } = settings;
  paused = 0;
  for (const url of urls) {
    const places = schema ? [schema] : DESCRIPTIONS;
    for (const place of places) {
      const described = await description(url + place);
      if (described === undefined) continue;
      /** @type {Problem} */
      const rest = { kind: "rest", openApi: url + place };
      const beside = schema || described ? undefined : await graphQl(url, GUARDED);
      return { url, problem: beside ?? rest };
    }
    const problem = await graphQl(url, schema ? [schema] : ENDPOINTS);
    if (problem) return { url, problem };
  }
  const guarded = await behindLogin(urls, schema);
  if (guarded) return guarded;
  const places = urls.map((url) => url + (schema ?? ""));
  throw new Error(
    `neither an OpenAPI description nor a GraphQL endpoint was found at ${places.join(", ")}: ` +
      (schema
        ? "leave --schema out to have it looked for, or name another place"
        : "say where it is with --schema PATH"),
  );
}

/**
 * A service that asks who calls before it answers anything. An endpoint of GraphQL is known by the
 * errors that it gives instead, or by the word of whoever starts it: how to log in, the engine is told.
 *
 * @param {string[]} urls
 * @param {string | undefined} schema
 * @returns {Promise<{url: string, problem: Problem} | undefined>}
 */
async function behindLogin(urls, schema) {
  const isGuess = !schema;
  if (schema && /\.(json|ya?ml)$|openapi|swagger/i.test(schema)) return undefined;
  for (const url of urls) {
    for (const endpoint of schema ? [schema] : GUARDED) {
      const found = await refusal(url + endpoint);
      const isRefusal = isGuess ? found?.hasErrors : found;
      if (isRefusal) return { url, problem: { kind: "graphql", endpoint } };
    }
  }
  return undefined;
}

/**
 * @param {string} url
 * @returns {Promise<{hasErrors: boolean} | undefined>} what a query is refused with; nothing where
 *   it is not refused for who calls, nor in the words of GraphQL
 */
async function refusal(url) {
  try {
    const { response, text } = await exchange(url, QUERY);
    const hasErrors = /^\s*\{[^]*"errors"\s*:\s*\[\s*\{[^]*"message"\s*:/.test(text);
    return hasErrors || DENIED.has(response.status) ? { hasErrors } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @returns {Promise<boolean | undefined>} whether it describes any operation; nothing where it is no
 *   description
 */
async function description(url) {
  const text = await answer(url, { headers: { accept: "application/json" } });
  const isOne =
    text !== undefined && /^\s*(\{[\s\S]*"(openapi|swagger)"\s*:|(openapi|swagger)\s*:)/.test(text);
  return isOne ? !/"paths"\s*:\s*\{\s*\}/.test(text) : undefined;
}

/**
 * @param {string} url
 * @param {string[]} endpoints
 * @returns {Promise<Problem | undefined>}
 */
async function graphQl(url, endpoints) {
  for (const endpoint of endpoints) {
    if (await isGraphQl(url + endpoint)) return { kind: "graphql", endpoint };
  }
  return undefined;
}

/** @param {string} url */
async function isGraphQl(url) {
  const text = await answer(url, QUERY);
  return text !== undefined && /"__typename"\s*:/.test(text);
}

/**
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<string | undefined>} the text of an answer that says all is well
 */
async function answer(url, request) {
  try {
    for (;;) {
      const { response, text } = await exchange(url, request);
      if (!NOT_NOW.has(response.status) || paused >= ALL_PAUSES) {
        return response.ok ? text : undefined;
      }
      await pause(response);
    }
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<{response: Response, text: string}>}
 */
async function exchange(url, request) {
  const end = new AbortController();
  const answered = fetch(url, { ...request, signal: end.signal }).then(async (response) => {
    return { response, text: await response.text() };
  });
  const found = await within(answered, PATIENCE);
  if (found) return found;
  end.abort();
  throw new Error(`no answer from ${url}`);
}

/** Milliseconds that were waited. */
let paused = 0;

/** @param {Response} response that says to come again */
function pause({ headers }) {
  const seconds = Number(headers.get("retry-after") ?? NaN);
  const pause = seconds >= 0 ? Math.min(1000 * seconds, LONGEST) : LONGEST;
  paused += Math.max(pause, 1);
  return new Promise((resolve) => setTimeout(resolve, pause));
}

/** Finds out what a service offers: a GraphQL endpoint, or an OpenAPI description. */

/** @typedef {{kind: "graphql", endpoint: string} | {kind: "rest", openApi: string}} Problem */

/** Where frameworks put descriptions. */
const DESCRIPTIONS = [
  "/openapi.json",
  "/api-docs",
  "/api-docs.json",
  "/api-docs-json",
  "/swagger.json",
  "/swagger-json",
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

/** How long one answer may take, in milliseconds. */
const PATIENCE = 3_000;
/** How long is waited where a service limits its requests and says for how long, in milliseconds. */
const LONGEST = 2_000;
const TOO_MANY = 429;

/**
 * @param {string[]} urls where the service listens
 * @param {import("../settings.js").Settings} settings
 * @returns {Promise<{url: string, problem: Problem}>}
 */
export async function probe(urls, settings) {
  const { schema } = settings;
  for (const url of urls) {
    const places = schema ? [schema] : DESCRIPTIONS;
    for (const place of places) {
      if (await isDescription(url + place)) {
        return { url, problem: { kind: "rest", openApi: url + place } };
      }
    }
    for (const endpoint of schema ? [schema] : ENDPOINTS) {
      if (await isGraphQl(url + endpoint)) return { url, problem: { kind: "graphql", endpoint } };
    }
  }
  throw new Error(
    `neither an OpenAPI description nor a GraphQL endpoint was found at ${urls.join(", ")}: ` +
      "say where it is with --schema PATH",
  );
}

/** @param {string} url */
async function isDescription(url) {
  const text = await answer(url, { headers: { accept: "application/json" } });
  return (
    text !== undefined && /^\s*(\{[\s\S]*"(openapi|swagger)"\s*:|(openapi|swagger)\s*:)/.test(text)
  );
}

/** @param {string} url */
async function isGraphQl(url) {
  const body = JSON.stringify({ query: "{__typename}" });
  const headers = { "content-type": "application/json" };
  const text = await answer(url, { method: "POST", headers, body });
  return text !== undefined && /"__typename"\s*:/.test(text);
}

/**
 * @param {string} url
 * @param {RequestInit} request
 * @returns {Promise<string | undefined>} the text of an answer that says all is well
 */
async function answer(url, request) {
  try {
    const first = await ask(url, request);
    const isLimited = first.response.status === TOO_MANY;
    if (isLimited) await later(pauseOf(first.response));
    // Places are guessed, of which some services take a few only.
    const { response, text } = isLimited ? await ask(url, request) : first;
    return response.ok ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @param {RequestInit} request
 */
async function ask(url, request) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE) });
  return { response, text: await response.text() };
}

/**
 * @param {Response} response
 * @returns {number} milliseconds until the service takes requests again
 */
function pauseOf({ headers }) {
  const seconds = Number(headers.get("retry-after") ?? 1);
  return seconds >= 0 ? Math.min(1000 * seconds, LONGEST) : LONGEST;
}

/** @param {number} milliseconds */
function later(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

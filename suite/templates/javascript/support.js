// What the tests share: a client for the service under test, and checks that say what was
// sent, what came back and what was expected instead.

const fs = require("node:fs");
const http = require("node:http");
const https = require("node:https");
const path = require("node:path");

// Where the service is expected unless WALLACE_BASE_URL names another place.
const DEFAULT_BASE_URL = "http://localhost:8080";

// Where the service takes GraphQL requests.
const GRAPHQL_PATH = "/graphql";

// How long a test waits for an answer, in milliseconds.
const TIMEOUT = 60_000;

// Longest request or answer that a failure message shows, in characters.
const SHOWN = 4_000;

// The service. If it has a driver, that starts it or brings its state back when the first request
// of a test is sent.
function connect() {
  const driver = process.env.WALLACE_DRIVER;
  const baseUrl = process.env.WALLACE_BASE_URL ?? DEFAULT_BASE_URL;
  return new Service(driver ? () => start(driver) : async () => baseUrl);
}

// Has a driver start the service or bring its state back; gives the base URL.
async function start(driver) {
  const api = `${elsewhere(driver).replace(/\/+$/, "")}/controller/api`;
  const headers = { Connection: "keep-alive", "Content-Type": "application/json" };
  const run = JSON.stringify({ run: true, resetState: true });
  const started = await exchange("PUT", `${api}/runSUT`, headers, run);
  const info = await exchange("GET", `${api}/infoSUT`, headers);
  if (started.status >= 300 || info.status >= 300) {
    throw new Error(`the driver cannot start the service: ${started.text}${info.text}`);
  }
  return JSON.parse(info.text).data.baseUrlOfSUT;
}

// The URL of what is not asked of the service: the driver is named by URL, host or port.
function elsewhere(path) {
  if (path.includes("://")) return path;
  return (/^\d+(\/|$)/.test(path) ? "http://localhost:" : "http://") + path;
}

// Sends bytes as they are: paths are not normalised, and every method may have a body.
function exchange(method, url, headers, payload) {
  const [, scheme, authority, target] = /^(\w+):\/\/([^/]*)(.*)$/s.exec(url);
  const { hostname, port } = new URL(`${scheme}://${authority}`);
  const client = scheme === "https" ? https : http;
  const host = hostname.replace(/^\[|\]$/g, "");
  const bytes = payload === undefined ? undefined : Buffer.from(payload, "utf8");
  const length = bytes === undefined ? {} : { "Content-Length": bytes.length };
  const settings = { method, host, port, path: target || "/", headers: { ...headers, ...length } };
  return new Promise((resolve, reject) => {
    const request = client.request({ ...settings, agent: false, timeout: TIMEOUT }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: answer.statusCode, headers: answer.headers, text });
      });
    });
    request.on("timeout", () => request.destroy(new Error("no answer in time")));
    request.on("error", reject);
    request.end(bytes);
  });
}

// The service under test.
class Service {
  constructor(open) {
    this.open = open;
  }

  async baseUrl() {
    this.url ??= (await this.open()).replace(/\/+$/, "");
    return this.url;
  }

  graphql(document) {
    return this.post(GRAPHQL_PATH).graphql(document);
  }

  get(path) {
    return this.request("GET", path);
  }

  post(path) {
    return this.request("POST", path);
  }

  put(path) {
    return this.request("PUT", path);
  }

  patch(path) {
    return this.request("PATCH", path);
  }

  delete(path) {
    return this.request("DELETE", path);
  }

  request(method, path) {
    return new Request(this, method, path);
  }
}

// A request that is being put together.
class Request {
  constructor(service, method, path) {
    Object.assign(this, { service, method, path, headers: [], values: new Map() });
    this.content = () => undefined;
  }

  header(name, value) {
    this.headers.push([name, value]);
    return this;
  }

  // Sends a GraphQL document. One that starts on a new line loses its indentation.
  graphql(document) {
    this.message = { query: withoutIndentation(document) };
    this.content = () =>
      JSON.stringify({ ...this.message, query: this.filled(this.message.query) });
    this.mediaType = "application/json";
    return this;
  }

  variables(values) {
    this.message.variables = values;
    return this;
  }

  operation(name) {
    this.message.operationName = name;
    return this;
  }

  json(value) {
    this.content = () => JSON.stringify(value);
    this.mediaType = "application/json";
    return this;
  }

  text(mediaType, text) {
    this.content = () => this.filled(text);
    this.mediaType = mediaType;
    return this;
  }

  // Puts a value in place of {{name}} in path, headers, document and text.
  fill(name, value) {
    this.values.set(name, value);
    return this;
  }

  filled(text) {
    return text.replace(/\{\{(\w+)\}\}/g, (place, name) => this.values.get(name) ?? place);
  }

  async send() {
    const baseUrl = await this.service.baseUrl();
    const path = this.filled(this.path);
    const url = path.startsWith("/") ? baseUrl + path : elsewhere(path);
    const headers = {};
    for (const [name, value] of this.headers) {
      headers[name] = Buffer.from(this.filled(value), "utf8").toString("latin1");
    }
    const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    if (this.mediaType !== undefined && !isGiven) {
      headers["Content-Type"] = this.mediaType;
    }
    const payload = this.content();
    const sent = `${this.method} ${url}${payload === undefined ? "" : `\n${payload}`}`;
    try {
      return new Response(sent, await exchange(this.method, url, headers, payload));
    } catch (error) {
      const failure = new Error(
        `no answer from ${url} (${error.message || error.code})\n` +
          "Is the service running? Set WALLACE_BASE_URL if it is somewhere else.\n\n" +
          `request: ${shortened(sent)}`,
      );
      throw Object.assign(failure, { isDrop: ["ECONNRESET", "EPIPE"].includes(error.code) });
    }
  }

  // The connection ends without an answer, and the service still listens.
  async expectNoAnswer() {
    let response;
    try {
      response = await this.send();
    } catch (failure) {
      if (failure.isDrop) return;
      throw failure;
    }
    response.fail(`answer: expected none, found status ${response.status}`);
  }
}

// What the service answered.
class Response {
  constructor(sent, { status, headers, text }) {
    const mediaType = (headers["content-type"] ?? "").split(";")[0].trim().toLowerCase();
    Object.assign(this, { sent, status, mediaType, headers, body: text });
    try {
      this.json = JSON.parse(text);
    } catch {
      this.json = undefined;
    }
  }

  expectStatus(expected) {
    if (this.status !== expected) {
      this.fail(`status: expected ${expected}, found ${this.status}`);
    }
  }

  expectMediaType(expected) {
    if (this.mediaType !== expected) {
      this.fail(`media type: expected ${expected}, found ${show(this.mediaType)}`);
    }
  }

  expectHeader(name) {
    if (!this.headers[name]) {
      this.fail(`header ${name}: expected some, found none`);
    }
  }

  // The JSON value at the pointer (RFC 6901) is this one.
  expectJson(pointer, expected) {
    const differences = compare(expected, this.value(pointer), pointer);
    if (differences.length > 0) {
      this.fail(differences.join("\n"));
    }
  }

  // The answer has these errors, in any order. Only what is written is compared.
  expectErrors(expected) {
    const found = this.value("/errors");
    const left = Array.isArray(found) ? [...found] : [];
    if (left.length !== expected.length) {
      this.fail(`/errors: expected ${expected.length} errors, found ${left.length}`);
    }
    for (const error of expected) {
      const index = left.findIndex((actual) => includes(actual, error));
      if (index < 0) {
        this.fail(`/errors: expected ${show(error)}, found ${show(found)}`);
      }
      left.splice(index, 1);
    }
  }

  expectPresent(pointer) {
    this.value(pointer);
  }

  expectAbsent(pointer) {
    const found = find(this.json, pointer);
    if (found !== undefined) {
      this.fail(`${place(pointer)}: expected nothing, found ${show(found)}`);
    }
  }

  expectText(expected) {
    if (this.body !== expected) {
      this.fail(`body: expected ${show(expected)}, found ${show(this.body)}`);
    }
  }

  expectEmptyBody() {
    if (this.body !== "") {
      this.fail("body: expected none");
    }
  }

  // The JSON value at the pointer, for use in a later request.
  value(pointer) {
    if (this.json === undefined) {
      this.fail("body: expected JSON");
    }
    const found = find(this.json, pointer);
    if (found === undefined) {
      this.fail(`${place(pointer)}: expected a value, found nothing`);
    }
    return found;
  }

  // The value of a header, for use in a later request.
  header(name) {
    this.expectHeader(name);
    return this.headers[name];
  }

  // A part of the path of the address at the pointer, counted from the last, which is 1.
  partOfAddress(pointer, fromEnd) {
    return this.part(String(this.value(pointer)), fromEnd);
  }

  // A part of the path that the header Location leads to.
  partOfLocation(fromEnd) {
    return this.part(this.header("location"), fromEnd);
  }

  part(address, fromEnd) {
    const path = address.replace(/^\w+:\/\/[^/]*/, "").split(/[?#]/)[0];
    const parts = path.split("/").filter((part) => part !== "");
    if (parts.length < fromEnd) {
      this.fail(`address ${address}: expected ${fromEnd} parts or more`);
    }
    return decodeURIComponent(parts[parts.length - fromEnd]);
  }

  fail(complaint) {
    throw new Error(
      `${complaint}\n\nrequest: ${shortened(this.sent)}\n\n` +
        `answer: ${this.status} ${this.mediaType}\n${shortened(this.body)}`,
    );
  }
}

// Stands for more than one value.
class Matcher {
  constructor(kind, isRight, parts = () => []) {
    Object.assign(this, { kind, isRight, parts });
  }

  compare(actual, pointer) {
    return this.isRight(actual)
      ? this.parts(actual, pointer)
      : [`${place(pointer)}: expected ${this.kind}, found ${show(actual)}`];
  }

  toJSON() {
    return `<${this.kind}>`;
  }
}

const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const anything = () => new Matcher("any value", () => true);
const anyString = () => new Matcher("any string", (actual) => typeof actual === "string");
const anyNumber = () => new Matcher("any number", (actual) => typeof actual === "number");
const anyInteger = () => new Matcher("any integer", (actual) => Number.isInteger(actual));
const anyBoolean = () => new Matcher("any boolean", (actual) => typeof actual === "boolean");
const anyList = () => new Matcher("any list", (actual) => Array.isArray(actual));
const anyObject = () => new Matcher("any object", isObject);
const nonNull = () => new Matcher("any non-null value", (actual) => actual !== null);

// A list of so many elements, the first of which are given.
function listStartingWith(length, first) {
  return new Matcher("any list", Array.isArray, (actual, pointer) => [
    ...compareLength(length, actual, pointer),
    ...compareElements(first, actual, pointer),
  ]);
}

// Null, or this.
function nullable(expected) {
  const parts = (actual, pointer) => (actual === null ? [] : compare(expected, actual, pointer));
  return new Matcher("any value", () => true, parts);
}

// A list whose elements are all like this one.
function each(element) {
  return new Matcher("any list", Array.isArray, (actual, pointer) =>
    compareElements(Array(actual.length).fill(element), actual, pointer),
  );
}

function oneOf(texts) {
  return new Matcher(texts.map(show).join(" or "), (actual) => texts.includes(actual));
}

// An object with these keys, and perhaps others.
function including(fields) {
  const parts = (actual, pointer) => compareFields(fields, actual, pointer);
  return new Matcher("any object", isObject, parts);
}

// An object that names its type under the key and looks as said of that type.
function byType(key, types) {
  const isRight = (actual) => isObject(actual) && Object.hasOwn(types, actual[key]);
  const parts = (actual, pointer) => compare(types[actual[key]], actual, pointer);
  return new Matcher("a type of the schema", isRight, parts);
}

// How a value differs from what is expected, a line per place.
function compare(expected, actual, pointer) {
  if (expected instanceof Matcher) {
    return expected.compare(actual, pointer);
  }
  if (isObject(expected) && isObject(actual)) {
    const unexpected = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
    return [
      ...compareFields(expected, actual, pointer),
      ...unexpected.map(
        (key) => `${child(pointer, key)}: not expected, found ${show(actual[key])}`,
      ),
    ];
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    return [
      ...compareLength(expected.length, actual, pointer),
      ...compareElements(expected, actual, pointer),
    ];
  }
  return expected === actual
    ? []
    : [`${place(pointer)}: expected ${show(expected)}, found ${show(actual)}`];
}

function compareFields(expected, actual, pointer) {
  return Object.entries(expected).flatMap(([key, value]) =>
    Object.hasOwn(actual, key)
      ? compare(value, actual[key], child(pointer, key))
      : [`${child(pointer, key)}: missing`],
  );
}

function compareLength(length, actual, pointer) {
  return actual.length === length
    ? []
    : [`${place(pointer)}: expected ${length} elements, found ${actual.length}`];
}

function compareElements(expected, actual, pointer) {
  return expected
    .slice(0, actual.length)
    .flatMap((value, index) => compare(value, actual[index], child(pointer, String(index))));
}

// Whether the value has everything that is wanted; an object may have more keys.
function includes(actual, wanted) {
  if (isObject(actual) && isObject(wanted)) {
    return Object.keys(wanted).every(
      (key) => Object.hasOwn(actual, key) && includes(actual[key], wanted[key]),
    );
  }
  return compare(wanted, actual, "").length === 0;
}

function find(value, pointer) {
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isThere =
      (isObject(value) && Object.hasOwn(value, key)) ||
      (Array.isArray(value) && /^\d+$/.test(key) && Number(key) < value.length);
    if (!isThere) {
      return undefined;
    }
    value = value[key];
  }
  return value;
}

function child(pointer, key) {
  return `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function place(pointer) {
  return pointer === "" ? "body" : pointer;
}

function show(value) {
  return JSON.stringify(value);
}

function shortened(text) {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)} ... (${text.length} characters)`;
}

// The content of a file beside the tests.
function textFile(name) {
  return fs.readFileSync(path.join(__dirname, name), "utf8");
}

// A JSON value from a file beside the tests.
function jsonFile(name) {
  return JSON.parse(textFile(name));
}

// A value as JSON, which is also how GraphQL writes numbers, texts and booleans.
function jsonText(value) {
  return JSON.stringify(value);
}

// A value as plain text: strings without quotes.
function plainText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

// A value as one segment of a path, percent-encoded.
function pathSegment(value) {
  const encode = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(plainText(value)).replace(/[!'()*]/g, encode);
}

// A value that is not written down in the tests, such as a token.
function environment(name) {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`the environment variable ${name} is not set; these tests need it`);
  }
  return value;
}

// The text without the line break at its start, the common indentation of its lines, and the
// line that closes it; unchanged if it does not start with a line break.
function withoutIndentation(text) {
  if (!text.startsWith("\n")) {
    return text;
  }
  const lines = text.slice(1).split("\n");
  if (lines.at(-1).trim() === "") {
    lines.pop();
  }
  const margins = lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/));
  const indentation = Math.min(...margins, Infinity);
  return lines.map((line) => line.slice(indentation)).join("\n");
}

module.exports = {
  anyBoolean,
  anyInteger,
  anyList,
  anyNumber,
  anyObject,
  anyString,
  anything,
  byType,
  connect,
  each,
  environment,
  including,
  jsonFile,
  jsonText,
  listStartingWith,
  nonNull,
  nullable,
  oneOf,
  pathSegment,
  plainText,
  textFile,
};

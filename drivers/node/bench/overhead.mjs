/**
 * What instrumentation costs: processor time of a request, and of libraries that compute.
 *
 *     npm install --prefix bench && node bench/overhead.mjs [PAIRS] [TESTS] [PATTERN of what]
 *
 * Both sides of a ratio run one after the other, in pairs, and the median of their ratios is told.
 * A request of the instrumented service pays for all of the driver that is in its process: every
 * test of five requests is reset, announced and reported. The process that serves the protocol is
 * another one. The plain service has the same pauses: the same calls go to a process with a server
 * that does nothing, since one that sleeps between requests needs more for each of them.
 */
import { spawn, spawnSync } from "node:child_process";
import http from "node:http";
import { fileURLToPath } from "node:url";

const PAIRS = Number(process.argv[2] ?? 5);
const TESTS = Number(process.argv[3] ?? 300);
const REQUESTS = 5;
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const REGISTER = new URL("../src/register.js", import.meta.url).href;
const DRIVER = fileURLToPath(new URL("../bin/wallace-driver.js", import.meta.url));
const LIBRARIES = ["acorn", "qs", "validator", "lodash", "moment"];

const ORDER = JSON.stringify({
  country: "de",
  coupon: "TEN-1",
  lines: [1, 2, 3].map((count) => ({ name: `thing ${count}`, price: 9.5 * count, count })),
});

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/**
 * @param {string} method
 * @param {string} url
 * @param {string} [body]
 * @returns {Promise<any>}
 */
function call(method, url, body) {
  const headers = { "content-type": "application/json", connection: "keep-alive" };
  return new Promise((resolve, reject) => {
    const sent = http.request(url, { method, agent, headers }, (response) => {
      let text = "";
      response.on("data", (part) => (text += part));
      response.on("end", () => resolve(text ? JSON.parse(text) : undefined));
    });
    sent.on("error", reject).end(body);
  });
}

/** @param {string} url */
async function answering(url) {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    try {
      return await call("GET", url);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error(`${url} does not answer`);
}

/**
 * @param {string} framework
 * @param {boolean} isInstrumented
 * @param {number} port
 * @returns {Promise<number>} microseconds of the processor for a request
 */
async function request(framework, isInstrumented, port) {
  const idle = spawn(process.execPath, ["idle.js"], { cwd: FOLDER });
  const idlePort = await new Promise((resolve) => idle.stdout.once("data", resolve));
  const driver = `http://127.0.0.1:${isInstrumented ? port + 1 : Number(idlePort)}/controller/api`;
  const own = [DRIVER, "--no-spare", "--port", String(port + 1), "--", process.execPath];
  const words = [...(isInstrumented ? own : []), "app.js", framework];
  const child = spawn(process.execPath, words, {
    cwd: FOLDER,
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  const base = `http://127.0.0.1:${port}`;
  const run = async () => {
    for (let test = 0; test < TESTS; test += 1) {
      const reset = JSON.stringify({ run: true, resetState: true, calculateSqlHeuristics: true });
      await call("PUT", `${driver}/runSUT`, reset);
      for (let index = 0; index < REQUESTS; index += 1) {
        const action = JSON.stringify({ index, name: "order", inputVariables: [] });
        await call("PUT", `${driver}/newAction`, action);
        await call("POST", `${base}/orders`, ORDER);
      }
      await call("GET", `${driver}/testResults?ids=1,2,3`);
    }
  };
  try {
    if (isInstrumented) {
      await answering(`${driver}/controllerInfo`);
      await call("PUT", `${driver}/runSUT`, JSON.stringify({ run: true, resetState: true }));
      await call("POST", `${driver}/newSearch`, "{}");
    }
    await answering(`${base}/openapi.json`);
    await run();
    const before = await call("GET", `${base}/cpu`);
    await run();
    const after = await call("GET", `${base}/cpu`);
    const used = after.user - before.user + after.system - before.system;
    return used / (TESTS * REQUESTS);
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await ended;
    idle.kill();
  }
}

/**
 * @param {string} library
 * @param {boolean} isInstrumented
 * @returns {number} seconds of the processor
 */
function work(library, isInstrumented) {
  const words = isInstrumented ? ["--import", REGISTER] : [];
  const env = { ...process.env, WALLACE_INCLUDE: library };
  const options = { cwd: FOLDER, env, encoding: /** @type {const} */ ("utf8") };
  const { stdout } = spawnSync(process.execPath, [...words, "work.js", library], options);
  return Number(stdout);
}

/** @param {number[]} numbers */
const median = (numbers) =>
  [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0;

/**
 * @param {string} name
 * @param {(isInstrumented: boolean) => number | Promise<number>} measure
 */
async function compare(name, measure) {
  if (!name.includes(process.argv[4] ?? "")) return;
  const [plain, instrumented, ratios] = [[], [], []].map((list) => /** @type {number[]} */ (list));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [one, other] = [await measure(false), await measure(true)];
    plain?.push(one);
    instrumented?.push(other);
    ratios?.push(other / one);
  }
  const all = [...(ratios ?? [])]
    .sort((one, other) => one - other)
    .map((ratio) => ratio.toFixed(2));
  const [one, other] = [median(plain ?? []), median(instrumented ?? [])];
  const shown = [name, median(ratios ?? []).toFixed(2), all.join(" "), one.toPrecision(3)];
  process.stdout.write(`| ${[...shown, other.toPrecision(3)].join(" | ")} |\n`);
}

process.stdout.write(`Node ${process.versions.node}, ${PAIRS} pairs\n`);
process.stdout.write(
  "| what | ratio | all pairs | plain | instrumented |\n| --- | --- | --- | --- | --- |\n",
);
for (const [index, framework] of ["express", "fastify", "nest"].entries()) {
  await compare(`request, ${framework} (microseconds)`, (isInstrumented) =>
    request(framework, isInstrumented, 41_300 + 4 * index + 2 * Number(isInstrumented)),
  );
}
for (const library of LIBRARIES) {
  await compare(`${library} (seconds)`, (isInstrumented) => work(library, isInstrumented));
}

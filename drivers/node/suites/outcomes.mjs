/** Reads what test runners tell: outcomes by the names of tests. */

/** Names may hold what differs from run to run: times, ports, folders, identifiers. */
const CHANGING = /\b\d+(\.\d+)?\s?m?s\b|\b\d{4,}\b|\/tmp\/\S+|[0-9a-f]{8}-[0-9a-f-]{27}/g;

/**
 * @param {string} text of a report: JSON of Mocha, Vitest, Jest or lab, JUnit's XML, or TAP
 * @returns {Map<string, string>}
 */
export function outcomesOf(text) {
  const found = new Map();
  // Kept for each name: a suite of which only numbers are known has one name a hundred thousand times.
  const times = new Map();
  for (const [name, outcome] of read(text)) {
    const plain = name.replace(CHANGING, "…");
    let unique = plain;
    for (let count = times.get(plain) ?? 1; found.has(unique);) {
      count += 1;
      times.set(plain, count);
      unique = `${plain} (${count})`;
    }
    found.set(unique, outcome);
  }
  return found;
}

/** @param {string} text */
function read(text) {
  const start = text.trimStart();
  if (start.startsWith("<")) return [...junit(text)];
  const json = start.startsWith("{") ? start : start.slice(start.search(/^\{$/m));
  return json.startsWith("{") ? [...fromJson(JSON.parse(json))] : [...tap(text)];
}

/**
 * @param {any} report
 * @returns {Generator<[string, string]>}
 */
function* fromJson(report) {
  for (const { name, assertionResults } of report.testResults ?? []) {
    const file = String(name).split("/").slice(-2).join("/");
    for (const one of assertionResults) yield [`${file} ${one.fullName}`, one.status];
  }
  if (!Array.isArray(report.tests)) return yield* lab(report.tests ?? {});
  const pending = new Set(report.pending.map((/** @type {any} */ one) => one.fullTitle));
  for (const { fullTitle, err } of report.tests) {
    const isOpen = pending.has(fullTitle) && !Object.keys(err ?? {}).length;
    yield [fullTitle, isOpen ? "pending" : Object.keys(err ?? {}).length ? "failed" : "passed"];
  }
}

/**
 * @param {Record<string, any[]>} suites
 * @returns {Generator<[string, string]>}
 */
function* lab(suites) {
  for (const [suite, tests] of Object.entries(suites)) {
    for (const { title, err } of tests) yield [`${suite} ${title}`, err ? "failed" : "passed"];
  }
}

/**
 * @param {string} text
 * @returns {Generator<[string, string]>}
 */
function* junit(text) {
  const cases = /<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;
  for (const [, name = "", inside = ""] of text.matchAll(cases)) {
    const isFailed = /<(failure|error)/.test(inside);
    yield [name, isFailed ? "failed" : inside.includes("<skipped") ? "skipped" : "passed"];
  }
}

/**
 * @param {string} text
 * @returns {Generator<[string, string]>}
 */
function* tap(text) {
  for (const [, not, name = ""] of text.matchAll(/^\s*(not )?ok\s+\d+(?:[ -]+(.*))?$/gm)) {
    yield [name, not ? "failed" : "passed"];
  }
  // Of some runners only how many assertions passed and failed is known.
  const [, passed = 0, failed = 0] = /PASS: (\d+)\s+FAIL: (\d+)/.exec(text) ?? [];
  yield* counted("assertion", Number(passed), Number(failed));
  const [, well = 0, all = 0] = /In total, (\d+) of (\d+) tests passed/.exec(text) ?? [];
  yield* counted("test", Number(well), Number(all) - Number(well));
  const groups = /^(.*): (\d+) tests run in .*; (?:all passed|(\d+) fail)/gm;
  for (const [, name = "", run, bad = 0] of text.matchAll(groups)) {
    yield* counted(name, Number(run) - Number(bad), Number(bad));
  }
}

/**
 * @param {string} name
 * @param {number} passed
 * @param {number} failed
 * @returns {Generator<[string, string]>}
 */
function* counted(name, passed, failed) {
  for (let at = 1; at <= passed; at += 1) yield [name, "passed"];
  for (let at = 1; at <= failed; at += 1) yield [name, "failed"];
}

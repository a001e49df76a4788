/** What was recorded in a test. Work and bytes follow what the test touched. */
import { heuristics } from "./heuristics.js";
import { byContainer, data, refused } from "./reply.js";

/**
 * @typedef {import("./controller.js").Controller} Controller
 * @typedef {import("./controller.js").Target} Target
 * @typedef {import("../driver/notes.js").ActionNote} ActionNote
 * @typedef {{ids: number[] | null, isCoveredOnly: boolean, isNamed: boolean}} Wanted
 */

/** Largest number of the protocol. */
const LARGEST = 2 ** 31 - 1;

/**
 * `GET /testResults`.
 *
 * @param {import("./session.js").Session} session
 * @param {import("./reply.js").Request} request
 * @param {URLSearchParams} query
 */
export async function testResults(session, request, query) {
  const { controller } = session;
  /** @param {string} name */
  const isTrue = (name) => query.get(name)?.toLowerCase() === "true";
  const ids = numbers(query.get("ids") ?? "");
  if (typeof ids === "string") return refused(400, ids);
  if (!controller.isRunning) return byContainer(500, "Request failed.", request);
  if (isTrue("killSwitch")) await controller.abandon();
  const recorded = await controller.recorded();
  const wanted = { ids, isCoveredOnly: isTrue("fullyCovered"), isNamed: isTrue("descriptiveIds") };
  const targets = select(controller, recorded.targets, wanted);
  if (!targets) {
    return refused(500, `Failed to collect target information for ${ids?.length} ids`);
  }
  const count = session.action + 1;
  const actions = Array.from({ length: Math.max(count, 1) }, (_, index) => recorded.actions[index]);
  return data({
    targets,
    additionalInfoList: actions.map(additionalInfo),
    extraHeuristics: actions
      .slice(0, count)
      .map((note) => heuristics(note?.activity, session.reportsSql)),
  });
}

/**
 * Numbers separated by commas; empty places count for nothing.
 *
 * @param {string} list
 * @returns {number[] | null | string} `null` asks for everything; a text says what is wrong
 */
function numbers(list) {
  if (!list) return null;
  const tokens = list.split(",").filter(Boolean);
  const wrong = tokens.find((token) => !/^[+-]?\d+$/.test(token) || Math.abs(+token) > LARGEST);
  if (wrong !== undefined) return `Invalid parameter 'ids': For input string: "${wrong}"`;
  return tokens.map(Number);
}

/**
 * @param {Controller} controller
 * @param {Target[]} all
 * @param {Wanted} wanted
 * @returns {ReturnType<typeof entry>[] | undefined} nothing when a number is unknown
 */
function select(controller, all, { ids, isCoveredOnly, isNamed }) {
  // What the start covered is told only where it is asked for.
  const shown = all.filter((target) => !controller.isBoot(target.name));
  const fresh = shown.filter((target) => target.isNew);
  let entries;
  if (ids) {
    if (ids.some((id) => controller.byId[id] === undefined)) return undefined;
    const byId = new Map(all.map((target) => [target.id, target]));
    const asked = ids.map((id) => {
      const target = byId.get(id);
      return target ? entry(target, isNamed) : missed(id);
    });
    entries = [...asked, ...fresh.map((target) => entry(target, true))];
  } else {
    const names = isNamed || fresh.length > 0;
    entries = shown.map((target) => entry(target, names));
  }
  return isCoveredOnly ? entries.filter((one) => one.value >= 1) : entries;
}

/**
 * @param {Target} target
 * @param {boolean} isNamed
 */
function entry({ id, name, score, action }, isNamed) {
  const descriptiveId = isNamed ? name : null;
  // What runs before the first announcement counts as action 0.
  return { id, descriptiveId, value: score, actionIndex: Math.max(action, 0) };
}

/** @param {number} id */
function missed(id) {
  return { id, descriptiveId: null, value: 0, actionIndex: -1 };
}

/** @param {ActionNote | undefined} note */
function additionalInfo(note) {
  /** @type {Record<string, object[]>} */
  const uses = {};
  for (const { tainted, specialisation, value, isFull } of note?.uses ?? []) {
    const type = isFull ? "FULL_MATCH" : "PARTIAL_MATCH";
    (uses[tainted] ??= []).push({ stringSpecialization: specialisation, value, type });
  }
  return {
    queryParameters: [],
    headers: [],
    stringSpecializations: uses,
    lastExecutedStatement: note?.statement ?? null,
    rawAccessOfHttpBodyPayload: false,
    parsedDtoNames: [],
    externalServices: [],
    employedDefaultWM: [],
    hostnameResolutionInfoDtos: [],
  };
}

/** Request bodies, read as strictly as the peers do: they know their fields. */
import { crashed, unreadable } from "./reply.js";

/** @typedef {import("./reply.js").Reply} Reply */

/** Fields of the bodies, with the kind of each. */
export const RUN_SUT = {
  run: "boolean",
  resetState: "boolean",
  resetCustomizedMethodForMockObject: "boolean",
  calculateSqlHeuristics: "boolean",
  advancedHeuristics: "boolean",
  extractSqlExecutionInfo: "boolean",
  methodReplacementCategories: "text",
};
export const NEW_ACTION = {
  index: "number",
  name: "text",
  inputVariables: "list",
  rpcCall: "any",
  externalServiceMapping: "object",
  localAddressMapping: "object",
  skippedExternalServices: "list",
};

export const DATABASE_COMMAND = { idCounter: "number", command: "text", insertions: "list" };

/** @type {Record<string, (value: any) => boolean>} */
const KINDS = {
  boolean: (value) => typeof value === "boolean" || value === "true" || value === "false",
  text: (value) => typeof value === "string",
  number: (value) => Number.isInteger(value),
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && !Array.isArray(value),
  any: () => true,
};

/**
 * @param {string} text
 * @param {string | undefined} type media type
 * @param {Record<string, string>} fields
 * @returns {{value: any} | {refusal: Reply}}
 */
export function read(text, type, fields) {
  const essence = type?.split(";")[0]?.trim().toLowerCase();
  if (essence !== undefined && essence !== "application/json") return { refusal: { status: 415 } };
  const trimmed = text.trim();
  if (!trimmed || trimmed === "null") return { refusal: crashed() };
  let value;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    return { refusal: unreadable(error instanceof Error ? error.message : "unreadable") };
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    return { refusal: unreadable("Cannot read an object from this value") };
  }
  const wrong = misfit(value, fields);
  return wrong ? { refusal: unreadable(wrong) } : { value };
}

/**
 * @param {any} value
 * @param {Record<string, string>} fields
 * @returns {string | undefined} what is wrong with it
 */
function misfit(value, fields) {
  for (const [name, member] of Object.entries(value)) {
    const kind = fields[name];
    if (!kind) {
      return `Unrecognized field "${name}", expected one of ${Object.keys(fields).join(", ")}`;
    }
    if (member !== null && !KINDS[kind]?.(member)) return `Cannot read ${kind} of field "${name}"`;
  }
  return undefined;
}

/**
 * @param {unknown} value
 * @returns {boolean} also of a text
 */
export function isTrue(value) {
  return value === true || value === "true";
}

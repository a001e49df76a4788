/**
 * Statements without their constants: the same text for all executions of one statement of the
 * code, so that what was found out about it once holds for all of them.
 */
import { HOLE, tokens } from "./token.js";

/** @typedef {import("./token.js").Dialect} Dialect */

/**
 * What parameters stand for: by position, and by name with or without the first character.
 *
 * @typedef {{positional: readonly unknown[], named?: Record<string, unknown>}} Values
 */

const MINUTE = 60_000;

export class Template {
  /**
   * @param {string} text with holes, a number each
   * @param {string[]} fillings what the code wrote in their places: constants and parameters
   * @param {boolean[]} isParameter
   */
  constructor(text, fillings, isParameter) {
    this.text = text;
    this.fillings = fillings;
    this.isParameter = isParameter;
  }

  /**
   * @param {Values} values
   * @param {(value: unknown) => string} literal
   * @returns {string[]} what stands in the holes of one execution
   */
  constants(values, literal) {
    let next = 0;
    return this.fillings.map((filling, hole) => {
      if (!this.isParameter[hole]) return filling;
      const rest = filling.slice(1);
      if (/^\d+$/.test(rest)) return literal(values.positional[Number(rest) - 1]);
      if (rest) return literal(values.named?.[rest] ?? values.named?.[filling]);
      next += 1;
      return literal(values.positional[next - 1]);
    });
  }
}

const HOLES = new RegExp(`${HOLE}(\\d+)${HOLE}`, "g");

/**
 * @param {string} text with holes
 * @param {string[]} constants
 * @returns {string} the text with constants in the places of holes
 */
export function filled(text, constants) {
  return text.replace(HOLES, (_, hole) => constants[Number(hole)] ?? "NULL");
}

/**
 * @param {string} statement of one or more statements
 * @param {Dialect} dialect
 * @returns {Template[]} one for each statement
 */
export function templates(statement, dialect) {
  /** @type {Template[]} */
  const found = [];
  let current = new Template("", [], []);
  const end = () => {
    current.text = current.text.trim();
    if (current.text) found.push(current);
    current = new Template("", [], []);
  };
  // Of several statements the parameters are counted through, so all but one have none in practice.
  for (const { kind, text } of tokens(statement, dialect)) {
    if (text === ";" && kind === "other") {
      end();
    } else if (kind === "text" || kind === "number" || kind === "parameter") {
      current.text += `${HOLE}${current.fillings.push(text) - 1}${HOLE}`;
      current.isParameter.push(kind === "parameter");
    } else {
      current.text += text;
    }
  }
  end();
  return found;
}

/**
 * @param {unknown} value
 * @param {Dialect} dialect
 * @returns {string} the value as SQL writes it
 */
export function literal(value, dialect) {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "NULL";
  if (typeof value === "boolean") return dialect === "sqlite" ? String(Number(value)) : `${value}`;
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    const bytes = Buffer.from(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength);
    const digits = bytes.toString("hex");
    return dialect === "postgresql" ? `'\\x${digits}'` : `x'${digits}'`;
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "NULL" : moment(value, dialect);
  if (dialect === "postgresql" && Array.isArray(value)) return quotedText(listOf(value), dialect);
  return quotedText(typeof value === "object" ? JSON.stringify(value) : String(value), dialect);
}

/**
 * A time as the packages send it: `sqlite3` as a number of milliseconds, the others as the time of
 * this place, which PostgreSQL is told the offset of.
 *
 * @param {Date} value
 * @param {Dialect} dialect
 */
function moment(value, dialect) {
  if (dialect === "sqlite") return String(value.getTime());
  const offset = -value.getTimezoneOffset();
  const here = new Date(value.getTime() + offset * MINUTE).toISOString();
  const written = here.replace("T", " ").replace("Z", "");
  if (dialect === "mysql") return `'${written}'`;
  const [hours, minutes] = [Math.abs(offset) / 60, Math.abs(offset) % 60];
  const parts = [hours, minutes].map((part) => String(Math.trunc(part)).padStart(2, "0"));
  return `'${written}${offset < 0 ? "-" : "+"}${parts.join(":")}'`;
}

/**
 * @param {readonly unknown[]} values
 * @returns {string} an array as PostgreSQL reads it; what is no array is `NULL`, or a text
 */
function listOf(values) {
  const parts = values.map((value) => {
    if (Array.isArray(value)) return listOf(value);
    const text = literal(value, "postgresql");
    if (!text.startsWith("'")) return text;
    const plain = text.slice(1, -1).replaceAll("''", "'");
    return `"${plain.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${parts.join(",")}}`;
}

/**
 * @param {string} text
 * @param {Dialect} dialect
 */
export function quotedText(text, dialect) {
  const escaped = dialect === "mysql" ? text.replaceAll("\\", "\\\\") : text;
  return `'${escaped.replaceAll("'", "''")}'`;
}

/**
 * @param {string} name
 * @param {Dialect} dialect
 */
export function quotedName(name, dialect) {
  const quote = dialect === "mysql" ? "`" : '"';
  return quote + name.replaceAll(quote, quote + quote) + quote;
}

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
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "NULL";
    return `'${value.toISOString().replace("T", " ").replace("Z", "")}'`;
  }
  return quotedText(typeof value === "object" ? JSON.stringify(value) : String(value), dialect);
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

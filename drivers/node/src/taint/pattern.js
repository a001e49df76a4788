/** Regular expressions as the protocol writes them, which knows those of Java and no flags. */

/** What has no counterpart that engines could read: look-around and references. */
const UNSUPPORTED = /\(\?<?[=!]|\\[1-9]|\\k|\\p|\\P|\\c/;

/**
 * @param {RegExp} pattern
 * @returns {{source: string, isWhole: boolean} | undefined}
 */
export function toProtocol({ source, flags }) {
  if (UNSUPPORTED.test(source) || flags.includes("v")) return undefined;
  let text = source.replace(/\\\//g, "/").replace(/\[\^\]/g, "[\\s\\S]");
  text = text.replace(/\\u\{?([\da-f]{4})\}?/gi, "\\u$1");
  let isWhole = false;
  const inner = /^\^([\s\S]*)\$$/.exec(text)?.[1];
  if (inner !== undefined && !endsEscaped(inner) && !hasTopAlternative(inner)) {
    isWhole = !flags.includes("m");
    if (isWhole) text = inner;
  }
  const inline = ["i", "s"].filter((flag) => flags.includes(flag)).join("");
  return { source: inline ? `(?${inline})${text}` : text, isWhole };
}

/** @param {string} text */
function endsEscaped(text) {
  return /(^|[^\\])(\\\\)*\\$/.test(text);
}

/**
 * Whether an anchor at the end would bind one of several alternatives only.
 *
 * @param {string} text
 */
function hasTopAlternative(text) {
  let depth = 0;
  for (const [token] of text.matchAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[()|]/g)) {
    if (token === "(") depth += 1;
    else if (token === ")") depth -= 1;
    else if (token === "|" && depth === 0) return true;
  }
  return false;
}

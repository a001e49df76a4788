/** Lines of the original where a loader made the text from another one: TypeScript, mostly. */
import { SourceMap } from "node:module";

const COMMENT = /\/\/[#@] sourceMappingURL=data:application\/json[^,\n]*;base64,([\w+/=]+)\s*$/;
/** Longest tail in which the comment is looked for. */
const LONGEST = 1 << 22;

/**
 * @typedef {object} Original
 * @property {(line: number, column: number) => number | undefined} lineOf
 * @property {(first: number, last: number) => boolean} isAdded whether nothing in these lines of the
 *   text was in the original: what compilers write for decorators, for one
 */

/**
 * @param {string} text
 * @returns {Original | undefined} nothing for text without a map
 */
export function originalOf(text) {
  const start = text.lastIndexOf("sourceMappingURL=");
  if (start < 0 || text.length - start > LONGEST) return undefined;
  const encoded = COMMENT.exec(text.slice(Math.max(start - 4, 0)))?.[1];
  if (!encoded) return undefined;
  try {
    const payload = JSON.parse(Buffer.from(encoded, "base64").toString());
    const map = new SourceMap(payload);
    const places = placesBefore(payload.mappings);
    return {
      lineOf: (line, column) => {
        const entry = map.findEntry(line - 1, column);
        return "originalLine" in entry ? entry.originalLine + 1 : undefined;
      },
      isAdded: (first, last) => {
        const end = places[Math.min(last, places.length - 1)];
        return end === places[Math.min(first - 1, places.length - 1)];
      },
    };
  } catch {
    return undefined;
  }
}

/**
 * @param {string} mappings of a map
 * @returns {number[]} how many places of the original are in the lines of the text before each line,
 *   the first of which has number 0
 */
function placesBefore(mappings) {
  const counts = [0];
  let count = 0;
  for (const line of String(mappings).split(";")) {
    count += line ? 1 : 0;
    counts.push(count);
  }
  return counts;
}

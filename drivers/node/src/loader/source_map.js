/** Lines of the original where a loader made the text from another one: TypeScript, mostly. */
import { SourceMap } from "node:module";

const COMMENT = /\/\/[#@] sourceMappingURL=data:application\/json[^,\n]*;base64,([\w+/=]+)\s*$/;
/** Longest tail in which the comment is looked for. */
const LONGEST = 1 << 22;

/**
 * @param {string} text
 * @returns {((line: number, column: number) => number | undefined) | undefined} nothing for text
 *   without a map
 */
export function originalLines(text) {
  const start = text.lastIndexOf("sourceMappingURL=");
  if (start < 0 || text.length - start > LONGEST) return undefined;
  const encoded = COMMENT.exec(text.slice(Math.max(start - 4, 0)))?.[1];
  if (!encoded) return undefined;
  try {
    const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()));
    return (line, column) => {
      const entry = map.findEntry(line - 1, column);
      return "originalLine" in entry ? entry.originalLine + 1 : undefined;
    };
  } catch {
    return undefined;
  }
}

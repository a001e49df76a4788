/** Reads the faults of a report in JUnit's format. */

/** @typedef {{name: string, text: string}} Failure a fault, with the requests that show it */

const CASE =
  /<testcase classname="([^"]*)"[^>]*>\s*<failure message="([^"]*)"[^>]*>([\s\S]*?)<\/failure>/g;

/**
 * @param {string} xml
 * @returns {Failure[]}
 */
export function failuresOf(xml) {
  return [...xml.matchAll(CASE)].map(([, operation = "", message = "", text = ""]) => ({
    name: `${plain(operation)}: ${plain(message)}`,
    text: plain(text).trim(),
  }));
}

/** @param {string} text with entities of XML */
function plain(text) {
  /** @type {Record<string, string>} */
  const known = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return known[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16));
  });
}

/** Where code stands, as the protocol names statements, and as people read it. */
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, whose frames tell nobody anything. */
const DRIVER = fileURLToPath(new URL("..", import.meta.url));

/** Names of files of the service. */
const OWN = /^(?!\.\.|node:|.*node_modules\/)/;

/** A frame in the text of a stack. */
const FRAME = /^\s*at (?:(?:async )?(.*?) \()?(.+?):(\d+)(?::\d+)?\)?$/;

/** @typedef {{name: string, file: string, line: number}} Frame */
/** @typedef {{statement: string | null, stack: string[]}} Place */

/**
 * @param {Frame[]} frames
 * @param {string} root folder of the service
 * @returns {Place} the innermost place in the service's code, and all places for people
 */
export function placeOf(frames, root) {
  const foreign = frames.filter(({ file }) => !file.startsWith(DRIVER));
  const placed = foreign.map((frame) => ({ ...frame, file: nameOf(frame.file, root) }));
  const own = placed.find(({ file }) => OWN.test(file));
  const statement = own ? `${own.file}_${own.line}_${own.name || "module"}` : null;
  const stack = placed.map(({ name, file, line }) => `${name || "<anonymous>"} (${file}:${line})`);
  return { statement, stack };
}

/**
 * @param {Frame} frame
 * @param {string} root
 */
export function isOwn(frame, root) {
  return OWN.test(nameOf(frame.file, root));
}

/**
 * @param {string} stack as errors have it
 * @returns {Frame[]}
 */
export function framesOf(stack) {
  return stack.split("\n").flatMap((line) => {
    const [, name = "", file = "", number] = FRAME.exec(line) ?? [];
    return file ? [{ name: ownName(name), file: pathOf(file), line: Number(number) }] : [];
  });
}

/**
 * @param {string} name as stacks have it, with the receiver
 * @returns {string} that of the function
 */
function ownName(name) {
  const own = name.replace(/ \[as .*\]$/, "").replace(/^.*\.|^new /, "");
  return own === "<anonymous>" ? "" : own;
}

/** @param {string} file a path, or a URL */
function pathOf(file) {
  try {
    return file.startsWith("file:") ? fileURLToPath(file) : file;
  } catch {
    return file;
  }
}

/**
 * @param {string} file
 * @param {string} root
 */
function nameOf(file, root) {
  if (!file || file.startsWith("node:")) return file || "node:internal";
  return relative(root, file).replaceAll(sep, "/");
}

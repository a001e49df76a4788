/** Where code stands, as the protocol names statements, and as people read it. */
import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, whose frames tell nobody anything. */
const DRIVER = fileURLToPath(new URL("..", import.meta.url));

/** Names of files of the service. */
const OWN = /^(?!\.\.|node:|.*node_modules\/)/;

/** Folders of packages that somebody installed, and their files. */
const INSTALLED = /[\\/]node_modules[\\/]/;

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
  const seen = frames.filter(({ file }) => !file.startsWith(DRIVER));
  const placed = seen.map((frame) => ({ ...frame, file: nameOf(frame.file, root) }));
  const first = placed[seen.findIndex((frame) => isOwn(frame, root))];
  const statement = first ? `${first.file}_${first.line}_${first.name || "module"}` : null;
  const stack = placed.map(({ name, file, line }) => `${name || "<anonymous>"} (${file}:${line})`);
  return { statement, stack };
}

/**
 * @param {Frame} frame
 * @param {string} root
 */
export function isOwn({ file }, root) {
  if (OWN.test(nameOf(file, root))) return true;
  // A command that was installed runs what was written for it, which was not.
  return INSTALLED.test(root) && isAbsolute(file) && !INSTALLED.test(file);
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

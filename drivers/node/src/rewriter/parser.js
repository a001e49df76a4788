/** Calls of built-ins that read a text: numbers, dates, JSON, addresses. */
import { isNameable } from "./node.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/** Numbers of the built-ins, as the runtime knows them. */
export const PARSERS = new Map([
  ["parseInt", 1],
  ["Number.parseInt", 1],
  ["parseFloat", 2],
  ["Number.parseFloat", 2],
  ["Number", 3],
  ["Date.parse", 4],
  ["new Date", 5],
  ["JSON.parse", 6],
  ["BigInt", 7],
  ["new URL", 8],
]);

/**
 * @param {Node} node
 * @returns {string | undefined} the text of what is called
 */
function calleeName(node) {
  const { callee } = node;
  const prefix = node.type === "NewExpression" ? "new " : "";
  if (callee.type === "Identifier") return prefix + callee.name;
  const isMember = callee.type === "MemberExpression" && !callee.computed && !callee.optional;
  if (isMember && callee.object.type === "Identifier" && callee.property.type === "Identifier") {
    return `${prefix}${callee.object.name}.${callee.property.name}`;
  }
  return undefined;
}

/**
 * @param {Node} node a call or `new`
 * @returns {boolean}
 */
export function isParser(node) {
  if (node.optional || !node.arguments.length) return false;
  const name = calleeName(node) ?? "";
  const [first] = node.arguments;
  if (name === "new Date" && node.arguments.length > 1) return false;
  const isConstant = first.type === "Literal" || first.type === "SpreadElement";
  return PARSERS.has(name) && !isConstant && !isNameable(first);
}

/**
 * The argument is seen before the call, which may throw, and the result behind it.
 *
 * @param {Context} context
 * @param {Node} node
 */
export function parser(context, node) {
  const { marks, edits } = context;
  const name = calleeName(node) ?? "";
  const target = context.sites.parse(node.start);
  const seen = `${marks},${target},${PARSERS.get(name)},${name.replace("new ", "")},`;
  const [first, ...rest] = node.arguments;
  edits.wrap(node, `$w_p(${seen}`, ")");
  edits.wrap(first, `$w_q(${seen}`, ")");
  context.visit(first);
  context.visitAll(rest);
}

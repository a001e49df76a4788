/**
 * Calls of known methods: the original text makes the call, and a helper sees receiver, argument
 * and result.
 */
import { isInChain, isNameable, isSimple, propertyName } from "./node.js";
import { keep } from "./operand.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/** Methods whose result says yes or no, by their number in the runtime. */
export const PREDICATES = new Map([
  ["startsWith", 1],
  ["endsWith", 2],
  ["includes", 3],
  ["has", 4],
  ["hasOwnProperty", 5],
  ["test", 6],
  ["exec", 7],
  ["match", 8],
  ["search", 9],
  ["indexOf", 10],
  ["lastIndexOf", 10],
]);

/** Methods whose argument is only looked at. */
export const LOOK_UPS = new Map([
  ["get", 20],
  ["split", 21],
  ["replace", 22],
  ["replaceAll", 22],
  ["matchAll", 23],
  ["localeCompare", 24],
]);

/**
 * @param {Context} context
 * @param {Node} node
 * @param {Map<string, number>} methods
 * @returns {number | undefined} the number of the method that is called, if it can be seen
 */
function known(context, node, methods) {
  if (node.type !== "CallExpression" || node.optional || !context.frame.hasTemporaries) {
    return undefined;
  }
  const { callee } = node;
  const method = methods.get(propertyName(callee) ?? "");
  const first = node.arguments[0];
  const isSeen =
    method !== undefined &&
    !callee.optional &&
    callee.object.type !== "Super" &&
    !isInChain(callee.object) &&
    !isNameable(callee.object) &&
    first &&
    first.type !== "SpreadElement" &&
    !isNameable(first);
  if (!isSeen) return undefined;
  // Of other receivers `get` and `has` mean something else, mostly with more arguments.
  if ((method === 20 || method === 4) && node.arguments.length > 1) return undefined;
  return method;
}

/**
 * @param {Context} context
 * @param {Node} node
 * @returns {boolean}
 */
export function isPredicateCall(context, node) {
  return known(context, node, PREDICATES) !== undefined;
}

/**
 * @param {Context} context
 * @param {Node} node
 * @returns {boolean}
 */
export function isLookUp(context, node) {
  return known(context, node, LOOK_UPS) !== undefined;
}

/**
 * @param {Context} context
 * @param {Node} node
 */
export function predicateCall(context, node) {
  const target = context.sites.branch(node.start);
  observed(context, node, `$w_m(${context.marks},${target},${known(context, node, PREDICATES)},`);
}

/**
 * @param {Context} context
 * @param {Node} node
 */
export function lookUp(context, node) {
  observed(context, node, `$w_l(${known(context, node, LOOK_UPS)},`);
}

/**
 * @param {Node} node
 * @returns {string | undefined} `a.b(...).c`, as messages of the language show it
 */
function pathOf(node) {
  if (node.type === "Identifier") return node.name;
  if (node.type === "ThisExpression") return "this";
  if (node.type === "CallExpression" && !node.optional) {
    const called = pathOf(node.callee);
    return called && `${called}(...)`;
  }
  const name = propertyName(node);
  const before = name === undefined ? undefined : pathOf(node.object);
  return before === undefined ? undefined : `${before}.${name}`;
}

/**
 * @param {Context} context
 * @param {Node} node
 * @param {string} opening
 */
function observed(context, node, opening) {
  const { edits } = context;
  edits.before(node.start, opening);
  const closing = edits.after(node.end, "");
  const [first, ...rest] = node.arguments;
  const { object, property } = node.callee;
  const text = isSimple(object) ? undefined : pathOf(object);
  if (text) {
    // Without its own text, the message of a call that fails would be another one.
    const values = JSON.stringify([property.name, `${text}.${property.name}`]).slice(1, -1);
    edits.wrap(first, `$w_h($w_${context.frame.depth + 1},${values},`, ")");
  }
  const operands = [{ node: object }, { node: first, isArgument: true }];
  keep(context, operands, ([receiver, argument]) => {
    context.visitAll(rest);
    closing.text = `,${receiver},${argument})`;
  });
}

/**
 * Questions about nodes of the syntax tree.
 *
 * @typedef {any} Node a node as acorn gives it, ESTree with `start` and `end`
 */

/** Names that cannot be read twice, or mean something else in a helper's arguments. */
const SPECIAL = new Set(["arguments", "eval"]);

/**
 * Whether the text of an expression may be repeated in place of its value: it has no effect and
 * costs nothing.
 *
 * @param {Node} node
 * @returns {boolean}
 */
export function isSimple(node) {
  if (node.type === "Identifier") return !SPECIAL.has(node.name);
  if (node.type === "ThisExpression") return true;
  if (node.type === "Literal") return !node.regex && !/[\r\n\u2028\u2029]/.test(node.raw);
  return node.type === "UnaryExpression" && node.operator === "-" && isNumber(node.argument);
}

/** @param {Node} node */
function isNumber(node) {
  return node.type === "Literal" && typeof node.value === "number";
}

/**
 * Whether an expression would be named after the variable it is stored in.
 *
 * @param {Node} node
 * @returns {boolean}
 */
export function isNameable(node) {
  if (node.type === "ParenthesizedExpression") return isNameable(node.expression);
  return /^(FunctionExpression|ArrowFunctionExpression|ClassExpression)$/.test(node.type);
}

/**
 * Whether an expression holds the `?.` of a chain that goes on behind it.
 *
 * @param {Node} node
 * @returns {boolean}
 */
export function isInChain(node) {
  for (let link = node; ;) {
    if (link.type === "MemberExpression") {
      if (link.optional) return true;
      link = link.object;
    } else if (link.type === "CallExpression") {
      if (link.optional) return true;
      link = link.callee;
    } else {
      return false;
    }
  }
}

/**
 * @param {Node} node
 * @returns {Node} the expression without the parentheses round it
 */
export function unwrapped(node) {
  return node.type === "ParenthesizedExpression" ? unwrapped(node.expression) : node;
}

/**
 * @param {Node} node
 * @returns {string | undefined} the name of a property that is not computed
 */
export function propertyName(node) {
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  return node.property.type === "Identifier" ? node.property.name : undefined;
}

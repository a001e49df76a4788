/** Comparisons: the operator stays in the text, and a helper sees what it compared. */
import { visitors } from "./context.js";
import { isNameable } from "./node.js";
import { keep } from "./operand.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/** Numbers of the operators, as the runtime knows them. */
export const OPERATORS = Object.freeze({
  "==": 0,
  "===": 1,
  "!=": 2,
  "!==": 3,
  "<": 4,
  "<=": 5,
  ">": 6,
  ">=": 7,
  in: 8,
  instanceof: 9,
});

/** Added to the operator where the operands say nothing about the way, as of `typeof`. */
export const WITHOUT_DISTANCE = 16;

/** @param {Node} node */
export function isComparison(node) {
  return node.type === "BinaryExpression" && Object.hasOwn(OPERATORS, node.operator);
}

/** @param {Node} node */
function isTypeof(node) {
  return node.type === "UnaryExpression" && node.operator === "typeof";
}

/**
 * @param {Context} context
 * @param {Node} node
 */
export function comparison(context, node) {
  const { left, right } = node;
  const isPlain = left.type === "PrivateIdentifier" || isNameable(left) || isNameable(right);
  if (isPlain) {
    context.visit(left);
    context.visit(right);
    return;
  }
  const target = context.sites.branch(node.start);
  const operator =
    OPERATORS[/** @type {keyof typeof OPERATORS} */ (node.operator)] +
    (isTypeof(left) || isTypeof(right) ? WITHOUT_DISTANCE : 0);
  if (context.frame.hasTemporaries) {
    atTheSite(context, node, target, operator);
  } else {
    inTheHelper(context, node, target, operator);
  }
}

/**
 * @param {Context} context
 * @param {Node} node
 * @param {number} target
 * @param {number} operator
 */
function atTheSite(context, node, target, operator) {
  const { marks } = context;
  context.edits.before(node.start, "(");
  // Placed now, outside of the operands; written when they are known.
  const closing = context.edits.after(node.end, "");
  const operands = [{ node: node.left }, { node: node.right }];
  keep(context, operands, ([left, right]) => {
    const seen = `(${marks},${target},${operator},${left},${right})`;
    closing.text =
      `?(${marks}[${target}]||$w_c${seen},true)` + `:(${marks}[${target + 1}]||$w_d${seen},false))`;
  });
}

/**
 * Where no variable can be declared the helper compares, too.
 *
 * @param {Context} context
 * @param {Node} node
 * @param {number} target
 * @param {number} operator
 */
function inTheHelper(context, node, target, operator) {
  context.edits.wrap(node, `$w_e(${context.marks},${target},${operator},`, ")");
  context.visit(node.left);
  const start = operatorStart(context.text, node.left.end);
  context.edits.replace(start, start + node.operator.length, ",");
  context.visit(node.right);
}

/**
 * @param {string} text
 * @param {number} from end of the left operand
 * @returns {number} where the operator starts, behind space and comments
 */
function operatorStart(text, from) {
  const gap = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\r\n\u2028\u2029]*)*/y;
  gap.lastIndex = from;
  gap.exec(text);
  return gap.lastIndex;
}

visitors.BinaryExpression = (context, node) => {
  if (isComparison(node)) {
    comparison(context, node);
    return;
  }
  if (node.left.type !== "PrivateIdentifier") context.visit(node.left);
  context.visit(node.right);
};

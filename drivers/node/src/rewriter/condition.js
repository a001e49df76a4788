/**
 * Conditions: only the leaves that decide are looked at, and none of them moves into a closure.
 */
import { visitors } from "./context.js";
import { comparison, isComparison } from "./comparison.js";
import { isPredicateCall, predicateCall } from "./method.js";
import { isNameable, isSimple, unwrapped } from "./node.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/**
 * Visits an expression of which only the truth counts.
 *
 * @param {Context} context
 * @param {Node | null | undefined} node
 */
export function test(context, node) {
  if (!node) return;
  switch (node.type) {
    case "ParenthesizedExpression":
      test(context, node.expression);
      return;
    case "SequenceExpression":
      context.visitAll(node.expressions.slice(0, -1));
      test(context, node.expressions.at(-1));
      return;
    case "ConditionalExpression":
      test(context, node.test);
      test(context, node.consequent);
      test(context, node.alternate);
      return;
    case "Literal":
      return;
    default:
      if (isBoolean(context, node)) decideBoolean(context, node);
      else if (node.type === "LogicalExpression" && node.operator !== "??") both(context, node);
      else truth(context, node);
  }
}

/**
 * @param {Context} context
 * @param {Node} node
 */
function both(context, node) {
  test(context, node.left);
  test(context, node.right);
}

/**
 * Whether the outcome of an expression is seen by what it is.
 *
 * @param {Context} context
 * @param {Node} node
 */
function isBoolean(context, node) {
  const isNegation = node.type === "UnaryExpression" && node.operator === "!";
  return isNegation || isComparison(node) || isPredicateCall(context, node);
}

/**
 * @param {Context} context
 * @param {Node} node
 */
function decideBoolean(context, node) {
  if (isComparison(node)) comparison(context, node);
  else if (node.type === "UnaryExpression") test(context, node.argument);
  else predicateCall(context, node);
}

/**
 * The truth of any value, where nothing else of it counts.
 *
 * @param {Context} context
 * @param {Node} node
 */
function truth(context, node) {
  if (isNameable(node)) {
    context.visit(node);
    return;
  }
  const { marks, edits } = context;
  const target = context.sites.branch(node.start);
  if (!context.frame.hasTemporaries) {
    edits.wrap(node, `$w_b(${marks},${target},`, ")");
    context.visit(node);
    return;
  }
  const name = isSimple(node) ? context.textOf(node) : context.withTemporary((name) => name);
  edits.before(node.start, isSimple(node) ? "(" : `((${name}=`);
  const [whenTrue, whenFalse] = sides(marks, target, name);
  edits.after(node.end, `${isSimple(node) ? "" : ")"}?(${whenTrue},true):(${whenFalse},false))`);
  context.visit(node);
}

/**
 * What is done on either side of a value: nothing more, once the side is settled.
 *
 * @param {string} marks
 * @param {number} target
 * @param {string} value
 */
function sides(marks, target, value) {
  const seen = `(${marks},${target},${value})`;
  return [`${marks}[${target}]||$w_f${seen}`, `${marks}[${target + 1}]||$w_g${seen}`];
}

/**
 * Visits an operand that decides whether the next one is evaluated, and whose value counts.
 *
 * @param {Context} context
 * @param {Node} node
 */
export function deciding(context, node) {
  const inner = unwrapped(node);
  if (inner.type === "LogicalExpression" && inner.operator !== "??") {
    deciding(context, inner.left);
    deciding(context, inner.right);
  } else if (isBoolean(context, inner)) {
    decideBoolean(context, inner);
  } else if (isNameable(inner) || inner.type === "Literal") {
    context.visit(node);
  } else {
    truthOfValue(context, node);
  }
}

/**
 * @param {Context} context
 * @param {Node} node
 */
function truthOfValue(context, node) {
  const { marks, edits } = context;
  const target = context.sites.branch(node.start);
  if (!context.frame.hasTemporaries) {
    edits.wrap(node, `$w_b(${marks},${target},`, ")");
  } else {
    const name = context.withTemporary((name) => name);
    const [whenTrue, whenFalse] = sides(marks, target, name);
    edits.wrap(node, `((${name}=`, `)?${whenTrue}:${whenFalse},${name})`);
  }
  context.visit(node);
}

visitors.LogicalExpression = (context, node) => {
  if (node.operator === "??") nullish(context, node.left);
  else deciding(context, node.left);
  context.visit(node.right);
};

visitors.ConditionalExpression = (context, node) => {
  test(context, node.test);
  context.visit(node.consequent);
  context.visit(node.alternate);
};

visitors.UnaryExpression = (context, node) => {
  const { argument } = node;
  if (node.operator === "!") {
    test(context, argument);
  } else if (node.operator === "delete") {
    removed(context, unwrapped(argument));
  } else if (node.operator === "+" && argument.type !== "Literal") {
    context.edits.wrap(argument, "$w_u(", ")");
    context.visit(argument);
  } else {
    context.visit(argument);
  }
};

/**
 * What `delete` removes must stay a reference: only its parts are visited.
 *
 * @param {Context} context
 * @param {Node} node
 */
function removed(context, node) {
  if (node.type === "ChainExpression") {
    removed(context, node.expression);
  } else if (node.type === "MemberExpression") {
    context.visit(node.object);
    if (node.computed) context.visit(node.property);
  }
}

/**
 * Whether a value is there: the left operand of `??`, or what stands before `?.`.
 *
 * @param {Context} context
 * @param {Node} node
 */
export function nullish(context, node) {
  const { marks, edits } = context;
  const target = context.sites.branch(node.start);
  edits.wrap(node, `$w_n(${marks},${target},`, ")");
  context.visit(node);
}

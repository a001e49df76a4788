/** Calls, members and chains. */
import { visitors } from "./context.js";
import { nullish } from "./condition.js";
import { isLookUp, isPredicateCall, lookUp, predicateCall } from "./method.js";
import { isInChain, isNameable, isSimple, unwrapped } from "./node.js";
import { isParser, parser } from "./parser.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

visitors.CallExpression = (context, node) => {
  if (isPredicateCall(context, node)) {
    predicateCall(context, node);
  } else if (isLookUp(context, node)) {
    lookUp(context, node);
  } else if (isParser(node)) {
    parser(context, node);
  } else {
    plainCall(context, node);
  }
};

/**
 * @param {Context} context
 * @param {Node} node
 */
function plainCall(context, node) {
  const { callee } = node;
  const isOptionalFunction = node.optional && callee.type === "Identifier";
  if (isOptionalFunction && callee.name !== "eval") nullish(context, callee);
  else reference(context, callee);
  context.visitAll(node.arguments);
}

/**
 * Visits what is called, which must stay a reference: it says what `this` is.
 *
 * @param {Context} context
 * @param {Node} node
 */
function reference(context, node) {
  if (node.type === "ParenthesizedExpression") reference(context, node.expression);
  else if (node.type === "ChainExpression") reference(context, node.expression);
  else if (node.type === "MemberExpression") member(context, node, true);
  else context.visit(node);
}

/**
 * @param {Context} context
 * @param {Node} node
 * @param {boolean} isCalled
 */
function member(context, node, isCalled) {
  const { object } = node;
  if (object.type === "Super") {
    if (node.computed) context.visit(node.property);
    return;
  }
  // The text of the object shows in the message of a call that fails.
  if (node.optional && !isCalled) nullish(context, object);
  else if (isKey(node)) return computed(context, node);
  else context.visit(object);
  if (node.computed) context.visit(node.property);
}

/** @param {Node} node */
function isKey(node) {
  const { object, property } = node;
  const isSeen = node.computed && !node.optional && !isInChain(object) && !isNameable(object);
  return isSeen && isSimple(object) && !isNumeric(unwrapped(property));
}

/**
 * Whether a key is a position, as far as its text tells: seeing those costs time in loops.
 *
 * @param {Node} node
 */
function isNumeric(node) {
  if (node.type === "Literal") return true;
  if (node.type === "Identifier")
    return /^(i|j|k|n|index|idx|pos|position|offset)$/.test(node.name);
  if (node.type === "BinaryExpression") return node.operator !== "+" || hasNumber(node);
  return node.type === "UpdateExpression" || node.type === "UnaryExpression";
}

/** @param {Node} node */
function hasNumber(node) {
  return [node.left, node.right].some((side) => typeof side.value === "number");
}

/**
 * @param {Context} context
 * @param {Node} node
 */
function computed(context, node) {
  const { object, property } = node;
  const isSequence = property.type === "SequenceExpression";
  const [open, close] = isSequence ? ["(", "))"] : ["", ")"];
  context.edits.wrap(property, `$w_k(${context.textOf(object)},${open}`, close);
  context.visit(property);
}

visitors.MemberExpression = (context, node) => member(context, node, false);

visitors.ChainExpression = (context, node) => {
  const base = calledBase(node.expression);
  if (base) {
    const { marks, sites, edits } = context;
    const target = sites.branch(node.start);
    edits.wrap(node, `($w_n(${marks},${target},${context.textOf(base)}),`, ")");
  }
  context.visit(node.expression);
};

/**
 * @param {Node} node
 * @returns {Node | undefined} `a` of `a?.b()`: seen before the chain, so that messages stay
 */
function calledBase(node) {
  let link = node;
  while (link.type === "MemberExpression" || link.type === "CallExpression") {
    const isCall = link.type === "CallExpression";
    const next = isCall ? link.callee : link.object;
    if (isCall && next.type === "MemberExpression" && next.optional) {
      if (isSimple(next.object) && next.object.type !== "Literal") return next.object;
    }
    link = next;
  }
  return undefined;
}

visitors.NewExpression = (context, node) => {
  if (isParser(node)) {
    parser(context, node);
    return;
  }
  constructed(context, node.callee);
  context.visitAll(node.arguments);
};

/**
 * Visits the class of `new`, where a call of ours would end the expression.
 *
 * @param {Context} context
 * @param {Node} node
 */
function constructed(context, node) {
  if (node.type === "MemberExpression") {
    constructed(context, node.object);
    if (node.computed) context.visit(node.property);
  } else if (node.type !== "CallExpression" && node.type !== "ChainExpression") {
    context.visit(node);
  }
}

visitors.TaggedTemplateExpression = (context, node) => {
  if (node.tag.type === "MemberExpression") reference(context, node.tag);
  context.visitAll(node.quasi.expressions);
};

visitors.ImportExpression = (context, node) => {
  context.visit(node.source);
  context.visit(node.options);
};

/**
 * Visits a value, and sees whether the call that gives it returned.
 *
 * @param {Context} context
 * @param {Node | null | undefined} node
 */
export function outcome(context, node) {
  if (!node) return;
  const call = node.type === "AwaitExpression" ? node.argument : node;
  const isSeen =
    call.type === "CallExpression" &&
    call.callee.type !== "Super" &&
    call.callee.name !== "require" &&
    !isPredicateCall(context, call) &&
    !isLookUp(context, call) &&
    !isParser(call);
  if (isSeen) {
    const target = context.sites.call(node.start);
    context.edits.wrap(node, `$w_r(${context.marks},${target},`, ")");
  }
  context.visit(node);
}

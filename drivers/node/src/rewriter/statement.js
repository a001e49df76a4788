/** Statements: a mark before the first one of each line. */
import { visitors } from "./context.js";
import { outcome } from "./call.js";
import { test } from "./condition.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/** Before these nothing is executed, or nothing may stand. */
const UNMARKED =
  /^(FunctionDeclaration|ImportDeclaration|ExportAllDeclaration|EmptyStatement|BlockStatement)$/;

/**
 * Visits the statements of a body, a block or a case.
 *
 * @param {Context} context
 * @param {Node[]} nodes
 */
export function statements(context, nodes) {
  for (const node of nodes) {
    if (node.directive === undefined) marked(context, node);
  }
}

/**
 * @param {Context} context
 * @param {Node} node
 */
function marked(context, node) {
  // Nobody wrote it: it belongs to a loader that made the text.
  const { lineOf, isAdded } = context.sites;
  if (isAdded(node.start, node.end)) return;
  if (lineOf(node.start) === 0 && lineOf(node.end - 1) === 0) return;
  if (!UNMARKED.test(node.type) && !isDeclared(node)) {
    const target = context.sites.line(node.start);
    if (target !== undefined) context.edits.before(node.start, `${context.marks}[${target}]=1;`);
    // What we put in front must not continue a statement that ends without a semicolon.
    else if (node.type === "ExpressionStatement") context.edits.before(node.start, ";");
  }
  context.visit(node);
}

/**
 * Exports of what is declared, which the engine hoists.
 *
 * @param {Node} node
 */
function isDeclared(node) {
  if (node.type === "ExportNamedDeclaration") {
    return !node.declaration || node.declaration.type === "FunctionDeclaration";
  }
  return (
    node.type === "ExportDefaultDeclaration" && node.declaration.type === "FunctionDeclaration"
  );
}

/**
 * Visits the body of `if`, `else` or a loop, which gets braces where it has none.
 *
 * @param {Context} context
 * @param {Node | null | undefined} node
 */
export function body(context, node) {
  if (!node) return;
  if (node.type === "BlockStatement" || node.type === "FunctionDeclaration") {
    context.visit(node);
  } else {
    context.edits.wrap(node, "{", "}");
    statements(context, [node]);
  }
}

visitors.Program = (context, node) => statements(context, node.body);
visitors.BlockStatement = (context, node) => statements(context, node.body);
visitors.LabeledStatement = (context, node) => {
  // A loop must stand right behind its label.
  if (/^(For|While|DoWhile|Block|Labeled)/.test(node.body.type)) context.visit(node.body);
  else body(context, node.body);
};

visitors.ExpressionStatement = (context, node) => outcome(context, node.expression);
visitors.ReturnStatement = (context, node) => outcome(context, node.argument);

visitors.VariableDeclaration = (context, node) => {
  for (const declarator of node.declarations) {
    context.visit(declarator.id);
    outcome(context, declarator.init);
  }
};

visitors.IfStatement = (context, node) => {
  test(context, node.test);
  body(context, node.consequent);
  body(context, node.alternate);
};

visitors.WhileStatement = (context, node) => {
  test(context, node.test);
  body(context, node.body);
};

visitors.DoWhileStatement = (context, node) => {
  body(context, node.body);
  test(context, node.test);
};

visitors.ForStatement = (context, node) => {
  context.visit(node.init);
  test(context, node.test);
  context.visit(node.update);
  body(context, node.body);
};

/** @type {import("./context.js").Visitor} */
function forEach(context, node) {
  context.visit(node.left);
  context.visit(node.right);
  body(context, node.body);
}
visitors.ForInStatement = forEach;
visitors.ForOfStatement = forEach;

visitors.ThrowStatement = (context, node) => {
  const line = context.sites.lineOf(node.start);
  const name = JSON.stringify(context.frame.name);
  const { argument } = node;
  const isSequence = argument.type === "SequenceExpression";
  const [open, close] = isSequence ? ["(", "))"] : ["", ")"];
  context.edits.wrap(argument, `$w_t(${context.marks},${line},${name},${open}`, close);
  context.visit(argument);
};

visitors.TryStatement = (context, node) => {
  context.visit(node.block);
  if (node.handler) {
    context.visit(node.handler.param);
    context.visit(node.handler.body);
  }
  context.visit(node.finalizer);
};

visitors.ExportNamedDeclaration = (context, node) => context.visit(node.declaration);
visitors.ExportDefaultDeclaration = (context, node) => context.visit(node.declaration);

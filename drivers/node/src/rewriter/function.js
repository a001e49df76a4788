/** Functions and classes. */
import { visitors } from "./context.js";
import { statements } from "./statement.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/**
 * Visits a function. Its parameters have a scope of their own, where nothing can be declared.
 *
 * @param {Context} context
 * @param {Node} node
 * @param {string} name
 */
function callable(context, node, name) {
  context.inFrame(name, false, () => context.visitAll(node.params));
  if (node.body.type === "BlockStatement") block(context, node.body, name);
  else expressionBody(context, node.body, name);
}

/**
 * @param {Context} context
 * @param {Node} node
 * @param {string} name
 */
function block(context, node, name) {
  const directives = node.body.filter((/** @type {Node} */ one) => one.directive !== undefined);
  const last = directives.at(-1);
  // Reserved now, in front of what is put before the first statement.
  const place = last ? context.edits.after(last.end, "") : context.edits.before(node.start + 1, "");
  const declaration = context.inFrame(name, true, () => statements(context, node.body));
  place.text = declaration && (last ? `;${declaration}` : declaration);
}

/**
 * `=> value` becomes `=> { return (value) }`, so that it can have variables and a mark.
 *
 * @param {Context} context
 * @param {Node} node
 * @param {string} name
 */
function expressionBody(context, node, name) {
  const { edits } = context;
  const opening = edits.before(node.start, "");
  edits.after(node.end, ")}");
  const target = context.sites.line(node.start);
  const mark = target === undefined ? "" : `${context.marks}[${target}]=1;`;
  const declaration = context.inFrame(name, true, () => context.visit(node));
  opening.text = `{${declaration}${mark}return(`;
}

/** @type {import("./context.js").Visitor} */
function named(context, node) {
  callable(context, node, node.id?.name ?? context.frame.name);
}
visitors.FunctionDeclaration = named;
visitors.FunctionExpression = named;
visitors.ArrowFunctionExpression = named;

visitors.ClassDeclaration = (context, node) => {
  context.visit(node.superClass);
  context.visit(node.body);
};
visitors.ClassExpression = visitors.ClassDeclaration;
visitors.ClassBody = (context, node) => context.visitAll(node.body);

/**
 * Visits a member of a class or of an object whose value may be a function with its name.
 *
 * @param {Context} context
 * @param {Node} node
 * @param {boolean} isField
 */
function property(context, node, isField) {
  if (node.computed) context.visit(node.key);
  if (!node.value) return;
  const name = node.key.name ?? String(node.key.value ?? context.frame.name);
  if (node.value.type === "FunctionExpression") callable(context, node.value, name);
  else if (isField) context.inFrame(name, false, () => context.visit(node.value));
  else context.visit(node.value);
}

visitors.MethodDefinition = (context, node) => property(context, node, false);
visitors.PropertyDefinition = (context, node) => property(context, node, true);
visitors.Property = (context, node) => {
  if (!node.shorthand || node.value.type === "AssignmentPattern") property(context, node, false);
};

visitors.StaticBlock = (context, node) => {
  const place = context.edits.before(context.text.indexOf("{", node.start) + 1, "");
  place.text = context.inFrame("static", true, () => statements(context, node.body));
};

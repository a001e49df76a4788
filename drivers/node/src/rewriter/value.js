/** Other expressions, and patterns: they only lead to what is looked at. */
import { visitors } from "./context.js";
import { outcome } from "./call.js";

visitors.ParenthesizedExpression = (context, node) => context.visit(node.expression);
visitors.SequenceExpression = (context, node) => context.visitAll(node.expressions);
visitors.AwaitExpression = (context, node) => context.visit(node.argument);
visitors.YieldExpression = (context, node) => context.visit(node.argument);
visitors.SpreadElement = (context, node) => context.visit(node.argument);
visitors.RestElement = (context, node) => context.visit(node.argument);
visitors.TemplateLiteral = (context, node) => context.visitAll(node.expressions);
visitors.ArrayExpression = (context, node) => context.visitAll(node.elements);
visitors.ArrayPattern = (context, node) => context.visitAll(node.elements);
visitors.ObjectExpression = (context, node) => context.visitAll(node.properties);
visitors.ObjectPattern = (context, node) => context.visitAll(node.properties);
visitors.UpdateExpression = (context, node) => assigned(context, node.argument);

visitors.AssignmentExpression = (context, node) => {
  assigned(context, node.left);
  outcome(context, node.right);
};

/** The left side stays a target: of a pattern only defaults and keys are visited. */
visitors.AssignmentPattern = (context, node) => {
  assigned(context, node.left);
  context.visit(node.right);
};

/** @type {import("./context.js").Visitor} */
function assigned(context, node) {
  if (node.type === "ParenthesizedExpression") {
    assigned(context, node.expression);
  } else if (node.type === "MemberExpression") {
    context.visit(node.object);
    if (node.computed) context.visit(node.property);
  } else if (node.type !== "Identifier") {
    context.visit(node);
  }
}

// Our names would be looked up in the object of `with`.
visitors.WithStatement = (context, node) => context.visit(node.object);

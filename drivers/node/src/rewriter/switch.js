/** `switch`: the value is seen once, and knows which arm it takes where the arms are literals. */
import { visitors } from "./context.js";
import { statements } from "./statement.js";

/**
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */

/**
 * @param {Node | null} test
 * @returns {string | number | boolean | null} the literal of a case; `null` where it is none
 */
function literal(test) {
  if (test?.type === "Literal" && /^(string|number|boolean)$/.test(typeof test.value)) {
    return test.value;
  }
  const isNegative = test?.type === "UnaryExpression" && test.operator === "-";
  if (isNegative && typeof test.argument.value === "number") return -test.argument.value;
  return null;
}

visitors.SwitchStatement = (context, node) => {
  const { edits, marks } = context;
  const tests = node.cases.filter((/** @type {Node} */ one) => one.test);
  const literals = tests.map((/** @type {Node} */ one) => literal(one.test));
  const target = context.sites.arms(node.start, literals);
  const isSequence = node.discriminant.type === "SequenceExpression";
  const [open, close] = isSequence ? ["(", "))"] : ["", ")"];
  edits.wrap(node.discriminant, `$w_s(${marks},${target},${open}`, close);
  context.visit(node.discriminant);
  const isKnown = literals.every((/** @type {unknown} */ one) => one !== null);
  for (const one of node.cases) {
    context.visit(one.test);
    if (!isKnown) markArm(context, one, target + (one.test ? tests.indexOf(one) : tests.length));
    statements(context, one.consequent);
  }
};

/**
 * An arm that is only known when it runs.
 *
 * @param {Context} context
 * @param {Node} node
 * @param {number} target
 */
function markArm(context, node, target) {
  const { marks, edits, text } = context;
  const mark = `${marks}[${target}]||$w_a(${marks},${target});`;
  const [first] = node.consequent;
  if (first) {
    edits.before(first.start, mark);
  } else {
    const colon = text.indexOf(":", node.test ? node.test.end : node.start);
    if (colon + 1 === node.end) edits.after(node.end, mark);
  }
}

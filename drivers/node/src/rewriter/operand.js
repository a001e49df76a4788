/**
 * Operands that a helper sees after the original code used them.
 *
 * @typedef {import("./node.js").Node} Node
 * @typedef {import("./context.js").Context} Context
 */
import { isSimple } from "./node.js";

/**
 * Visits operands in their order and keeps each of them: what is simple is repeated, the rest goes
 * through a variable. `finish` is told how to write the values; while it runs they are safe.
 *
 * @param {Context} context
 * @param {{node: Node, isArgument?: boolean, visit?: () => void}[]} operands
 * @param {(values: string[]) => void} finish
 * @param {string[]} [values]
 */
export function keep(context, operands, finish, values = []) {
  const [operand, ...rest] = operands;
  if (!operand) {
    finish(values);
    return;
  }
  const { node } = operand;
  if (isSimple(node)) {
    keep(context, rest, finish, [...values, context.textOf(node)]);
    return;
  }
  // The variable of this operand may serve inside of it: it is written last.
  const name = `$w_${context.frame.depth + 1}`;
  if (operand.isArgument) context.edits.before(node.start, `${name}=`);
  else context.edits.wrap(node, `(${name}=`, ")");
  (operand.visit ?? (() => context.visit(node)))();
  context.withTemporary(() => keep(context, rest, finish, [...values, name]));
}

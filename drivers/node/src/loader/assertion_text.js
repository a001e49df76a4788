/**
 * `assert(a < b)` without a message: Node takes the message from the text of the call, in which the
 * written one takes the place of ours before the error is made.
 */
import { writtenText } from "./function_text.js";

const GENERATED = /^(The expression evaluated to a falsy value:\n\n {2})([^]*)(\n)$/;

let isWatched = false;

/** Sees to the class of those errors, once somebody loads it. */
export function watchAssertions() {
  if (isWatched) return;
  isWatched = true;
  const { AssertionError } = process.getBuiltinModule("assert");
  // Who calls `super` asks for the class above at that moment.
  const above = new Proxy(Object.getPrototypeOf(AssertionError), {
    construct: (target, [message, ...rest], made) =>
      Reflect.construct(target, [mended(message), ...rest], made),
  });
  Object.setPrototypeOf(AssertionError, above);
}

/** @param {unknown} message */
function mended(message) {
  const [, start, shown, end] = (typeof message === "string" && GENERATED.exec(message)) || [];
  const written = shown && writtenText(shown);
  return written ? start + written + end : message;
}

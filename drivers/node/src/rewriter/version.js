/** Changes with every change of the text that the rewriter writes: older text is not reused. */
export const VERSION = "6";

/** Text that rewritten modules end with, so that nobody rewrites them again. */
export const MARKER = "//# wallace";

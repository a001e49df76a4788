/** Ties the work of a request to the action of the engine that made it. */
import http from "node:http";
import https from "node:https";
import { ACTION, OPEN_REQUESTS, TEST } from "../runtime/memory.js";
import { memory, origin } from "../runtime/recording.js";

/**
 * Wraps the servers' `emit`: every request starts with `before`, runs as work of the current
 * action, and counts as open until its answer is out.
 *
 * @param {() => void} before
 */
export function watchRequests(before) {
  for (const prototype of [http.Server.prototype, https.Server.prototype]) {
    /** @type {Function} */
    const emit = prototype.emit;
    /** @type {(this: any, event: any, ...values: any[]) => boolean} */
    const watched = function (event, ...values) {
      if (event !== "request") return emit.call(this, event, ...values);
      before();
      const { control } = memory;
      const call = { test: control[TEST] ?? 0, action: control[ACTION] ?? -1 };
      Atomics.add(control, OPEN_REQUESTS, 1);
      values[1].once("close", () => Atomics.sub(control, OPEN_REQUESTS, 1));
      return origin.run(call, () => emit.call(this, event, ...values));
    };
    Object.defineProperty(watched, "name", { value: "emit" });
    prototype.emit = watched;
  }
}

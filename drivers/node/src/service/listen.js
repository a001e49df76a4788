/** Finds out where the service listens, by watching servers. */
import net from "node:net";
import { clearInterval, setInterval } from "../time.js";

/** Time between two turns of a process that waits, in milliseconds. */
const LONG = 1 << 30;

/**
 * Watches servers. In a spare process they do not listen before they are let.
 *
 * @param {(server: net.Server) => void} tell hears of each server once it listens
 * @param {(() => void) | undefined} hold hears that a server would listen, where it is to wait
 * @returns {() => void} lets the servers listen that wait, and all others
 */
export function watchListening(tell, hold) {
  const { listen } = net.Server.prototype;
  /** @type {(() => void)[]} */
  const held = [];
  let isHolding = hold !== undefined;
  /** @type {NodeJS.Timeout | undefined} */
  let life;
  /** @type {(this: any, ...values: any[]) => any} */
  const watched = function (...values) {
    const server = /** @type {net.Server} */ (this);
    const begin = () => {
      server.prependOnceListener("listening", () => tell(server));
      listen.apply(server, /** @type {any} */ (values));
    };
    // Pipes are between the parts of a command.
    if (isHolding && !isPipe(values[0])) {
      held.push(begin);
      // A process with nothing to wait for ends.
      life ??= setInterval(() => {}, LONG);
      hold?.();
    } else {
      begin();
    }
    return server;
  };
  Object.defineProperty(watched, "name", { value: "listen" });
  net.Server.prototype.listen = watched;
  return () => {
    isHolding = false;
    clearInterval(life);
    for (const begin of held.splice(0)) begin();
  };
}

/** @param {any} place first argument of `listen` */
function isPipe(place) {
  const path = typeof place === "object" && place ? place.path : place;
  return typeof path === "string" && !/^\d+$/.test(path);
}

/**
 * @param {net.Server} server that listens
 * @returns {string | undefined} its base URL; nothing for pipes
 */
export function baseUrlOf(server) {
  const address = server.address();
  if (!address || typeof address === "string") return undefined;
  const isSecure = "setSecureContext" in server;
  const isAny = /^(::|0\.0\.0\.0|::1|127\..*)$/.test(address.address);
  const host = isAny ? "localhost" : address.address;
  return `${isSecure ? "https" : "http"}://${host}:${address.port}`;
}

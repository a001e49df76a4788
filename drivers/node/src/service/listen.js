/** Finds out where the service listens, by watching servers. */
import net from "node:net";

/**
 * @param {(server: net.Server) => void} tell hears of each server once it listens
 */
export function watchListening(tell) {
  const { listen } = net.Server.prototype;
  /** @type {(this: any, ...values: any[]) => any} */
  const watched = function (...values) {
    const server = /** @type {net.Server} */ (this);
    server.prependOnceListener("listening", () => tell(server));
    return listen.apply(server, /** @type {any} */ (values));
  };
  Object.defineProperty(watched, "name", { value: "listen" });
  net.Server.prototype.listen = watched;
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

/**
 * The part of the driver in the service's own thread: gives modules their instrumentation, and
 * starts the driver's thread when the service listens.
 */
import { receiveMessageOnPort } from "node:worker_threads";
import { keepText } from "./loader/function_text.js";
import { Preparation } from "./loader/prepare.js";
import { defineHelpers } from "./runtime/globals.js";
import { registerUnit } from "./runtime/units.js";
import { baseUrlOf } from "./service/listen.js";
import { load } from "./quiet.js";
import { tell } from "./runtime/channel.js";
import { clearTimeout, setTimeout } from "./time.js";

/** @typedef {import("./rewriter/sites.js").Unit} Unit */

/** How long after the last new module the cache is written, in milliseconds. */
const QUIET = 1_000;

export class Agent {
  /**
   * @param {import("./settings.js").Settings} settings
   * @param {import("./loader/scope.js").Scope} scope
   * @param {() => void} listen lets a spare process listen
   */
  constructor(settings, scope, listen) {
    this.settings = settings;
    this.scope = scope;
    this.preparation = new Preparation(scope, settings.cache);
    /** @type {ReturnType<import("./service/driver_thread.js").startDriver> | undefined} */
    this.driver = undefined;
    this.listen = listen;
    /** @type {NodeJS.Timeout | undefined} */
    this.writing = undefined;
    /** @type {Map<string, Unit>} units of the loader's thread that nobody claimed yet */
    this.announced = new Map();
  }

  /** @type {import("./loader/hooks.js").Replace} */
  replace(file, text, isModule) {
    const rewritten = this.preparation.prepare(file, text, isModule);
    if (!rewritten) return text;
    this.#writeLater();
    if (!registerUnit(rewritten.unit)) return text;
    keepText(rewritten.source, rewritten.text);
    return rewritten.text;
  }

  /**
   * @param {import("node:worker_threads").MessagePort} port
   * @param {string} id
   */
  claim(port, id) {
    for (let found = receiveMessageOnPort(port); found; found = receiveMessageOnPort(port)) {
      this.announced.set(found.message.id, found.message);
    }
    const unit = this.announced.get(id);
    if (unit) registerUnit(unit);
  }

  /** @param {import("node:net").Server} server that listens */
  serves(server) {
    const url = baseUrlOf(server);
    if (!url) return;
    this.beServed();
    tell({ kind: "listener", url });
  }

  /** Starts the driver's thread, once. */
  beServed() {
    if (this.driver) return;
    // Loaded only now: most processes of a command never listen.
    const { startDriver } = load("./service/driver_thread.js");
    const { watchRequests } = load("./service/requests.js");
    const driver = startDriver(this.settings, this.scope, this.listen);
    this.driver = driver;
    watchRequests(driver.begin, driver.answered);
  }

  /**
   * For searches from within, of which there may be several at a time.
   *
   * @param {string} [hook] whose hook brings the state back, for people
   */
  useAnyPort(hook) {
    this.settings = { ...this.settings, port: 0, hook };
  }

  /** @returns {Promise<string>} where the driver is */
  async driverUrl() {
    this.beServed();
    return this.driver ? this.driver.url : "";
  }

  #writeLater() {
    if (!this.writing) process.once("exit", () => this.preparation.cache.save());
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.preparation.cache.save(), QUIET).unref();
  }
}

/**
 * @param {import("./settings.js").Settings} settings
 * @param {import("./loader/scope.js").Scope} scope
 * @param {() => void} listen lets a spare process listen
 */
export function startAgent(settings, scope, listen) {
  defineHelpers();
  agent = new Agent(settings, scope, listen);
  return agent;
}

/** @type {Agent | undefined} */
let agent;

/** @returns {Agent | undefined} that of this process, where modules are instrumented */
export function agentOfProcess() {
  return agent;
}

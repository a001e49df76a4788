/** The driver's thread: serves the protocol itself, or for the process that started the service. */
import { workerData } from "node:worker_threads";
import { Instance } from "./instance.js";
import { Controller } from "../server/controller.js";
import { serve } from "../server/server.js";
import { answerSupervisor } from "../supervisor/link.js";

const { settings, root, buffers, port } = workerData;
const instance = new Instance(settings, root, buffers, port);
if (settings.supervisor) {
  answerSupervisor(settings.supervisor, instance);
} else {
  const tell = (/** @type {string} */ line) => process.stderr.write(`wallace: ${line}\n`);
  const controller = new Controller(async () => instance, { tell });
  serve(controller, settings.port).then(
    (url) => process.stderr.write(`wallace: driver at ${url}\n`),
    (error) => process.stderr.write(`wallace: the driver cannot listen: ${error.message}\n`),
  );
}

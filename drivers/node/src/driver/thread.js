/** The driver's thread: serves the protocol itself, or for the process that started the service. */
import { parentPort, workerData } from "node:worker_threads";
import { Instance } from "./instance.js";
import { Controller } from "../server/controller.js";
import { serve } from "../server/server.js";
import { answerSupervisor } from "../supervisor/link.js";

const { settings, root, buffers, port } = workerData;
const instance = new Instance(settings, root, buffers, port);
if (settings.supervisor) {
  instance.watchdog.isReplaced = true;
  answerSupervisor(settings.supervisor, instance);
} else {
  const tell = (/** @type {string} */ line) => process.stderr.write(`wallace: ${line}\n`);
  const hook = settings.hook ?? settings.reset;
  const controller = new Controller(async () => instance, { tell, isShared: true, hook });
  serve(controller, settings.port).then(
    (url) => {
      tell(`driver at ${url}`);
      parentPort?.postMessage({ url });
    },
    (error) => {
      tell(`the driver cannot listen: ${error.message}`);
      parentPort?.postMessage({ error: error.message });
    },
  );
}

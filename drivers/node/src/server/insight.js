/**
 * Endpoints besides the protocol, for engines that know this driver: places of targets, and the
 * values of decisions.
 */
import { targetsOf } from "../driver/names.js";
import { data } from "./reply.js";

/** @typedef {import("./controller.js").Controller} Controller */

/**
 * `GET /wallace/targets`.
 *
 * @param {Controller} controller
 */
export function targets(controller) {
  const units = [...controller.units.values()];
  const files = units.map((unit) => unit.name);
  const places = units.flatMap((unit, file) =>
    targetsOf(unit).map(({ name, line }) => ({ name, file, line })),
  );
  return data({ files, targets: places });
}

/**
 * `GET /wallace/operands`: what is kept of this test; `keep=true` and `keep=false` say whether
 * anything is kept from now on.
 *
 * @param {Controller} controller
 * @param {URLSearchParams} query
 */
export async function operands(controller, query) {
  const kept = await controller.operands();
  const keep = query.get("keep");
  if (keep !== null) await controller.keepOperands(keep === "true");
  const shown = kept.map(({ target, left, relation, right, hasDistance }) => {
    return { target, left, relation, right, hasDistance };
  });
  return data({ operands: shown });
}

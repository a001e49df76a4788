/** What the driver tells about itself and its service. */
import { data, refused } from "./reply.js";

/** @typedef {import("./controller.js").Controller} Controller */

/** `GET /controllerInfo`. The categories in its query concern other systems. */
export function controllerInfo() {
  const fullName = "wallace.driver.node";
  return data({ fullName, isInstrumentationOn: true, executableFullPath: null });
}

/**
 * `GET /infoSUT`.
 *
 * @param {Controller} controller
 * @param {import("./reply.js").Request} request
 */
export async function infoSut(controller, request) {
  if (request.headers.connection?.toLowerCase() !== "keep-alive") {
    return refused(400, "Requests should always contain a 'Connection: keep-alive'");
  }
  const { found } = controller;
  if (!found) return refused(500, "Failed to extract units info");
  const { problem, url } = found;
  return data({
    restProblem: problem.kind === "rest" ? rest(problem.openApi) : null,
    graphQLProblem: problem.kind === "graphql" ? graphQl(problem.endpoint) : null,
    rpcProblem: null,
    webProblem: null,
    isSutRunning: true,
    defaultOutputFormat: "JS_JEST",
    baseUrlOfSUT: url,
    infoForAuthentication: null,
    sqlSchemaDto: await schema(controller),
    unitsInfoDto: units(controller),
    bootTimeInfoDto: boot(controller),
    errorMsg: null,
  });
}

/** @param {Controller} controller */
async function schema(controller) {
  try {
    const known = await controller.schema();
    if (!known) return null;
    return { ...known, employSmartDbClean: true, compositeTypes: [], extraConstraintDtos: [] };
  } catch {
    // Of a service that is blocked everything else is known all the same.
    return null;
  }
}

/** @param {string} openApiUrl */
function rest(openApiUrl) {
  return {
    servicesToNotMock: [],
    openApiUrl,
    endpointsToSkip: [],
    openApiSchema: null,
    derivedParams: [],
  };
}

/** @param {string} endpoint */
function graphQl(endpoint) {
  return { servicesToNotMock: [], endpoint };
}

/** @param {Controller} controller */
function units(controller) {
  const { names, lines, branches } = controller.sizes();
  return {
    unitNames: names,
    numberOfLines: lines,
    numberOfBranches: branches,
    numberOfReplacedMethodsInSut: 0,
    numberOfReplacedMethodsInThirdParty: 0,
    numberOfTrackedMethods: 0,
    numberOfInstrumentedNumberComparisons: 0,
    parsedDtos: {},
    extractedSpecifiedDtos: {},
    extraDatabaseConstraintsDtos: [],
  };
}

/** @param {Controller} controller */
function boot(controller) {
  const targets = [...controller.boot].map(([descriptiveId, value]) => {
    return { id: null, descriptiveId, value, actionIndex: null };
  });
  return { targets, externalServicesDto: [], hostnameResolutionInfoDtos: [] };
}

/** The protocol, end to end with a service. */
import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { Driver } from "./support/driver.js";

const folder = new URL("../fixtures/ncs/", import.meta.url).pathname;
/** @type {Driver} */
let driver;
before(async () => (driver = await Driver.start(folder, ["node", "src/server.js"])));
after(() => driver.stop());

const LINE = "Line_at_src/triangle.js_00012";
const BRANCH = "Branch_at_src/triangle.js_at_line_00011_position_0";

test("before the start there is no information", async () => {
  assert.equal((await driver.call("GET", "/infoSUT")).status, 500);
  assert.equal((await driver.call("PUT", "/newAction", { index: 0 })).status, 500);
  assert.equal((await driver.call("GET", "/testResults")).status, 500);
});

test("the start finds port, description and units", async () => {
  assert.deepEqual(await driver.reset(), { status: 204, text: "", json: undefined });
  const info = await driver.info();
  assert.match(info.restProblem.openApiUrl, /^http:\/\/localhost:\d+\/openapi\.json$/);
  const { unitNames, numberOfLines, numberOfBranches } = info.unitsInfoDto;
  assert.ok(unitNames.includes("src/triangle.js") && numberOfLines > 200 && numberOfBranches > 100);
  const boot = info.bootTimeInfoDto.targets.map((/** @type {any} */ one) => one.descriptiveId);
  assert.ok(boot.includes("Line_at_src/server.js_00003"));
  assert.ok(!boot.includes("Branch_at_src/server.js_at_line_00025_position_0_trueBranch"));
});

test("targets have numbers, names once, and the action that reached them", async () => {
  assert.equal((await driver.call("POST", "/newSearch")).status, 201);
  await driver.reset();
  await driver.get("/api/triangle/0/1/1", 0);
  await driver.get("/api/triangle/3/3/3", 1);
  const { targets, additionalInfoList, extraHeuristics } = await driver.results("");
  assert.equal(additionalInfoList.length, 2);
  assert.equal(extraHeuristics.length, 2);
  const line = targets.find((/** @type {any} */ one) => one.descriptiveId === LINE);
  assert.deepEqual([line.value, line.actionIndex], [1, 1]);
  await driver.reset();
  await driver.get("/api/triangle/3/3/3");
  const again = await driver.results("");
  const same = again.targets.find((/** @type {any} */ one) => one.id === line.id);
  assert.deepEqual(same, { id: line.id, descriptiveId: null, value: 1, actionIndex: 0 });
  await driver.reset();
  assert.deepEqual((await driver.results(`ids=${line.id}`)).targets, [
    { id: line.id, descriptiveId: null, value: 0, actionIndex: -1 },
  ]);
  assert.equal((await driver.call("GET", "/testResults?ids=99999")).status, 500);
  assert.equal((await driver.call("GET", "/testResults?ids=a")).status, 400);
});

test("what is nearer scores higher", async () => {
  const scores = [];
  for (const side of [90, 12, 11]) {
    await driver.reset();
    await driver.get(`/api/triangle/10/${side}/${side}`);
    scores.push((await driver.scores())[`${BRANCH}_trueBranch`] ?? 0);
  }
  const [far = 0, near = 0, nearest = 0] = scores;
  assert.ok(0 < far && far < near && near < nearest && nearest < 1, String(scores));
});

test("an error tells where it was thrown", async () => {
  await driver.reset();
  await driver.get("/api/remainder/99999/1");
  const { additionalInfoList } = await driver.results();
  assert.equal(additionalInfoList[0].lastExecutedStatement, "src/remainder.js_10_remainder");
});

test("operands are kept where somebody wants them", async () => {
  await driver.call("GET", "/wallace/operands?keep=true");
  await driver.reset();
  await driver.get("/api/triangle/3/4/5");
  const { json } = await driver.call("GET", "/wallace/operands?keep=false");
  const one = json.data.operands.find((/** @type {any} */ it) => it.target.startsWith(BRANCH));
  assert.deepEqual(one, {
    target: `${BRANCH}_trueBranch`,
    left: "3",
    relation: "should equal",
    right: "4",
    hasDistance: true,
  });
  const { data } = (await driver.call("GET", "/wallace/targets")).json;
  const place = data.targets.find((/** @type {any} */ it) => it.name === LINE);
  assert.deepEqual([data.files[place.file], place.line], ["src/triangle.js", 12]);
});

test("wrong requests are refused in the words of the peers", async () => {
  assert.match((await driver.call("PUT", "/runSUT", { foo: 1 })).text, /foo.*resetState/);
  assert.equal((await driver.call("PUT", "/runSUT", {})).status, 400);
  assert.equal((await driver.call("PUT", "/runSUT", { run: false, resetState: true })).status, 400);
  assert.equal((await driver.call("PUT", "/newAction", { name: "x" })).status, 500);
  assert.equal((await driver.call("GET", "/nosuch")).json.status, "404");
  assert.equal((await driver.call("POST", "/runSUT")).json.status, "405");
  const database = await driver.call("POST", "/databaseCommand", {});
  assert.deepEqual(database.json, { data: null, error: "No active database connection" });
});

test("a stopped service starts again, and names stay", async () => {
  assert.equal((await driver.call("PUT", "/runSUT", { run: false })).status, 204);
  assert.equal((await driver.call("GET", "/infoSUT")).status, 500);
  await driver.reset();
  await driver.get("/api/triangle/3/3/3");
  assert.equal((await driver.scores())[LINE], 1);
});

"use strict";
/** Work of libraries that are busy with the processor; tells its seconds. `node work.js NAME` */
const { readFileSync } = require("node:fs");

const WORK = {
  acorn() {
    const { parse } = require("acorn");
    const text = readFileSync(require.resolve("lodash"), "utf8");
    return () => parse(text, { ecmaVersion: 2020 });
  },
  qs() {
    const qs = require("qs");
    const text = Array.from({ length: 60 }, (_, at) => `a[b${at % 7}][c${at}]=v%20${at}`).join("&");
    return () => {
      for (let round = 0; round < 150; round += 1)
        qs.stringify(qs.parse(text, { parameterLimit: 100 }));
    };
  },
  validator() {
    const validator = require("validator");
    const texts = [
      "a.b+c@example.com",
      "x@",
      "https://example.com/p?q=1",
      "192.168.0.1",
      "4111111111111111",
    ];
    return () => {
      for (let round = 0; round < 2_000; round += 1) {
        for (const text of texts) {
          validator.isEmail(text);
          validator.isURL(text);
          validator.isIP(text);
          validator.isCreditCard(text);
        }
      }
    };
  },
  lodash() {
    const lodash = require("lodash");
    const rows = Array.from({ length: 300 }, (_, id) => ({
      id,
      group: id % 7,
      name: `n${id % 31}`,
      tags: [id % 3],
    }));
    return () => {
      for (let round = 0; round < 20; round += 1) {
        lodash
          .chain(rows)
          .groupBy("group")
          .mapValues((list) => lodash.sortBy(list, ["name", "id"]))
          .value();
        lodash.isEqual(lodash.cloneDeep(rows), rows);
        lodash.uniqBy(rows, "name");
      }
    };
  },
  moment() {
    const moment = require("moment");
    return () => {
      for (let day = 0; day < 2_000; day += 1) {
        moment("2026-11-21 17:30", "YYYY-MM-DD HH:mm")
          .add(day, "days")
          .format("dddd, MMMM Do YYYY, h:mm:ss a");
      }
    };
  },
};

const run = WORK[process.argv[2]]();
for (let warming = 0; warming < 5; warming += 1) run();
const times = [];
for (let round = 0; round < 9; round += 1) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1e6);
}
times.sort((one, other) => one - other);
process.stdout.write(`${times[4]}\n`);

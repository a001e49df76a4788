/** The package `sqlite3`: in a file and in memory, with parameters of all kinds. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { LIBRARY } from "./support/databases.js";
import { checkService, petService } from "./support/pets.js";

const MODULES = join(process.env.SQLITE3 || LIBRARY, "node_modules");
const skip = existsSync(join(MODULES, "sqlite3"))
  ? false
  : "sqlite3 is not installed: `npm install` in fixtures/library";

const WAYS = `
const sqlite3 = require("sqlite3");
const db = new sqlite3.Database(process.env.PLACE);
const asked = (run) => new Promise((resolve, reject) =>
  run((error, found) => error ? reject(error) : resolve(found ?? [])));
const ways = {
  all: (name) => asked((then) => db.all("SELECT id FROM pet WHERE name = ?", [name], then)),
  named: (name) => asked((then) => db.all("SELECT id FROM pet WHERE name = $name", { $name: name }, then)),
  prepared: (name) => asked((then) => db.prepare("SELECT id FROM pet WHERE name = ?").all(name, then)),
  insert: (name) => new Promise((resolve, reject) => db.run("INSERT INTO pet (name) VALUES (?)", name,
    function (error) { error ? reject(error) : resolve([this.lastID]); })),
};
db.serialize();
db.exec("CREATE TABLE IF NOT EXISTS pet (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL)");
`;

for (const place of ["pets.db", ":memory:"]) {
  test(`a service on sqlite3 is seen, and opened by rows: ${place}`, { skip }, async () => {
    process.env.PLACE = place;
    await checkService(petService(WAYS, MODULES), ["all", "named", "prepared"], "insert");
  });
}

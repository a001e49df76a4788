/** Which files are the service's own. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** Programs that start others: not they are the service, but what is in the current folder. */
const STARTERS =
  /^(npm|npx|yarn|pnpm|corepack|nodemon|tsx|ts-node|ts-node-dev|pm2|cross-env|dotenv-cli|concurrently|@nestjs\/cli|@swc-node\/register|wallace-driver|mocha|ava|tap|tape|jasmine|nyc|c8)$/;

/** File names with these endings hold code. */
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$|^[^.]+$/;

/** Tests of the service, which are not the service. */
const TEST = /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\//;

/** The service's own files: those of one package, and of packages that were named. */
export class Scope {
  /**
   * @param {string} root folder of the package
   * @param {string[]} include names of packages in `node_modules`, with `*` for any text
   * @param {string} [project] folder of a package whose own files belong to the service as well
   */
  constructor(root, include, project = "") {
    this.root = root;
    this.project = project;
    /** Whether the program is one that starts others. */
    this.isStarted = false;
    const names = include.map((name) => name.replace(/[.+^${}()|[\]\\]/g, "\\$&"));
    const pattern = names.map((name) => name.replaceAll("*", "[^/]*")).join("|");
    this.included = pattern
      ? new RegExp(`/node_modules/(?:${pattern})/(?!.*/node_modules/)`)
      : null;
    /** Where the package is developed; only of one that was installed. */
    this.repository = /[\\/]node_modules[\\/]/.test(root) ? repositoryOf(root) : "";
    /** @type {Map<string, boolean>} whether packages are developed with it, by folder */
    this.siblings = new Map();
    /** @type {Map<string, number>} files seen in packages that are not the service's */
    this.foreign = new Map();
  }

  /**
   * @param {string} file
   * @returns {boolean}
   */
  owns(file) {
    const path = file.replaceAll(sep, "/");
    if (!CODE.test(path.slice(path.lastIndexOf("/") + 1))) return false;
    const below = this.nameOf(file);
    if (TEST.test(below)) return false;
    if (isInside(below) || (this.project && isInside(nameFrom(this.project, file)))) return true;
    if (this.included?.test(path)) return true;
    const [folder = "", name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (name && this.#isSibling(folder)) return true;
    if (name) this.foreign.set(name, (this.foreign.get(name) ?? 0) + 1);
    return false;
  }

  /**
   * Products are often made of several packages, which are developed in one place.
   *
   * @param {string} folder of a package
   */
  #isSibling(folder) {
    if (!this.repository) return false;
    const known = this.siblings.get(folder);
    if (known !== undefined) return known;
    const isSibling = repositoryOf(folder) === this.repository;
    this.siblings.set(folder, isSibling);
    return isSibling;
  }

  /**
   * @param {string} file
   * @returns {string} its name below the package
   */
  nameOf(file) {
    return nameFrom(this.root, file);
  }

  /** @returns {string[]} packages with most files, for whoever has to name one */
  candidates() {
    const sorted = [...this.foreign].sort((one, other) => other[1] - one[1]);
    return sorted.slice(0, 10).map(([name]) => name);
  }
}

/**
 * @param {string} folder
 * @param {string} file
 */
function nameFrom(folder, file) {
  return relative(folder, file).replaceAll(sep, "/");
}

/**
 * @param {string} name below a folder
 * @returns {boolean} whether it is a file of that package itself
 */
function isInside(name) {
  return !name.startsWith("../") && !name.includes("node_modules/");
}

/**
 * The scope of a program.
 *
 * @param {string | undefined} entry file of the program
 * @param {string} folder the current one
 * @param {string[]} include
 */
export function scopeOf(entry, folder, include) {
  const root = (entry && packageOf(entryFile(entry))) || { folder, name: "" };
  const isStarter = STARTERS.test(root.name);
  const current = packageOf(join(folder, "x"))?.folder;
  const own = (isStarter ? current : root.folder) ?? folder;
  // A program that was installed may be the service, or run what somebody wrote for it: a framework's
  // command, say. Of the latter, it loads it.
  const isInstalled = /[\\/]node_modules[\\/]/.test(own);
  const scope = new Scope(own, include, isInstalled ? current : "");
  scope.isStarted = isStarter;
  return scope;
}

/**
 * @param {string} entry
 * @returns {string} its file; of a folder, whose `package.json` names it, any file in there
 */
function entryFile(entry) {
  const path = resolve(entry);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    return join(realpathSync(path), "x");
  const found = ["", ".js", ".cjs", ".mjs"].find((end) => existsSync(path + end));
  return found === undefined ? path : realpathSync(path + found);
}

/**
 * @param {string} file
 * @returns {{folder: string, name: string} | undefined} the nearest package above a file
 */
function packageOf(file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const description = join(folder, "package.json");
    if (existsSync(description)) return { folder, name: nameIn(description) };
    if (dirname(folder) === folder) return undefined;
  }
}

/** @param {string} description */
function nameIn(description) {
  return String(read(description).name ?? "");
}

/**
 * @param {string} folder of a package
 * @returns {string} `owner/name` of its repository, however it is written; empty where it says none
 */
function repositoryOf(folder) {
  const { repository } = read(join(folder, "package.json"));
  const place = String(repository?.url ?? repository ?? "").toLowerCase();
  return /([\w.-]+\/[\w.-]+?)(?:\.git)?\/?(?:#.*)?$/.exec(place)?.[1] ?? "";
}

/**
 * @param {string} description
 * @returns {any}
 */
function read(description) {
  try {
    return JSON.parse(readFileSync(description, "utf8")) ?? {};
  } catch {
    return {};
  }
}

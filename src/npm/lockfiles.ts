/**
 * What a lock file pins: npm's, pnpm's, yarn's (both kinds), bun's, Deno's. Each is read
 * once, in one pass, and only what is said of one package is taken from it.
 *
 * @module
 */

import { isObject } from "../io/json.ts";
import { isExactVersion } from "./names.ts";
import { yamlLines } from "./lines.ts";

/** What a lock file says of a package. */
export interface Locked {
  /** The exact version; absent for a folder. */
  readonly version?: string;
  /** Where it was fetched from, or the folder that it is. */
  readonly resolved?: string;
  /** The checksum of its archive. */
  readonly integrity?: string;
}

/**
 * What is pinned of a package, or `undefined`. Of several copies, the one that Node takes
 * from the project's folder.
 *
 * @param range What the project's manifest asks for, as written.
 */
export type FindLocked = (packageName: string, range?: string) => Locked | undefined;

/** A lock file's name and how its text is read. */
export interface LockFile {
  /** The file's name. */
  readonly name: string;
  /** Reads the text; what takes a pass over all of it is done once. */
  open(text: string): FindLocked;
}

/** The lock files, in the order in which they are asked. */
export const LOCK_FILES: readonly LockFile[] = [
  { name: "package-lock.json", open: openNpm },
  { name: "npm-shrinkwrap.json", open: openNpm },
  { name: "pnpm-lock.yaml", open: openPnpm },
  { name: "yarn.lock", open: openYarn },
  { name: "bun.lock", open: openBun },
  { name: "deno.lock", open: openDeno },
  // What npm keeps beside the packages that it has installed.
  { name: "node_modules/.package-lock.json", open: openNpm },
];

/** How many copies of one package are looked at; real projects have a handful. */
const MOST_COPIES = 100;

/** Of the copies that lie deeper, one of a refrakt package is taken before any other's. */
const NEAREST_PARENTS = ["@refrakt-md/cli", "@refrakt-md/plan", "@refrakt-md/runes"];

/**
 * Looks for the package's entries by their text: parsing megabytes to get at one
 * entry would be felt in every list.
 */
function openNpm(text: string): FindLocked {
  return (name) => findInNpm(text, name);
}

function findInNpm(text: string, name: string): Locked | undefined {
  const copies: [path: string, entry: Record<string, unknown>][] = [];
  const suffix = `node_modules/${name}"`;
  for (
    let at = text.indexOf(suffix);
    at >= 0 && copies.length < MOST_COPIES;
    at = text.indexOf(suffix, at + 1)
  ) {
    const start = text.lastIndexOf('"', at) + 1;
    if (start < at && text[at - 1] !== "/") continue;
    const entry = objectAfterKey(text, at + suffix.length);
    copies.push([text.slice(start, at + suffix.length - 1), entry ?? {}]);
  }
  const [found] = copies.filter(([, entry]) => Object.keys(entry).length > 0).sort(([a], [b]) =>
    depthOf(a) - depthOf(b) || rankOf(a) - rankOf(b)
  );
  if (found !== undefined) return lockedOf(found[1]);
  if (text.includes('"packages"')) return undefined;
  // The first format of the file: dependencies within dependencies.
  const entry = objectAt(objectAt(parseObject(text), "dependencies"), name);
  return entry === undefined ? undefined : lockedOf(entry);
}

/** The root's own comes first, then its members', then what lies within other packages. */
function depthOf(path: string): number {
  return 2 * path.split("node_modules/").length + (path.startsWith("node_modules/") ? 0 : 1);
}

function rankOf(path: string): number {
  const index = NEAREST_PARENTS.findIndex((parent) =>
    path.startsWith(`node_modules/${parent}/node_modules/`)
  );
  return index < 0 ? NEAREST_PARENTS.length : index;
}

function lockedOf(entry: Record<string, unknown>): Locked {
  const { version, resolved, integrity, link } = entry;
  if (link === true) return { resolved: String(resolved ?? "") };
  return locked(version, resolved, integrity);
}

/**
 * `npm` has name, version and peers in its keys, `specifiers` say what a range became,
 * `workspace` names the ranges of the project itself, as Deno writes them: `^0.25.0` is `0.25`.
 */
function openDeno(text: string): FindLocked {
  const lock = parseObject(text);
  const npm = objectAt(lock, "npm") ?? objectAt(objectAt(lock, "packages"), "npm") ?? {};
  const specifiers = objectAt(lock, "specifiers") ?? {};
  const workspace = objectAt(lock, "workspace");
  const own = [workspace, objectAt(workspace, "packageJson")].flatMap((holder) => {
    const asked = holder?.["dependencies"];
    return Array.isArray(asked) ? asked.filter((each) => typeof each === "string") : [];
  });
  return (name, range) => {
    const asked = [`npm:${name}@${range}`, ...own.filter((each) => each.startsWith(`npm:${name}@`))]
      .find((each) => Object.hasOwn(specifiers, each));
    const keys = Object.keys(npm).filter((key) => key.startsWith(`${name}@`));
    const key = keys.find((each) => asked && each === `${name}@${specifiers[asked]}`) ??
      keys.toSorted((a, b) => compare(versionIn(b, name), versionIn(a, name)))[0];
    if (key === undefined) return undefined;
    // The archive's address stands there only where it is not the one that is expected.
    const { integrity, tarball } = objectAt(npm, key) ?? {};
    return locked(versionIn(key, name), tarball, integrity);
  };
}

/** What pnpm's file says of one package. */
interface PnpmEntry {
  /** What the project's own dependencies became, in the order of the importers. */
  readonly direct: string[];
  /** The fields of each version. */
  readonly versions: Map<string, { integrity?: string; resolved?: string }>;
}

/**
 * `importers` (in older files the top level) say what the project's own dependencies
 * became, `packages` have a key such as `'@scope/name@1.2.3(peer@2.0.0)'`,
 * `/@scope/name@1.2.3` or `/@scope/name/1.2.3`.
 */
function openPnpm(text: string): FindLocked {
  const entries = new Map<string, PnpmEntry>();
  const entryOf = (name: string) => {
    let entry = entries.get(name);
    if (entry === undefined) entries.set(name, entry = { direct: [], versions: new Map() });
    return entry;
  };
  let [section, dependency] = ["", ""];
  let fields: { integrity?: string; resolved?: string } | undefined;
  for (const { indent, key, value } of yamlLines(text)) {
    if (indent === 0) {
      section = key;
    } else if (section === "packages" || section === "snapshots") {
      if (indent === 2) {
        const [name, version] = splitPnpmKey(key);
        fields = undefined;
        if (version === undefined) continue;
        const { versions } = entryOf(name);
        fields = versions.get(version) ?? {};
        versions.set(version, fields);
      } else if (fields !== undefined && indent === 4 && key === "resolution") {
        const [integrity, resolved] = [fieldOf(value, "integrity"), fieldOf(value, "tarball")];
        if (integrity !== undefined) fields.integrity = integrity;
        if (resolved !== undefined) fields.resolved = resolved;
      }
    } else if (key === "version" && dependency !== "") {
      entryOf(dependency).direct.push(value);
      dependency = "";
    } else if (value === "") dependency = key;
    else if (key !== "specifier" && section !== "specifiers") {
      dependency = "";
      if (/^(?:\d|link:|file:)/.test(value)) entryOf(key).direct.push(value);
    }
  }
  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const [first] = entry.direct;
    if (first !== undefined && isElsewhere(first)) return { resolved: first };
    // An alias: `@scope/other@1.2.3`.
    const [other, version] = splitPnpmKey(/^[^\d]/.test(first ?? "") ? first! : "");
    if (version !== undefined) return pnpmLocked(entries.get(other), version);
    const chosen = exact(first?.split(/[_(]/)[0]) ??
      [...entry.versions.keys()].sort((a, b) => compare(b, a))[0];
    return chosen === undefined ? undefined : pnpmLocked(entry, chosen);
  };
}

function pnpmLocked(entry: PnpmEntry | undefined, version: string): Locked {
  const { integrity, resolved } = entry?.versions.get(version) ?? {};
  return locked(version, resolved, integrity);
}

/** Whether a lock file's word for a version is a folder, a repository or an address. */
function isElsewhere(version: string): boolean {
  return /^(?:workspace|link|portal|file|git(?:\+\w+)?|github|ssh|https?):/.test(version);
}

function splitPnpmKey(key: string): [name: string, version: string | undefined] {
  const bare = (key.startsWith("/") ? key.slice(1) : key).split("(", 1)[0]!;
  const at = bare.indexOf("@", 1);
  const end = at > 0 ? at : bare.lastIndexOf("/");
  return [bare.slice(0, end), exact(bare.slice(end + 1).split("_", 1)[0])];
}

/** A field of `{integrity: x, tarball: y}`. */
function fieldOf(flow: string, field: string): string | undefined {
  const start = flow.indexOf(`${field}: `);
  if (start < 0) return undefined;
  const rest = flow.slice(start + field.length + 2);
  const end = rest.search(/[,}]/);
  return end < 0 ? undefined : rest.slice(0, end).trim();
}

/** An entry of yarn's file: the ranges in its key, and its fields. */
interface YarnEntry {
  readonly ranges: string[];
  readonly fields: Record<string, string>;
}

/** An entry's key names the ranges (`"@scope/name@^1.0.0, @scope/name@^1.1.0":`). */
function openYarn(text: string): FindLocked {
  const entries = new Map<string, YarnEntry[]>();
  let fields: Record<string, string> = {};
  for (const { indent, key, value } of yamlLines(text.replaceAll('", "', ", "))) {
    if (indent === 2) fields[key] = value;
    if (indent !== 0) continue;
    fields = {};
    const asked = key.split(",").map((part) => part.trim().replaceAll('"', ""));
    const at = asked[0]!.indexOf("@", 1);
    if (at < 0) continue;
    const name = asked[0]!.slice(0, at);
    const ranges = asked.map((part) => part.slice(at + 1).replace(/:$/, ""));
    const same = entries.get(name);
    if (same === undefined) entries.set(name, [{ ranges, fields }]);
    else same.push({ ranges, fields });
  }
  return (name, range) => {
    const own = entries.get(name) ?? [];
    const found = own.find(({ ranges }) => range !== undefined && takesRange(ranges, range)) ??
      own.toSorted((a, b) => compare(b.fields["version"], a.fields["version"]))[0];
    if (found === undefined) return undefined;
    const { version, integrity, resolution } = found.fields;
    const resolved = resolution === undefined
      // The first format appends the archive's other checksum to its address.
      ? found.fields["resolved"]?.split("#")[0] ?? found.ranges.find(isElsewhere)
      : yarnAddress(resolution);
    const isArchive = resolved === undefined || !isElsewhere(resolved) || /^https?:/.test(resolved);
    return isArchive ? locked(version, resolved, integrity) : { resolved };
  };
}

/** Where a resolution such as `name@workspace:packages/a` leads, if not to the usual registry. */
function yarnAddress(resolution: string): string | undefined {
  const [where = "", ...bindings] = resolution.slice(resolution.indexOf("@", 1) + 1).split("::");
  if (isElsewhere(where)) return where;
  return new URLSearchParams(bindings.join("&")).get("__archiveUrl") ?? undefined;
}

function takesRange(ranges: readonly string[], range: string): boolean {
  return ranges.includes(range) || ranges.includes(`npm:${range}`);
}

/**
 * Entries look like `"name": ["name@1.0.0", "registry or nothing", { … }, "sha512-…"]`. What
 * the project itself depends on has its own name as the key, also under another name.
 */
function openBun(text: string): FindLocked {
  const packages = Math.max(text.indexOf('"packages":'), 0);
  return (name) => {
    const copies: [key: string, entry: Locked][] = [];
    for (const start of [`"${name}"`, `/${name}"`]) {
      let looks = 0;
      for (
        let at = text.indexOf(start, packages);
        at >= 0 && looks < MOST_COPIES;
        at = text.indexOf(start, at + 1), looks++
      ) {
        const entry = bunEntry(arrayAfterKey(text, at + start.length));
        if (entry !== undefined) copies.push([text.slice(text.lastIndexOf('"', at), at), entry]);
      }
    }
    return copies.sort(([a], [b]) => a.length - b.length)[0]?.[1];
  };
}

function bunEntry(entry: unknown[] | undefined): Locked | undefined {
  const [id, registry, , integrity] = entry ?? [];
  if (typeof id !== "string") return undefined;
  const version = id.slice(id.indexOf("@", 1) + 1);
  return isElsewhere(version)
    ? { resolved: version }
    : locked(version, registry === "" ? undefined : registry, integrity);
}

function locked(version: unknown, resolved: unknown, integrity: unknown): Locked {
  const pinned = exact(version);
  return {
    ...(pinned === undefined ? {} : { version: pinned }),
    ...(typeof resolved === "string" ? { resolved } : {}),
    ...(typeof integrity === "string" ? { integrity } : {}),
  };
}

/** Compares the numbers of two exact versions; a release is higher than what precedes it. */
function compare(a = "", b = ""): number {
  const [coreA = "", preA = ""] = a.split("-", 2);
  const [coreB = "", preB = ""] = b.split("-", 2);
  const [left, right] = [coreA, coreB].map((core) => core.split(".").map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (left![i] ?? 0) - (right![i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (preA === "" || preB === "") return preA === preB ? 0 : preA === "" ? 1 : -1;
  return preA < preB ? -1 : preA > preB ? 1 : 0;
}

/** The version in a key such as `name@1.0.0_peer@2.0.0`. */
function versionIn(key: string, name: string): string | undefined {
  return exact(key.slice(name.length + 1).split("_", 1)[0]);
}

function exact(version: unknown): string | undefined {
  return typeof version === "string" && isExactVersion(version) ? version : undefined;
}

/** The object after `"key"` and a colon. */
function objectAfterKey(text: string, from: number): Record<string, unknown> | undefined {
  const value = valueAfterKey(text, from, "{", "}");
  return value === undefined ? undefined : parseObject(value);
}

function arrayAfterKey(text: string, from: number): unknown[] | undefined {
  const value = valueAfterKey(text, from, "[", "]");
  try {
    const parsed: unknown = value === undefined ? undefined : JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The text between brackets that belong together, strings skipped; entries are short. */
function valueAfterKey(
  text: string,
  from: number,
  open: string,
  close: string,
): string | undefined {
  let at = skipBlanks(text, from);
  if (text[at] !== ":") return undefined;
  at = skipBlanks(text, at + 1);
  if (text[at] !== open) return undefined;
  let depth = 0;
  let inString = false;
  for (let i = at; i < text.length && i < at + LONGEST_ENTRY; i++) {
    const character = text[i]!;
    if (inString) {
      if (character === "\\") i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === open) depth++;
    else if (character === close && --depth === 0) return text.slice(at, i + 1);
  }
  return undefined;
}

/** The longest entry of a lock file that is looked at, in characters. */
const LONGEST_ENTRY = 100_000;

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectAt(
  value: Record<string, unknown> | undefined,
  key: string,
): Record<string, unknown> | undefined {
  if (value === undefined || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return isObject(found) ? found : undefined;
}

/**
 * What a lock file pins: npm's, pnpm's, yarn's (both kinds), bun's, Deno's. Each is read
 * once, in one pass, and only what is said of one package is taken from it.
 *
 * @module
 */

import { isObject } from "../io/json.ts";
import {
  compare,
  exact,
  type FindLocked,
  isElsewhere,
  type Locked,
  locked,
} from "./lock_entries.ts";
import { NEAREST_PARENTS } from "./names.ts";
import { openPnpm, openYarn } from "./yaml_lockfiles.ts";

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
  // npm keeps this one beside the packages that it has installed.
  { name: "node_modules/.package-lock.json", open: openNpm },
];

/** How many copies of one package are looked at; real projects have a handful. */
const MOST_COPIES = 100;

/**
 * Looks for the package's entries by their text: parsing megabytes to get at one entry would slow
 * down every list.
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

/** The version in a key such as `name@1.0.0_peer@2.0.0`. */
function versionIn(key: string, name: string): string | undefined {
  return exact(key.slice(name.length + 1).split("_", 1)[0]);
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

/**
 * Decides whether code may run in the server's process. Every import asks here, about what will
 * really be imported, never about the name in a manifest.
 *
 * Only the scope `@refrakt-md` as published on npm is trusted. Code from the repository is not: with
 * `--allow-run=git` it would get the user's full rights.
 */

import { basename, dirname, join, relative } from "node:path";
import { messageOf, RefraktError } from "../errors.ts";
import { gitTrouble, runGit } from "../io/git.ts";
import { repositoryOf } from "../io/git_settings.ts";
import { exists, isInside, realPathOf, shownPath } from "../io/paths.ts";
import { mayRunGit } from "../io/permissions.ts";
import { type CodePolicy, DEFAULT_POLICY, LOCAL_CODE, trustHint } from "../project/code_policy.ts";
import type { Warning } from "../project/project.ts";
import { redirects } from "./from_npm.ts";
import { isInModules } from "./installed.ts";
import { importsOf, readManifest } from "./manifests.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "./names.ts";
import { type PackageVersion, realNameOf, ruleOf } from "./package.ts";

/** A package, or the project's own modules. */
export type Code = PackageVersion | typeof LOCAL_CODE;

/** Why code is not trusted. */
export interface Distrust {
  /** What would be imported, and why it is not trusted. */
  readonly reason: string;
  /** The name for `--trust`. */
  readonly name: string;
}

/**
 * Returns why code may not run in this process, or `undefined` if it may.
 *
 * @param code What would be imported, after resolution.
 * @param policy What the user trusts.
 */
export async function distrust(
  code: Code,
  policy: CodePolicy = code !== LOCAL_CODE && code.code || DEFAULT_POLICY,
): Promise<Distrust | undefined> {
  if (policy.trusted.includes("all")) return undefined;
  const found = code === LOCAL_CODE
    ? { name: LOCAL_CODE, reason: "The project's own modules are code from the repository" }
    : await judge(code, policy);
  return found === undefined || policy.trusted.includes(found.name) ? undefined : found;
}

/**
 * Rejects untrusted code.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the ways to allow it.
 */
export async function requireTrust(code: Code, policy?: CodePolicy): Promise<void> {
  const found = await distrust(code, policy);
  if (found === undefined) return;
  throw new RefraktError("CODE_NOT_TRUSTED", `Not loaded: ${found.reason}`, {
    hint: trustHint(found.name),
  });
}

/** The warning about a package that was not loaded. */
export function leftOutWarning(name: string, { name: trusted, reason }: Distrust): Warning {
  return {
    code: "CODE_NOT_TRUSTED",
    message: `${name} was not loaded: ${reason}`,
    hint: trustHint(trusted),
    package: name,
  };
}

async function judge(found: PackageVersion, policy: CodePolicy): Promise<Distrust | undefined> {
  const { name, folder, root } = found;
  const isOurs = isFirstParty(name) || name === MARKDOC_PACKAGE;
  if (ruleOf(found) === "embedded") return undefined;
  // A package that is not installed is imported from npm or not at all.
  if (root === undefined || folder === undefined) return isOurs ? undefined : foreign(name);
  if (folder.kind !== "node_modules") {
    return local(`${name} is a linked folder (${shownPath(root, folder.path)})`, policy, name);
  }
  if (folder.name !== name) {
    const why = found.aliasIn === undefined ? "another package" : `an alias in ${found.aliasIn}`;
    return { name: nameOf(folder.name || name), reason: `${name} → ${realNameOf(found)}, ${why}` };
  }
  if (!isOurs) return foreign(name);
  if (byDeno(folder.path) && (redirects() || !folder.path.endsWith(`/node_modules/${name}`))) {
    return local(`${name} is what Deno downloaded by the project's own settings`, policy, name);
  }
  const index = await indexOf(root, policy);
  const reason = importedFrom(root, folder.link, index, name);
  return reason === undefined ? undefined : local(reason, policy, name);
}

/**
 * Whether Deno created the folder, perhaps in this process: without `--no-config` it does if the
 * project's `deno.json` says so, and the project's `.npmrc` chooses the registry.
 */
function byDeno(path: string): boolean {
  return path.replaceAll("\\", "/").includes("/node_modules/.deno/");
}

function foreign(name: string): Distrust {
  return { name: nameOf(name), reason: `${name} is not refrakt's own` };
}

/** The name for `--trust`; a package called `local` needs another one. */
function nameOf(name: string): string {
  return name === LOCAL_CODE ? "all" : name;
}

/** Code of the repository; `--trust` accepts its name or `local`. */
function local(reason: string, { trusted }: CodePolicy, name: string): Distrust {
  return { name: trusted.includes(name) ? name : LOCAL_CODE, reason };
}

/** The maximum number of packages that are examined with one. */
const MOST_PACKAGES = 2000;

/**
 * Finds code of the repository among an installed package and everything it imports: links to a
 * folder, and files that git tracks.
 */
function importedFrom(
  root: string,
  start: string,
  { tracked, sound }: Index,
  name: string,
): string | undefined {
  const links = new Set([start]);
  const seen = new Set<string>();
  for (const link of links) {
    const path = realPathOf(link);
    const what = link === start ? name : `${name} imports ${nameAt(link)}, which`;
    const shown = shownPath(root, path);
    if (!isInModules(relative(root, path))) return `${what} is a linked folder (${shown})`;
    const by = tracked(link) ?? tracked(path);
    if (by !== undefined) return `${what} ${by} (${shown})`;
    if (seen.has(path) || sound.has(path)) continue;
    seen.add(path);
    if (seen.size > MOST_PACKAGES) return `${name} imports too many packages to look at`;
    const manifest = readManifest(root, join(path, "package.json"));
    const asked = nameAt(link);
    if (isFirstParty(asked) && manifest?.["name"] !== asked) {
      const real = `${manifest?.["name"]}@${manifest?.["version"]}`;
      return `${name} imports ${asked} → ${real}, another package`;
    }
    for (const imported of importsOf(manifest)) {
      const places = placesOf(path, root, imported);
      // The nearest is imported, even without a manifest.
      const found = places.find((place) => tracked(place) !== undefined || exists(place));
      if (found !== undefined) links.add(found);
    }
  }
  for (const path of seen) sound.add(path);
  return undefined;
}

/** Where a module may resolve a package, from the nearest `node_modules` up to the root's. */
function placesOf(folder: string, root: string, name: string): string[] {
  const places: string[] = [];
  for (let at = folder; isInside(root, at); at = dirname(at)) {
    if (basename(at) !== "node_modules") places.push(join(at, "node_modules", name));
    if (at === root) break;
  }
  return places;
}

/** The package name in a `node_modules` path. */
function nameAt(path: string): string {
  return path.slice(path.lastIndexOf("node_modules") + "node_modules/".length);
}

/** Returns why a path belongs to the repository, such as `git tracks it`, or `undefined`. */
type Tracked = (path: string) => string | undefined;

/** Cached facts about the packages around a folder. */
interface Index {
  readonly tracked: Tracked;
  /** Real paths of packages that are installed, with all their imports. */
  readonly sound: Set<string>;
}

/** One per folder and snapshot; each snapshot has its own policy object. */
const indexes = new WeakMap<CodePolicy, Map<string, Promise<Index>>>();

/** Timeout for listing git's index, in milliseconds. */
const TIMEOUT_MS = 10_000;

function indexOf(folder: string, policy: CodePolicy): Promise<Index> {
  let known = indexes.get(policy);
  if (known === undefined) indexes.set(policy, known = new Map());
  let asked = known.get(folder);
  if (asked === undefined) {
    asked = trackedIn(folder).then((tracked) => ({ tracked, sound: new Set() }));
    known.set(folder, asked);
  }
  return asked;
}

/**
 * Lists what git tracks below a folder; a submodule counts through the folder that contains it. If
 * git may not run, nothing is asked: code in the process cannot run it either.
 */
async function trackedIn(folder: string): Promise<Tracked> {
  if (!mayRunGit()) return () => undefined;
  try {
    const { code, stdout, stderr } = await runGit(["ls-files", "--stage", "-z"], {
      cwd: folder,
      timeoutMs: TIMEOUT_MS,
    });
    if (code === 0) return trackedBy(folder, new TextDecoder().decode(stdout));
    if (gitTrouble(stderr) === "noRepository" && repositoryOf(folder) === undefined) {
      return () => undefined;
    }
    return () => `may come with the repository: ${stderr.trim().split("\n")[0]}`;
  } catch (error) {
    return () => `may come with the repository: ${messageOf(error)}`;
  }
}

/** The modes of symbolic links and submodules in git's index. */
const LINKS = new Set(["120000", "160000"]);

function trackedBy(folder: string, listed: string): Tracked {
  const links = new Set<string>();
  const folders = new Set<string>();
  for (const entry of listed.split("\0")) {
    const key = keyOf(entry.slice(entry.indexOf("\t") + 1));
    const isLink = LINKS.has(entry.slice(0, 6));
    if (!isLink && !isInModules(key)) continue;
    if (isLink) links.add(key);
    for (let at = key; at !== "." && !folders.has(at); at = dirname(at)) folders.add(at);
  }
  return (path) => {
    const key = keyOf(relative(folder, path));
    if (folders.has(key)) return "is tracked by git";
    for (let at = key; at !== "." && at !== "/"; at = dirname(at)) {
      if (links.has(at)) return "is tracked by git, as a link or a submodule";
    }
    return undefined;
  };
}

/** Ignores case and Unicode composition, because some file systems do. */
function keyOf(path: string): string {
  return path.replaceAll("\\", "/").normalize("NFC").toLowerCase();
}

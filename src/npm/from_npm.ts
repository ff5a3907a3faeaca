/**
 * Resolves npm packages before any of their code runs: the exact version for a range, and whether
 * Deno takes the package from the public registry.
 */

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { readIfExists } from "../io/read.ts";
import { isCached, resolvedFile } from "./installed.ts";
import { FIRST_PARTY_SCOPE } from "./names.ts";
import type { PackageVersion } from "./package.ts";

/** The registry metadata that Deno caches. */
interface Packument {
  readonly versions: Readonly<Record<string, unknown>>;
}

/** The part of `semver` used here; the package has no types. */
interface Semver {
  maxSatisfying(versions: readonly string[], range: string): string | null;
}

/**
 * A subpath that no package exports: importing it downloads the package without running code, and
 * the error names the package's folder. It is imported as JSON in case a package has it after all.
 */
const NOWHERE = "refrakt-mcp-looks-where-this-package-lies";

/** Deno remembers failed specifiers; a new subpath makes it ask the registry again. */
let failures = 0;

const checked = new Map<string, Promise<string>>();

/**
 * Returns the exact version to import.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` if no version satisfies the range, or if Deno's
 * configuration redirects the package.
 */
export async function checkedVersion(found: PackageVersion): Promise<string> {
  const key = `${found.name}@${found.version}`;
  let pending = checked.get(key);
  if (pending === undefined) {
    checked.set(key, pending = check(found));
    pending.catch(() => checked.delete(key));
  }
  return await pending;
}

async function check(found: PackageVersion): Promise<string> {
  const { name, version: range } = found;
  const version = isSimpleRange(range) ? range : await highestIn(found);
  const folder = await folderOf(found, version);
  if (!isCached(pathToFileURL(folder))) throw notFromNpm(name, `in ${folder}`);
  const [, registry, exact = version] =
    /[\\/]npm[\\/]([^\\/]+)[\\/].*[\\/]([^\\/]+)[\\/]$/.exec(folder) ?? [];
  if (registry !== PUBLIC_REGISTRY && redirects()) throw notFromNpm(name, `at ${registry}`);
  // Deno numbers copies with different peer dependencies.
  return exact.replace(/_\d+$/, "");
}

/** The public registry's folder in Deno's cache. */
const PUBLIC_REGISTRY = "registry.npmjs.org";

/**
 * Whether an `.npmrc` redirects refrakt's scope. With `--no-config` Deno ignores the project's
 * `.npmrc`; another registry then comes from the user's own settings.
 */
export function redirects(): boolean {
  const cwd = Deno.cwd();
  try {
    const text = readIfExists(cwd, join(cwd, ".npmrc"), "manifest") ?? "";
    return new RegExp(`^\\s*(?:${FIRST_PARTY_SCOPE.slice(0, -1)}:)?registry\\s*=`, "m").test(text);
  } catch {
    return true;
  }
}

function notFromNpm(name: string, place: string): RefraktError {
  return new RefraktError(
    "PLUGIN_LOAD_FAILED",
    `Deno does not take ${name} from npm: ${place}`,
    {
      hint:
        "Start the server with --no-config, so that the project's .npmrc and deno.json do not " +
        "count; or install the project and add --node-modules-dir=manual.",
      data: { package: name },
    },
  );
}

/** Whether Deno's `npm:` specifiers accept the range; others are resolved first. */
function isSimpleRange(range: string): boolean {
  return /^(?:[\^~]?\d+(?:\.(?:\d+|x|\*)){0,2}(?:-[\w.]+)?|\*|[A-Za-z][\w-]*)$/.test(range);
}

/** The highest version that satisfies a range; prereleases only if the range names one. */
async function highestIn(found: PackageVersion): Promise<string> {
  const { name, version: range, from } = found;
  const versions = Object.keys((await packumentOf(found))?.versions ?? {});
  // Loaded on demand: few starts need it.
  const { default: semver } = await import("semver") as { default: Semver };
  const exact = semver.maxSatisfying(versions, range);
  if (exact !== null) return exact;
  throw new RefraktError("PLUGIN_LOAD_FAILED", `No version of ${name} satisfies "${range}"`, {
    hint: `The range is from ${from}; npm has ${versions.slice(-5).join(", ") || "none"}.`,
    data: { package: name },
  });
}

async function packumentOf(found: PackageVersion): Promise<Packument | undefined> {
  const folder = await folderOf(found, "*");
  try {
    // Deno imports JSON from its cache without read permission.
    const url = new URL("../registry.json", `file://${folder}`).href;
    return (await import(url, { with: { type: "json" } })).default as Packument;
  } catch {
    return undefined;
  }
}

/** Returns the package's folder in Deno's cache, with a trailing slash. */
async function folderOf(found: PackageVersion, range: string): Promise<string> {
  const specifier = `npm:${found.name}@${range}/${NOWHERE}-${failures}`;
  try {
    await import(specifier, { with: { type: "json" } });
  } catch (error) {
    // The package may be resolved even if one of its dependencies cannot be downloaded.
    const folder = folderIn(error) ?? resolvedFolder(specifier);
    if (folder !== undefined) return folder;
    failures++;
    if (resolvedFile(specifier) === undefined) throw error;
  }
  throw notFromNpm(found.name, "from a package that has every file");
}

function resolvedFolder(specifier: string): string | undefined {
  try {
    const url = import.meta.resolve(specifier);
    // Deno reports the subpath without a folder until the package is unpacked.
    const ending = specifier.slice(specifier.lastIndexOf("/") + 1);
    return url.startsWith("file:") && url.endsWith(ending)
      ? fileURLToPath(url.slice(0, -ending.length))
      : undefined;
  } catch (error) {
    return folderIn(error);
  }
}

/** Extracts the folder from the error about the subpath. */
function folderIn(error: unknown): string | undefined {
  const message = messageOf(error);
  const [, manifest] = DENO_MESSAGES.noExport.exec(message) ?? [];
  const [, module] = DENO_MESSAGES.noFile.exec(message) ?? [];
  const file = manifest ?? (module?.includes(NOWHERE) ? module : undefined);
  if (file === undefined) return undefined;
  const folder = file.replace(/[^\\/]*$/, "");
  return folder.startsWith("file:") ? fileURLToPath(folder) : folder.replaceAll("\\", "/");
}

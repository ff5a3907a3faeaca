/**
 * Packages that Deno downloads from npm: which exact version a range means, and whether the copy is
 * the one of npm, both before a line of the package's code runs.
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { readIfExists } from "../io/read.ts";
import { isCached, resolvedFile } from "./installed.ts";
import { FIRST_PARTY_SCOPE } from "./names.ts";
import type { PackageVersion } from "./package.ts";

/** What Deno keeps of a registry's answer. */
interface Packument {
  readonly versions: Readonly<Record<string, unknown>>;
}

/** `semver`, as far as it is used here; the package comes without types. */
interface Semver {
  maxSatisfying(versions: readonly string[], range: string): string | null;
}

/**
 * A subpath that no package has: asking for it downloads the package. It is asked for as JSON, so
 * that nothing is run where a package has it after all.
 */
const NOWHERE = "refrakt-mcp-looks-where-this-package-lies";

/**
 * The runtime remembers for a specifier that it could not be resolved; another subpath makes
 * it ask the registry again.
 */
let failures = 0;

const checked = new Map<string, Promise<string>>();

/**
 * The exact version to import.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` where no version fits, and where the runtime's
 * configuration takes the package from elsewhere than npm.
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
  // Deno numbers the copies of a version that has several sets of peer dependencies.
  return exact.replace(/_\d+$/, "");
}

/** The folder of Deno's cache for the public registry. */
const PUBLIC_REGISTRY = "registry.npmjs.org";

/**
 * Whether an `.npmrc` where Deno was started sends refrakt's scope elsewhere. With `--no-config`
 * Deno does not read it; then another registry is the choice of the user's own settings.
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
    `Deno takes ${name} from elsewhere than npm: ${place}`,
    {
      hint:
        "Start the server with --no-config, so that the project's .npmrc and deno.json do not " +
        "count; or install the project and add --node-modules-dir=manual.",
      data: { package: name },
    },
  );
}

/** Whether Deno's `npm:` specifiers take a range as it is; the others are resolved first. */
function isSimpleRange(range: string): boolean {
  return /^(?:[\^~]?\d+(?:\.(?:\d+|x|\*)){0,2}(?:-[\w.]+)?|\*|[A-Za-z][\w-]*)$/.test(range);
}

/** The highest version that a range takes; prereleases where the range names one. */
async function highestIn(found: PackageVersion): Promise<string> {
  const { name, version: range, from } = found;
  const versions = Object.keys((await packumentOf(found))?.versions ?? {});
  // Few starts need it.
  const { default: semver } = await import("semver") as { default: Semver };
  const exact = semver.maxSatisfying(versions, range);
  if (exact !== null) return exact;
  throw new RefraktError("PLUGIN_LOAD_FAILED", `No version of ${name} fits "${range}"`, {
    hint: `The range is from ${from}; npm has ${versions.slice(-5).join(", ") || "none"}.`,
    data: { package: name },
  });
}

async function packumentOf(found: PackageVersion): Promise<Packument | undefined> {
  const folder = await folderOf(found, "*");
  try {
    // Deno lets JSON be imported from its cache without a read grant.
    const url = new URL("../registry.json", `file://${folder}`).href;
    return (await import(url, { with: { type: "json" } })).default as Packument;
  } catch {
    return undefined;
  }
}

/** The folder in Deno's cache in which a package lies, with a slash at its end. */
async function folderOf(found: PackageVersion, range: string): Promise<string> {
  const specifier = `npm:${found.name}@${range}/${NOWHERE}-${failures}`;
  try {
    await import(specifier, { with: { type: "json" } });
  } catch (error) {
    // Where another package cannot be downloaded, this one may still have been resolved.
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
    // What is not unpacked yet has no exports that the subpath could be missing from.
    const ending = specifier.slice(specifier.lastIndexOf("/") + 1);
    return url.startsWith("file:") && url.endsWith(ending)
      ? fileURLToPath(url.slice(0, -ending.length))
      : undefined;
  } catch (error) {
    return folderIn(error);
  }
}

/** The runtime says where it looked for the subpath. */
function folderIn(error: unknown): string | undefined {
  const message = messageOf(error);
  const [, manifest] = DENO_MESSAGES.noExport.exec(message) ?? [];
  const [, module] = DENO_MESSAGES.noFile.exec(message) ?? [];
  const file = manifest ?? (module?.includes(NOWHERE) ? module : undefined);
  if (file === undefined) return undefined;
  const folder = file.replace(/[^\\/]*$/, "");
  return folder.startsWith("file:") ? fileURLToPath(folder) : folder.replaceAll("\\", "/");
}

/**
 * Resolves npm packages before any of their code runs: the exact version for a range, and whether
 * Deno takes the package from the public registry.
 */

import { normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf, type RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { notLoaded } from "./failures.ts";
import { isCached, resolvedFile } from "./installed.ts";
import { PUBLIC_REGISTRY, redirects } from "./npmrc.ts";
import type { PackageVersion } from "./package.ts";
import { noteCache } from "./place.ts";

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
  const { name, version, from } = found;
  if (!RANGE.test(version)) {
    throw notLoaded(name, {
      message: `Not a range for Deno: ${name}@${version}`,
      hint: `Write one version or range in ${from}, such as ^1.2.0, or keep a package-lock.json.`,
    });
  }
  const folder = await folderOf(found);
  if (!isCached(pathToFileURL(folder))) throw notFromNpm(name, `in ${folder}`);
  noteCache(folder);
  const [, registry, exact = version] =
    /[\\/]npm[\\/]([^\\/]+)[\\/].*[\\/]([^\\/]+)[\\/]$/.exec(folder) ?? [];
  if (registry !== PUBLIC_REGISTRY && redirects(name)) throw notFromNpm(name, `at ${registry}`);
  // Deno numbers copies with different peer dependencies.
  return exact.replace(/_\d+$/, "");
}

function notFromNpm(name: string, place: string): RefraktError {
  return notLoaded(name, {
    message: `Deno does not take ${name} from npm: ${place}`,
    hint: "Start the server with --no-config, so that the project's .npmrc and deno.json do not " +
      "count; or install the project and add --node-modules-dir=manual.",
  });
}

/** The ranges that Deno's `npm:` specifiers accept. */
const RANGE = /^(?:[\^~]?\d+(?:\.(?:\d+|x|\*)){0,2}(?:-[\w.]+)?|\*|[A-Za-z][\w-]*)$/;

/** Returns the package's folder in Deno's cache, with a trailing slash. */
async function folderOf({ name, version }: PackageVersion): Promise<string> {
  const specifier = `npm:${name}@${version}/${NOWHERE}-${failures}`;
  try {
    await import(specifier, { with: { type: "json" } });
  } catch (error) {
    // The package may be resolved even if one of its dependencies cannot be downloaded.
    const folder = folderIn(error) ?? resolvedFolder(specifier);
    if (folder !== undefined) return folder;
    failures++;
    if (resolvedFile(specifier) === undefined) throw error;
  }
  throw notFromNpm(name, "from a package that has every file");
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
  return folder.startsWith("file:") ? fileURLToPath(folder) : normalize(folder);
}

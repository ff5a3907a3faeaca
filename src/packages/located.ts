/**
 * Finds the folder of a package at the project's version, before any of its code runs.
 *
 * For a package from npm, this downloads it, lets Deno resolve its range, and checks that Deno takes it
 * from a cache outside the project.
 */

import { dirname, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rawMessage } from "../errors.ts";
import { writeStderr } from "../io/pipes.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { cachedPackage, noteCache, requireTrusted, resolvedFile } from "./gate.ts";
import { originOf, type PackageVersion } from "./package.ts";

/** Where a package lies. */
export interface Located {
  /** The exact version. */
  readonly version: string;
  /** The address of its folder, with a trailing slash; `undefined` if a binary does not tell. */
  readonly folder: string | undefined;
}

/**
 * A subpath that no package exports: importing it downloads the package without running code, and
 * the error names the package's folder. It is imported as JSON in case a package has it after all.
 */
const NOWHERE = "refrakt-mcp-looks-where-this-package-lies";

const downloads = new Map<string, Promise<Located>>();

/**
 * Returns the folder and the exact version of a package.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED` if Deno does not take it from a cache outside the project.
 */
export async function locate(release: PackageVersion): Promise<Located> {
  const { name, version, folder } = release;
  const origin = originOf(release);
  if (origin === "embedded") return { version, folder: urlOf(resolvedFolder(nowhereIn(release))) };
  if (origin === "project") return { version, folder: urlOf(`${folder!.path}/`) };
  const key = `${name}@${version}`;
  const pending = downloads.getOrInsertComputed(key, () => download(release));
  pending.catch(() => downloads.delete(key));
  return await pending;
}

/** How long npm may take before the log says so, in milliseconds. */
const WAITING_MS = 4000;

/** The packages that npm is asked for, each with the function that rejects it. */
const waiting = new Map<PackageVersion, (error: unknown) => void>();

async function download(asked: PackageVersion): Promise<Located> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (waiting.size === 0) setTimeout(sayWaiting, WAITING_MS);
  waiting.set(asked, reject);
  try {
    const folder = await Promise.race([downloadedFolder(asked), promise]);
    return { version: cachedPackage(folder)?.version ?? asked.version, folder: urlOf(folder) };
  } catch (error) {
    const raw = rawMessage(error);
    const isUnreachable = DENO_MESSAGES.packumentFailed.test(raw) &&
      DENO_MESSAGES.unreachable.test(raw);
    // Deno takes a second for each package: reject all others of the scope at once.
    for (const [other, rejectOther] of isUnreachable ? waiting : []) {
      const isSameScope = dirname(other.name) === dirname(asked.name);
      if (isSameScope) rejectOther(new Error(raw.replaceAll(asked.name, () => other.name)));
    }
    throw error;
  } finally {
    waiting.delete(asked);
  }
}

/** Logs the packages that npm is asked for: without a network, a connection may hang. */
function sayWaiting(): void {
  if (waiting.size === 0) return;
  const names = [...waiting.keys()].map(({ name, version }) => `${name} ${version}`);
  writeStderr(
    `Waiting for npm: not in Deno's cache, which the command warm fills where there is a network: ` +
      `${names.join(", ")}\n`,
  );
}

function urlOf(folder: string | undefined): string | undefined {
  return folder && pathToFileURL(folder).href;
}

/** Deno remembers failed specifiers; a new subpath makes it ask the registry again. */
function nowhereIn({ name, version }: PackageVersion): string {
  return `npm:${name}@${version}/${NOWHERE}-${crypto.randomUUID()}`;
}

/**
 * Downloads a package and returns its folder, with a trailing slash.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED` if that is not in a cache outside the project.
 */
async function downloadedFolder(release: PackageVersion): Promise<string> {
  const specifier = nowhereIn(release);
  const trying = import(specifier, { with: { type: "json" } });
  const error: unknown = await trying.catch((error) => error);
  // The package may be resolved even if one of its dependencies cannot be downloaded.
  const folder = folderIn(error) ?? resolvedFolder(specifier);
  const isTrusted = release.code.trust;
  if (folder === undefined) {
    // A package that exports every path is not from npm's scope.
    const file = resolvedFile(specifier);
    if (file !== undefined) requireTrusted(fileURLToPath(file), isTrusted);
    throw error;
  }
  noteCache(folder);
  requireTrusted(folder, isTrusted);
  return folder;
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
  const message = rawMessage(error);
  const [, manifest] = DENO_MESSAGES.noExport.exec(message) ?? [];
  const [, module] = DENO_MESSAGES.noFile.exec(message) ?? [];
  const file = manifest ?? (module?.includes(NOWHERE) ? module : undefined);
  if (file === undefined) return undefined;
  const folder = file.replace(/[^\\/]*$/, "");
  return folder.startsWith("file:") ? fileURLToPath(folder) : normalize(folder);
}

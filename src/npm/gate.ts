/**
 * Judges every import that begins at our loader, by the real file that would be loaded: without trust
 * in the project's code, it has to lie in Deno's cache; with it, in the readable folders.
 */

import { fileURLToPath } from "node:url";
import { orElse, RefraktError, saidBy } from "../errors.ts";
import { quotedName } from "../plain_text.ts";
import { realPathOf } from "../io/paths.ts";
import { isReadable } from "../io/permissions.ts";
import type { WantedModule } from "../stand_ins/modules.ts";
import { cacheProblem, isCached, noteCache, resolvedFile } from "./cache.ts";

/** Whether the project's code is trusted: in the whole process, as it shares everything. */
const process = { trustsProject: false };

/** Lets the project's code run in this process. */
export function trustProject(): void {
  process.trustsProject = true;
}

/**
 * Decides whether a module may be loaded.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the file.
 */
export function mayLoad({ url, specifier, isStart }: WantedModule): void {
  const isNpm = url.startsWith("npm:");
  const file = isNpm ? resolvedFile(url) : url.startsWith("file:") ? new URL(url) : undefined;
  // A package that is not downloaded is judged by its imports; a binary has no others.
  if (file === undefined || Deno.build.standalone) return;
  const path = fileURLToPath(file);
  // Deno itself resolves the names that our own code imports.
  if (isStart && !specifier.startsWith("file:")) noteCache(path);
  if (!process.trustsProject) {
    if (!isCached(path)) throw refusal(`${quotedName(path)} is not in Deno's cache`);
    const problem = cacheProblem(path);
    if (problem !== undefined) {
      throw refusal(`${quotedName(path)}: ${problem.reason}`, problem.hint);
    }
  } else if (!isCached(path)) {
    // Deno asks for no permission to import from node_modules, and follows links there.
    const real = orElse(() => realPathOf(path), path);
    if (!isReadable(real)) throw refusal(`${quotedName(real)} ${OUTSIDE}`, OUTSIDE_HINT);
  }
}

const OUTSIDE = "lies outside the folders that the server may read";
const OUTSIDE_HINT =
  "If it was installed there, as in a workspace or pnpm's store, add its folder " +
  "to --allow-read: doctor prints the command.";

const NOT_LOADED = "Not loaded: ";

/** The latest refusals by message, because a static import loses the error's class. */
const refusals = new Map<string, RefraktError>();
const MOST_REFUSALS = 200;

/** The error for code that is not loaded. Without a hint, the loader says how to trust it. */
function refusal(reason: string, hint?: string): RefraktError {
  const error = new RefraktError(
    "CODE_NOT_TRUSTED",
    NOT_LOADED + reason,
    hint === undefined ? {} : { hint },
  );
  refusals.delete(error.message);
  refusals.set(error.message, error);
  if (refusals.size > MOST_REFUSALS) refusals.delete(refusals.keys().next().value!);
  return error;
}

/** Returns the refusal that made an import fail, or `undefined`. */
export function refusalIn(error: unknown): RefraktError | undefined {
  if (error instanceof RefraktError) return error.code === "CODE_NOT_TRUSTED" ? error : undefined;
  const said = saidBy(error);
  for (const [message, known] of refusals) if (said.includes(message)) return known;
  return undefined;
}

/** The error for a package whose code, or what it imports, is not loaded. */
export function notTrusted(name: string, reason: string, hint: string): RefraktError {
  return new RefraktError("CODE_NOT_TRUSTED", `${name} was not loaded: ${reason}`, {
    hint,
    data: { package: name },
  });
}

/** A refusal in the words for the package that needs the file. */
export function neededBy(name: string, refused: RefraktError, howToTrust = ""): RefraktError {
  if (!refused.message.startsWith(NOT_LOADED)) return refused;
  const reason = refused.message.slice(NOT_LOADED.length);
  return notTrusted(name, reason, refused.hint ?? howToTrust);
}

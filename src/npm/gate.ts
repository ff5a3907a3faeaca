/**
 * Judges every import that begins at our loader, by the real file that would be loaded. Whatever
 * was loaded was judged, so a module that imports another one is trusted.
 */

import { fileURLToPath } from "node:url";
import { RefraktError, saidBy } from "../errors.ts";
import { LOCAL_CODE, trustHint } from "../project/code_policy.ts";
import { noteRead } from "../io/reads.ts";
import type { WantedModule } from "../stand_ins/modules.ts";
import { resolvedFile } from "./installed.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "./names.ts";
import { noteCache, type Place, placeOf } from "./place.ts";

/** Why code is not trusted. */
export interface Distrust {
  /** What would be imported, and why it is not trusted. */
  readonly reason: string;
  /** Values of `--trust` that allow it, beside `all`; none for files that are never loaded. */
  readonly trustedAs: readonly string[];
  /** The folder to permit. */
  readonly permit?: string | undefined;
}

/**
 * Decides whether a module may be loaded.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the file.
 */
export function mayLoad({ url, specifier, trusted, isStart }: WantedModule): void {
  const isNpm = url.startsWith("npm:");
  if (isNpm && isStart) ownSpecifiers.add(url);
  const file = isNpm ? resolvedFile(url) : url.startsWith("file:") ? new URL(url) : undefined;
  // Not downloaded yet: its modules are judged when they are imported.
  if (file === undefined) return;
  const asked = nameIn(specifier);
  const path = fileURLToPath(file);
  // Deno itself resolves the names that our own code imports.
  if (isStart && asked !== "") noteCache(path);
  let place = placeOf(path);
  if (place.kind === "outside" && ownSpecifiers.size > 0) {
    for (const own of ownSpecifiers) noteOwn(own);
    place = placeOf(path);
  }
  // What Deno has downloaded stays as it is.
  if (place.kind !== "free") noteRead(path);
  const other = isOurs(asked) && place.kind !== "free" ? renamed(place, asked) : undefined;
  const found = unlessTrusted(misplaced(place), trusted) ??
    unlessTrusted(other, trusted);
  if (found !== undefined) throw remember(refusal(found));
}

/** Specifiers of our own code, until Deno has downloaded them. */
const ownSpecifiers = new Set<string>();

/** Learns from a specifier of our own where Deno's cache is. */
function noteOwn(specifier: string): void {
  const file = resolvedFile(specifier);
  if (file === undefined) return;
  noteCache(fileURLToPath(file));
  ownSpecifiers.delete(specifier);
}

/** Returns why code may not be loaded from a place, or `undefined` if it may. */
export function misplaced({ kind, shown, reason, name, permit }: Place): Distrust | undefined {
  if (kind === "free" || kind === "installed") return undefined;
  const named = name === undefined || name === LOCAL_CODE ? [] : [name];
  return {
    reason: `${shown} ${reason}`,
    trustedAs: kind === "outside" ? [] : [LOCAL_CODE, ...named],
    permit,
  };
}

/** Returns why a package may not stand for the one that was asked for, or `undefined` if it may. */
export function renamed({ name, version, shown }: Place, asked: string): Distrust | undefined {
  if (name === asked) return undefined;
  const real = `${name ?? "a package without a name"}@${version ?? "?"}`;
  return {
    reason: `${asked} → ${real}, another package (${shown})`,
    trustedAs: [trustedName(name)],
  };
}

/** Returns the reason, unless the user trusts such code. */
export function unlessTrusted(
  found: Distrust | undefined,
  trusted: readonly string[],
): Distrust | undefined {
  if (found === undefined || found.trustedAs.length === 0) return found;
  return trusted.some((name) => name === "all" || found.trustedAs.includes(name))
    ? undefined
    : found;
}

/** Whether a package is refrakt's own, or the parser that its packages share. */
export function isOurs(name: string): boolean {
  return isFirstParty(name) || name === MARKDOC_PACKAGE;
}

/** The name for `--trust`; a package called `local` or without a name needs another one. */
export function trustedName(name: string | undefined): string {
  return name === undefined || name === "" || name === LOCAL_CODE ? "all" : name;
}

/** The package that a specifier names; empty for paths and addresses. */
function nameIn(specifier: string): string {
  return /^(?:npm:\/?)?((?:@[^/@]+\/)?[^/@:.#][^/@:]*)(?:[/@]|$)/.exec(specifier)?.[1] ?? "";
}

/** The error for code that was not loaded. */
export function refusal(found: Distrust): RefraktError {
  return new RefraktError("CODE_NOT_TRUSTED", NOT_LOADED + found.reason, { hint: hintFor(found) });
}

const NOT_LOADED = "Not loaded: ";

/** The same error, in the words for the package that needs the file. */
export function neededBy(name: string, error: RefraktError): RefraktError {
  if (!error.message.startsWith(NOT_LOADED)) return error;
  const message = `${name} was not loaded: ${error.message.slice(NOT_LOADED.length)}`;
  return new RefraktError(error.code, message, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    data: { package: name },
    cause: error,
  });
}

/** How to load code that was refused. */
function hintFor({ trustedAs: [name], permit }: Distrust): string {
  if (name !== undefined) return trustHint(name);
  return permit === undefined
    ? "Files outside the folders of --allow-read are never imported: remove the link or the import, " +
      "or start the server in the folder that has both."
    : `If it was installed there, as in a workspace, add its folder: --allow-read=.,${permit}`;
}

/** The latest refusals by message, because a static import loses the error's class. */
const refusals = new Map<string, RefraktError>();
const MOST_REFUSALS = 200;

function remember(error: RefraktError): RefraktError {
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

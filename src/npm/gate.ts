/**
 * Judges every import that begins at our loader, by the real file that would be loaded. Whatever
 * was loaded was judged, so a module that imports another one is trusted.
 */

import { fileURLToPath } from "node:url";
import { messageOf, RefraktError } from "../errors.ts";
import { LOCAL_CODE, trustHint } from "../project/code_policy.ts";
import { checkImports, type WantedModule } from "../sandbox/modules.ts";
import { resolvedFile } from "./installed.ts";
import { isFirstParty, MARKDOC_PACKAGE } from "./names.ts";
import { noteCache, type Place, placeOf } from "./place.ts";

/** Why code is not trusted. */
export interface Distrust {
  /** What would be imported, and why it is not trusted. */
  readonly reason: string;
  /** The name for `--trust`; absent for files that are never loaded. */
  readonly name?: string;
  /** The folder to permit. */
  readonly permit?: string;
}

/** Judges all imports that begin at our loader from now on. */
export function judgeImports(): void {
  checkImports(mayLoad);
}

/**
 * Decides whether a module may be loaded.
 *
 * @throws {RefraktError} `CODE_NOT_TRUSTED`, with the file.
 */
function mayLoad({ url, specifier, trusted, isStart }: WantedModule): void {
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
  const found = misplaced(place, place.shown, trusted) ?? renamed(place, asked, trusted);
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

/**
 * Returns why code may not be loaded from a place, or `undefined` if it may.
 *
 * @param what What is there, as shown.
 * @param trusted What the user trusts.
 */
export function misplaced(
  place: Place,
  what: string,
  trusted: readonly string[],
): Distrust | undefined {
  const { kind, reason, name = "", permit } = place;
  if (kind === "outside") {
    return { reason: `${what} ${reason}`, ...(permit === undefined ? {} : { permit }) };
  }
  const isTrusted = [LOCAL_CODE, "all"].some((each) => trusted.includes(each)) ||
    name !== LOCAL_CODE && trusted.includes(name);
  if (kind !== "project" || isTrusted) return undefined;
  return { reason: `${what} ${reason}`, name: LOCAL_CODE };
}

/** Returns why a package may not stand for another one of refrakt's, or `undefined` if it may. */
function renamed(
  { kind, name, version, shown }: Place,
  asked: string,
  trusted: readonly string[],
): Distrust | undefined {
  const isOurs = isFirstParty(asked) || asked === MARKDOC_PACKAGE;
  if (!isOurs || kind === "free" || name === asked || trusted.includes("all")) return undefined;
  const real = `${name ?? "a package without a name"}@${version ?? "?"}`;
  const trust = trustedName(name);
  if (trusted.includes(trust)) return undefined;
  return { reason: `${asked} → ${real}, another package (${shown})`, name: trust };
}

/** The name for `--trust`; a package called `local` or without a name needs another one. */
export function trustedName(name: string | undefined): string {
  return name === undefined || name === "" || name === LOCAL_CODE ? "all" : name;
}

/** The package that a specifier names; empty for paths and addresses. */
function nameIn(specifier: string): string {
  return /^(?:npm:\/?)?((?:@[^/@]+\/)?[^/@:.#][^/@:]*)(?:[/@]|$)/.exec(specifier)?.[1] ?? "";
}

/** The error for code that was not loaded. @param name The package that needs it. */
export function refusal(found: Distrust, name?: string): RefraktError {
  const message = name === undefined ? NOT_LOADED : `${name} was not loaded: `;
  return new RefraktError("CODE_NOT_TRUSTED", message + found.reason, {
    hint: hintFor(found),
    ...(name === undefined ? {} : { data: { package: name } }),
  });
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
function hintFor({ name, permit }: Distrust): string {
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
  const said = messageOf(error);
  for (const [message, known] of refusals) if (said.includes(message)) return known;
  return undefined;
}

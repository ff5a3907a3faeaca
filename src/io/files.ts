/**
 * Files that are there whole or not at all.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { isNotFound } from "./paths.ts";
import { mayWrite } from "./permissions.ts";

/** A short random suffix for temporary names. */
export function randomSuffix(): string {
  return crypto.randomUUID().slice(0, 8);
}

/**
 * Writes a file by way of a temporary file beside it and a rename, so that a
 * reader or a crash finds the old text or the new one. Where the grant covers
 * the file alone and not its folder, it is written in place.
 *
 * @param path The absolute path; its folder must exist.
 * @param text The whole new content.
 * @param options `mode` for a new file; an existing file keeps its own.
 */
export function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  options: { mode?: number } = {},
): void {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const temporary = join(dirname(path), `.${basename(path)}.${randomSuffix()}.tmp`);
  if (!mayWrite(temporary)) {
    Deno.writeFileSync(path, bytes);
    return;
  }
  const mode = modeOf(path) ?? options.mode;
  try {
    const file = Deno.openSync(temporary, {
      write: true,
      createNew: true,
      ...(mode === undefined ? {} : { mode }),
    });
    try {
      let offset = 0;
      while (offset < bytes.length) offset += file.writeSync(bytes.subarray(offset));
      file.syncSync();
    } finally {
      file.close();
    }
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was never made.
    }
    throw error;
  }
}

/** The status of a path (links followed), or `null` where there is nothing. */
export function statIfExists(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function modeOf(path: string): number | undefined {
  try {
    const mode = Deno.statSync(path).mode;
    return mode === null ? undefined : mode & 0o777;
  } catch {
    return undefined;
  }
}

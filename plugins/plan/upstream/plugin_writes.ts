/**
 * Intercepts the file access of the plugin's code: writes are atomic, and rejected if the file has
 * changed since the plugin read it.
 */

import { RefraktError } from "../../../src/errors.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { isInside, shownPath } from "../../../src/io/paths.ts";
import { readForChange, type SeenFile } from "../../../src/io/shared_files.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { withInterceptor } from "../../../src/stand_ins/call.ts";
import { lineEndsOf } from "../entity/document.ts";

/**
 * Runs plugin code in a project. Skips the writes for which `skip` returns true.
 *
 * @throws {RefraktError} `CONFLICT` if a file has changed since the plugin read it.
 */
export function withPluginWrites<Value>(
  { root, skip }: { readonly root: string; readonly skip?: (path: string) => boolean },
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const seen = new Map<string, SeenFile>();
  return withInterceptor({
    read: (path) => {
      if (!isInside(root, path) || !statIfExists(path)?.isFile) return undefined;
      const file = readForChange(root, path, { kind: "text", isOnlyRead: true });
      seen.set(file.path, file);
      return file.text;
    },
    write: (path, text) => {
      if (skip?.(path) !== true) put(root, path, text, seen);
      return null;
    },
  }, work);
}

function put(root: string, path: string, text: string, seen: Map<string, SeenFile>): void {
  // It may have been read without write permission.
  const now = readIfThere(root, path);
  const known = now && (seen.get(path) ?? now);
  const write = known === undefined
    ? { root, to: path, text }
    : { seen: known, text: lineEndsOf(known.text)(text) };
  if (writeUnlessChanged([write]) !== undefined) throw changedError(root, path);
  // The plugin may write it again without reading it first.
  if (now !== undefined) seen.set(path, readForChange(root, path));
}

function changedError(root: string, path: string): RefraktError {
  return new RefraktError("CONFLICT", `Somebody else has changed ${shownPath(root, path)}`, {
    hint: "Their change was kept. Call again when the other writer has finished.",
  });
}

/**
 * Intercepts the file access of the plugin's code: writes are atomic, and rejected if the file has
 * changed since the plugin read it.
 */

import { quotedName } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { isInside, shownPath } from "../../../src/io/paths.ts";
import { readForChange, type SeenFile } from "../../../src/io/shared_files.ts";
import type { WriteFolder } from "../../../src/io/write_folder.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import { lineEndsOf } from "../entity/document.ts";

/**
 * Runs plugin code that writes in one folder. Skips the writes for which `skip` returns true.
 *
 * @throws {RefraktError} `CONFLICT` if a file has changed since the plugin read it,
 * `PERMISSION_DENIED` for a write outside the folder.
 */
export function withPluginWrites<Value>(
  { folder, skip }: { readonly folder: WriteFolder; readonly skip?: (path: string) => boolean },
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const seen = new Map<string, SeenFile>();
  return withInterceptor({
    folder,
    read: (path) => {
      if (!isInside(folder.root, path) || !statIfExists(path)?.isFile) return undefined;
      const file = readForChange(folder, path, { kind: "text", isOnlyRead: true });
      seen.set(file.path, file);
      return file.text;
    },
    write: (path, text) => {
      if (skip?.(path) !== true) put(folder, path, text, seen);
    },
  }, work);
}

function put(
  folder: WriteFolder,
  path: string,
  text: string,
  seen: Map<string, SeenFile>,
): void {
  // It may have been read without write permission.
  const now = readIfThere(folder, path);
  const before = now && (seen.get(path) ?? now);
  const write = before === undefined
    ? { folder, to: path, text }
    : { seen: before, text: lineEndsOf(before.text)(text) };
  if (writeUnlessChanged([write]) !== undefined) {
    const file = quotedName(shownPath(folder.root, path));
    throw new RefraktError("CONFLICT", `Somebody else has changed ${file}`, {
      hint: "Their change was kept. Call again when the other writer has finished.",
    });
  }
  // The plugin may write it again without reading it first.
  if (now !== undefined) seen.set(path, readForChange(folder, path));
}

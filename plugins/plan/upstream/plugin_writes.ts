/**
 * Intercepts the file access of the plugin's code: writes are atomic, and rejected if the file has
 * changed since the plugin read it.
 */

import { RefraktError } from "../../../src/errors.ts";
import { statIfExists } from "../../../src/io/files.ts";
import { isInside, shownPath } from "../../../src/io/paths.ts";
import {
  createFile,
  readForChange,
  replaceFile,
  type SeenFile,
} from "../../../src/io/shared_files.ts";
import { withInterceptor } from "../../../src/sandbox/call.ts";
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
  if (statIfExists(path) === null) {
    if (createFile(root, path, text)) return;
    throw changedError(root, path);
  }
  // It may have been read without write permission.
  const now = readForChange(root, path);
  const known = seen.get(path) ?? now;
  const replaced = replaceFile(known, lineEndsOf(known.text)(text));
  if (replaced.kind === "written") {
    // The plugin may write it again without reading it first.
    seen.set(path, readForChange(root, path));
    return;
  }
  if (replaced.kind === "overtaken") replaceFile(readForChange(root, path), replaced.text);
  throw changedError(root, path);
}

function changedError(root: string, path: string): RefraktError {
  return new RefraktError("CONFLICT", `Somebody else has changed ${shownPath(root, path)}`, {
    hint: "Their change was kept. Call again when the other writer has finished.",
  });
}

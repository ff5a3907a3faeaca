/**
 * What the plugin's own code writes: each file in the way in which all files are
 * written, and only while it is what that code has read.
 *
 * @module
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
import { withLineEndsOf } from "../line_ends.ts";

/** How often the work is begun again where others write the same files. */
const MOST_TRIES = 5;

/** How the plugin's writes are run. */
export interface PluginWrites {
  /** The project. */
  readonly root: string;
  /** Whether a write is left out. */
  readonly skip?: (path: string) => boolean;
}

/**
 * Runs work of the plugin, which may be run again from the beginning.
 *
 * @throws {RefraktError} `CONFLICT` where somebody else writes the same file at each try.
 */
export async function withPluginWrites<Value>(
  { root, skip }: PluginWrites,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  for (let tries = 1;; tries++) {
    const seen = new Map<string, SeenFile>();
    try {
      return await withInterceptor({
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
    } catch (error) {
      if (!(error instanceof Overtaken) || tries >= MOST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5 * tries));
    }
  }
}

/** Somebody else has written a file since the plugin read it. */
class Overtaken extends RefraktError {
  constructor(shown: string) {
    super("CONFLICT", `Somebody else keeps changing ${shown}`, {
      hint: "Call again when the other writer has finished; what is there already stays.",
    });
  }
}

function put(root: string, path: string, text: string, seen: Map<string, SeenFile>): void {
  const shown = shownPath(root, path);
  if (statIfExists(path) === null) {
    if (!createFile(root, path, text)) throw new Overtaken(shown);
    return;
  }
  // It must be writable, whatever it was read for.
  const now = readForChange(root, path);
  const known = seen.get(path) ?? now;
  const replaced = replaceFile(known, withLineEndsOf(known.text, text));
  if (replaced.kind === "written") {
    // The plugin may write it again, and need not have read it in between.
    seen.set(path, readForChange(root, path));
    return;
  }
  if (replaced.kind === "overtaken") replaceFile(readForChange(root, path), replaced.text);
  throw new Overtaken(shown);
}

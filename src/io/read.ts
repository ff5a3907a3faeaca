/**
 * Bounded reads of project files. A file may be a link out of the project, a FIFO, an endless
 * device or larger than memory, so every read has a size limit and opens the real path of a regular
 * file.
 */

import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { decodeLeniently, decodeText } from "./decode.ts";
import { nodeModule } from "./node_module.ts";
import { isNotFound, resolveInside, shownPath } from "./paths.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The maximum size in bytes by kind, ten times that of real files. */
export const SIZE_LIMITS = {
  /** `refrakt.config.json`, or a theme's configuration. */
  config: 1 * MIB,
  /** `package.json`, `deno.json`, a workspace file, or a theme's manifest. */
  manifest: 2 * MIB,
  lock: 32 * MIB,
  /** A plan entity. */
  plan: 256 * KIB,
  /** A document or state file of a Ralph spec. */
  spec: 1 * MIB,
  page: 512 * KIB,
  /** An example of a rune from its package. */
  fixture: 256 * KIB,
  style: 8 * MIB,
  /** A local module, such as one with the project's own runes. */
  module: 4 * MIB,
  /** An image that the preview shows. */
  image: 1 * MIB,
  /** Any other text, such as `AGENTS.md` or `.gitignore`. */
  text: 4 * MIB,
} as const satisfies Record<string, number>;

export type FileKind = keyof typeof SIZE_LIMITS;

/** Larger than most files, in bytes. */
const USUAL_SIZE = 16 * KIB;

/** Files that packages bring too: a wrong byte in them does not matter. */
const OTHERS: ReadonlySet<FileKind> = new Set(["manifest", "lock", "fixture", "style", "module"]);

/**
 * Reads a whole file of the project.
 *
 * @param root The project's real, absolute path.
 * @param path The file: relative to `root`, or absolute.
 * @param kind Selects the size limit.
 * @throws {RefraktError} `PERMISSION_DENIED` if it leads out of `root`, `FILE_OPERATION_FAILED` if it
 * is not a regular file or too large, `VALIDATION_ERROR` if it is not UTF-8.
 * @throws {Deno.errors.NotFound} If it does not exist.
 */
export function readInside(root: string, path: string, kind: FileKind): string {
  const bytes = readBytesInside(root, path, kind);
  return OTHERS.has(kind) ? decodeLeniently(bytes) : decodeText(bytes, shown(root, path));
}

/** Like {@linkcode readInside}, for files that are not text. */
export function readBytesInside(root: string, path: string, kind: FileKind): Uint8Array {
  const limit = SIZE_LIMITS[kind];
  const real = resolveInside(root, path, "The file");
  // Deno's own `open` would not accept the name of a link that may be read.
  const { size, isFile } = Deno.lstatSync(real);
  if (!isFile) throw notRegular(root, path);
  const bytes = readFile(real, size, limit);
  if (bytes !== null) return bytes;
  throw new RefraktError(
    "FILE_OPERATION_FAILED",
    `File is too large: ${shown(root, path)} has more than ${limit} bytes`,
    { hint: "Split or shorten it.", data: { limit } },
  );
}

/**
 * Reads a file that a walk of the project has just found to be regular, by its real path: five times
 * as fast as {@linkcode readInside}.
 *
 * @returns `null` if it is too large.
 * @throws {RefraktError} `VALIDATION_ERROR` if it is not UTF-8.
 */
export function readFound(real: string, kind: FileKind): string | null {
  const bytes = readFile(real, USUAL_SIZE, SIZE_LIMITS[kind]);
  return bytes === null ? null : decodeText(bytes, real);
}

/** Reads a file without waiting for the writer of a FIFO or following a link put there meanwhile. */
function readFile(real: string, size: number, limit: number): Uint8Array | null {
  const { closeSync, constants, openSync } = nodeModule("node:fs");
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const fd = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    return readOpen(fd, size, limit);
  } finally {
    closeSync(fd);
  }
}

/** Like {@linkcode readInside}, but returns `null` if the file does not exist. */
export function readIfExists(root: string, path: string, kind: FileKind): string | null {
  try {
    return readInside(root, path, kind);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Reads an open file from the beginning, and beyond the reported size: files grow, and some report
 * none.
 *
 * @returns `null` above the limit.
 */
export function readOpen(fd: number, size: number, limit: number): Uint8Array | null {
  const { readSync } = nodeModule("node:fs");
  let bytes = new Uint8Array(Math.min(size, limit) + 1);
  let filled = 0;
  for (;;) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, filled);
    if (count === 0) return bytes.subarray(0, filled);
    filled += count;
    if (filled > limit) return null;
    if (filled === bytes.length) {
      const larger = new Uint8Array(Math.min(bytes.length * 2, limit + 1));
      larger.set(bytes);
      bytes = larger;
    }
  }
}

function notRegular(root: string, path: string): RefraktError {
  return new RefraktError("FILE_OPERATION_FAILED", `Not a regular file: ${shown(root, path)}`, {
    hint: "Replace it with a regular file; folders, devices and pipes are not read.",
  });
}

function shown(root: string, path: string): string {
  return JSON.stringify(shownPath(root, resolve(root, path)));
}

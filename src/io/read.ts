/**
 * Bounded reads of project files. A file may be a link out of the project, a FIFO, an endless
 * device or larger than memory, so every read has a size limit and opens the real path of a regular
 * file.
 */

import { countAndLimit } from "../plain_text.ts";
import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { decodeLeniently, decodeText } from "./decode.ts";
import { OpenFile } from "./open_file.ts";
import { noteRead } from "./reads.ts";
import { ifFound, resolveInside, shownPath } from "./paths.ts";

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
  /** An image, font or recording that the preview serves. */
  asset: 32 * MIB,
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
  return OTHERS.has(kind) ? decodeLeniently(bytes) : decodeText(bytes, quotedPath(root, path));
}

/** Like {@linkcode readInside}, for files that are not text. */
export function readBytesInside(
  root: string,
  path: string,
  kind: FileKind,
): Uint8Array<ArrayBuffer> {
  noteRead(resolve(root, path));
  const real = resolveInside(root, path, "The file");
  // Folders cannot be opened everywhere.
  if (!Deno.lstatSync(real).isFile) throw notRegular(quotedPath(root, path));
  using file = new OpenFile(real);
  return readWhole(file, kind, quotedPath(root, path));
}

/**
 * Reads an open file.
 *
 * @param path The file's path for the message.
 * @throws {RefraktError} `FILE_OPERATION_FAILED` if it is not a regular file or too large.
 */
export function readWhole(
  file: OpenFile,
  kind: FileKind,
  path: string,
): Uint8Array<ArrayBuffer> {
  const status = file.status();
  if (!status.isFile()) throw notRegular(path);
  const limit = SIZE_LIMITS[kind];
  const bytes = file.read(Number(status.size), limit);
  if (bytes !== null) return bytes;
  throw new RefraktError(
    "FILE_OPERATION_FAILED",
    `File is too large: ${path} has ${
      countAndLimit(Math.max(Number(status.size), limit + 1), "bytes", limit)
    }`,
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
  using file = new OpenFile(real);
  const bytes = file.read(USUAL_SIZE, SIZE_LIMITS[kind]);
  return bytes === null ? null : decodeText(bytes, real);
}

/** Like {@linkcode readInside}, but returns `null` if the file does not exist. */
export function readIfExists(root: string, path: string, kind: FileKind): string | null {
  return ifFound(() => readInside(root, path, kind), null);
}

function notRegular(path: string): RefraktError {
  return new RefraktError("FILE_OPERATION_FAILED", `Not a regular file: ${path}`, {
    hint: "Replace it with a regular file; folders, devices and pipes are not read.",
  });
}

function quotedPath(root: string, path: string): string {
  return JSON.stringify(shownPath(root, resolve(root, path)));
}

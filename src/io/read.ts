/**
 * Reads files of the project. Any of them may be a link that leads outside, a
 * FIFO, a device without an end or larger than memory, so each read is bounded, and opens the
 * real path without following a link or waiting for a writer.
 *
 * @module
 */

import * as fs from "node:fs";
import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";
import { isNotFound, resolveInside, shownPath } from "./paths.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest file that is read, in bytes, by what it is for. Real ones are a tenth of that. */
export const SIZE_LIMITS = {
  /** `refrakt.config.json`, a theme's configuration. */
  config: 1 * MIB,
  /** `package.json`, `deno.json`, a workspace file, a theme's manifest. */
  manifest: 2 * MIB,
  /** A lock file. */
  lock: 32 * MIB,
  /** An entity of the plan. */
  plan: 256 * KIB,
  /** A document or state file of a Ralph spec. */
  spec: 1 * MIB,
  /** A page of a site. */
  page: 512 * KIB,
  /** An example of a rune that a package brings along. */
  fixture: 256 * KIB,
  /** A style sheet. */
  style: 8 * MIB,
  /** A local module, such as a rune of the project. */
  module: 4 * MIB,
  /** Any other text, such as `AGENTS.md` or `.gitignore`. */
  text: 4 * MIB,
} as const satisfies Record<string, number>;

/** What a file is for. */
export type FileKind = keyof typeof SIZE_LIMITS;

/** The beginning of a file. */
export interface FileHead {
  /** What was read. */
  readonly text: string;
  /** Whether the file is longer. */
  readonly cut: boolean;
}

/** A FIFO is opened without waiting for a writer; the real path is no link. */
const OPEN_FLAGS: number = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) |
  (fs.constants.O_NOFOLLOW ?? 0);

/**
 * Reads a file of the project whole.
 *
 * @param root The project's real, absolute path.
 * @param path The file: relative to `root`, or absolute.
 * @param kind What it is for, which decides how large it may be.
 * @throws {RefraktError} `PERMISSION_DENIED` where it leads out of `root`,
 * `FILE_OPERATION_FAILED` where it is no regular file or too large.
 * @throws {Deno.errors.NotFound} Where there is none.
 */
export function readInside(root: string, path: string, kind: FileKind): string {
  const limit = SIZE_LIMITS[kind];
  const { text, cut } = readHead(root, path, limit);
  if (!cut) return text;
  throw new RefraktError(
    "FILE_OPERATION_FAILED",
    `File is too large: ${shown(root, path)} has more than ${limit} bytes`,
    { hint: "Split it, or make it shorter.", data: { limit } },
  );
}

/** The text of a file of the project, or `null` where there is none; see {@linkcode readInside}. */
export function readIfExists(root: string, path: string, kind: FileKind): string | null {
  try {
    return readInside(root, path, kind);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Reads the beginning of a file of the project; see {@linkcode readInside}.
 *
 * @param limit The most bytes to read.
 */
export function readHead(root: string, path: string, limit: number): FileHead {
  const fd = openFile(root, path, resolveInside(root, path, "The file"));
  try {
    const info = fs.fstatSync(fd);
    if (!info.isFile()) throw notRegular(root, path);
    const { bytes, cut } = readBytes(fd, info.size, limit);
    return { text: decoder.decode(bytes), cut };
  } finally {
    fs.closeSync(fd);
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function openFile(root: string, path: string, real: string): number {
  try {
    return fs.openSync(real, OPEN_FLAGS);
  } catch (error) {
    // A socket cannot be opened at all; a link that appeared just now is not followed.
    const code = fieldOf(error, "code");
    if (code === "ENXIO" || code === "ELOOP" || code === "ENODEV") throw notRegular(root, path);
    throw error;
  }
}

/** Reads on beyond the size that was reported: a file may grow, and some report none at all. */
function readBytes(
  fd: number,
  size: number,
  limit: number,
): { bytes: Uint8Array; cut: boolean } {
  let bytes = new Uint8Array(Math.min(size, limit) + 1);
  let filled = 0;
  for (;;) {
    const count = fs.readSync(fd, bytes, filled, bytes.length - filled, null);
    if (count === 0) return { bytes: bytes.subarray(0, filled), cut: false };
    filled += count;
    if (filled > limit) return { bytes: bytes.subarray(0, limit), cut: true };
    if (filled === bytes.length) {
      const larger = new Uint8Array(Math.min(bytes.length * 2, limit + 1));
      larger.set(bytes);
      bytes = larger;
    }
  }
}

function notRegular(root: string, path: string): RefraktError {
  return new RefraktError("FILE_OPERATION_FAILED", `Not a regular file: ${shown(root, path)}`, {
    hint: "Put a plain file in its place; folders, devices and pipes are not read.",
  });
}

function shown(root: string, path: string): string {
  return JSON.stringify(shownPath(root, resolve(root, path)));
}

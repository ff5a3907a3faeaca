/**
 * Reads files of the project. Any of them may be a link that leads outside, a
 * FIFO, a device without an end or larger than memory, so each read is bounded,
 * and what was checked is the open file, not its name.
 *
 * @module
 */

import * as fs from "node:fs";
import { dirname, resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { fieldOf } from "./json.ts";
import { isInside, isNotFound, resolveInside, shownPath } from "./paths.ts";

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

/** How often a file is opened that is replaced while it is read. */
const ATTEMPTS = 5;

/** A FIFO is opened without waiting for a writer; the real path is no link. */
export const OPEN_FLAGS: number = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) |
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
  // Another server may write the file by a rename just now: the new one is as good.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const head = readOnce(root, path, limit);
    if (head !== null) return head;
  }
  throw new RefraktError("PERMISSION_DENIED", `File was replaced: ${shown(root, path)}`, {
    hint: "Call again when the file is no longer being changed.",
  });
}

/** One try to read a file, or `null` where another took its place meanwhile. */
function readOnce(root: string, path: string, limit: number): FileHead | null {
  const started = Date.now();
  const real = resolveInside(root, path, "The file");
  const fd = openFile(root, path, real);
  try {
    const info = fs.fstatSync(fd);
    if (!info.isFile()) throw notRegular(root, path);
    if (!isStillAt(root, real, inodeOf(info), started)) return null;
    const { bytes, cut } = readBytes(fd, info.size, limit);
    return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), cut };
  } finally {
    fs.closeSync(fd);
  }
}

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

/** How far a folder's stamp may lag, in milliseconds: Deno tells whole seconds of it. */
const STAMP_LAG_MS = 1100;

/** How often to look while folders change: a fast writer can pass a single check. */
const CHECKS = 8;

/**
 * Whether the open file is the one at its real path. A folder on the way may have
 * been replaced by a link after the path was resolved.
 */
export function isStillAt(
  root: string,
  real: string,
  inode: number | null,
  started: number,
): boolean {
  for (let check = 0; check < CHECKS; check++) {
    if (Deno.realPathSync(real) !== real || Deno.statSync(real).ino !== inode) return false;
    if (check === 0 && !foldersChanged(root, dirname(real), started)) return true;
  }
  return true;
}

/**
 * Whether a folder or one above it has changed. Replacing a folder stamps the one that holds
 * it: where no stamp is new, nothing was replaced.
 *
 * @param folder The first one, absolute.
 * @param since Milliseconds since 1970; stamps may lag, so a little before counts too.
 */
export function foldersChanged(root: string, folder: string, since: number): boolean {
  for (; isInside(root, folder); folder = dirname(folder)) {
    const changed = Deno.lstatSync(folder).ctime;
    if (changed !== null && changed.getTime() > since - STAMP_LAG_MS) return true;
    if (folder === root) break;
  }
  return false;
}

/** Windows has inode numbers that a double cannot hold, and Deno reports none there. */
function inodeOf(info: fs.Stats): number | null {
  return Deno.build.os === "windows" ? null : info.ino;
}

function notRegular(root: string, path: string): RefraktError {
  return new RefraktError("FILE_OPERATION_FAILED", `Not a regular file: ${shown(root, path)}`, {
    hint: "Put a plain file in its place; folders, devices and pipes are not read.",
  });
}

function shown(root: string, path: string): string {
  return JSON.stringify(shownPath(root, resolve(root, path)));
}

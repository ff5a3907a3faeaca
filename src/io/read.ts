/**
 * Bounded reads of project files. A file may be a link out of the project, a FIFO, an endless
 * device or larger than memory, so every read has a size limit and opens the real path of a regular
 * file.
 */

import { countAndLimit } from "../plain_text.ts";
import { resolve } from "node:path";
import { RefraktError } from "../errors.ts";
import { noteRead } from "./reads.ts";
import { ifFound, resolveInside, shownPath } from "./paths.ts";
import { nodeModule } from "./lazily.ts";

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

/** The size of the first read, in bytes: most files are smaller. */
const USUAL_SIZE = 16 * KIB;

/** Files that come with packages, too: an invalid byte in them does not matter. */
const OTHERS: ReadonlySet<FileKind> = new Set(["manifest", "lock", "fixture", "style", "module"]);

/**
 * Reads a whole file of the project.
 *
 * @param path The file: relative to `root`, or absolute.
 * @throws {RefraktError} `PERMISSION_DENIED` if it leads out of `root`, `FILE_OPERATION_FAILED` if it
 * is not a regular file or too large, `VALIDATION_ERROR` if it is not UTF-8.
 * @throws {Deno.errors.NotFound} If it does not exist.
 */
export function readInside(root: string, path: string, kind: FileKind): string {
  const bytes = readBytesInside(root, path, kind);
  return OTHERS.has(kind) ? decodeLeniently(bytes) : decodeText(bytes, quotedPath(root, path));
}

/** Like {@linkcode readInside}, for files that are not text. */
export function readBytesInside(root: string, path: string, kind: FileKind) {
  noteRead(resolve(root, path));
  const real = resolveInside(root, path, "The file");
  // Folders cannot be opened everywhere.
  if (!Deno.lstatSync(real).isFile) throw notRegular(quotedPath(root, path));
  using file = new OpenFile(real);
  return readWhole(file, kind, quotedPath(root, path));
}

/** Reads an open file, which must be regular and within the limit; `path` is for the message. */
export function readWhole(file: OpenFile, kind: FileKind, path: string) {
  const status = file.status();
  if (!status.isFile()) throw notRegular(path);
  const limit = SIZE_LIMITS[kind];
  const bytes = file.read(Number(status.size), limit);
  if (bytes !== null) return bytes;
  const count = countAndLimit(Math.max(Number(status.size), limit + 1), "bytes", limit);
  throw new RefraktError("FILE_OPERATION_FAILED", `File is too large: ${path} has ${count}`, {
    hint: "Split or shorten it.",
    data: { limit },
  });
}

/**
 * Reads a file that a walk of the project has just found to be regular, by its real path: five times
 * as fast as {@linkcode readInside}. Returns `null` if it is too large.
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

/** Keeps a byte order mark, so that a changed file keeps its first bytes. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes UTF-8; a byte order mark stays in the text.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for another encoding, such as the UTF-16 of PowerShell 5.1.
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  let cause: unknown;
  try {
    const text = UTF8.decode(bytes);
    // UTF-16 without a byte order mark is valid UTF-8 if all of its characters are ASCII.
    if (!text.includes("\0")) return text;
  } catch (error) {
    cause = error;
  }
  const start = bytes.subarray(0, 2).toHex();
  const isWide = start === "fffe" || start === "feff" || bytes.subarray(0, 1000).includes(0);
  const encoding = isWide ? "UTF-16 or binary, not UTF-8" : "Not UTF-8";
  throw new RefraktError("VALIDATION_ERROR", `${encoding}: ${path}`, {
    hint: "Save it as UTF-8; rewriting it now would lose characters. In PowerShell 5.1, write " +
      "files with Set-Content -Encoding utf8: > writes UTF-16.",
    cause,
  });
}

/** Decodes UTF-8, whatever the bytes are. */
export function decodeLeniently(bytes: Uint8Array): string {
  return LENIENT.decode(bytes);
}

/** Removes a byte order mark. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** An open file; `using` closes it. */
export class OpenFile implements Disposable {
  readonly #fd: number;

  /**
   * Opens a file; neither waits for the writer of a FIFO nor follows a link put there meanwhile.
   */
  constructor(real: string) {
    const { constants, openSync } = nodeModule("node:fs");
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    this.#fd = openSync(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  }

  /** The status, with times in nanoseconds. */
  status() {
    return nodeModule("node:fs").fstatSync(this.#fd, { bigint: true });
  }

  /** Identifies the file and its content; its ctime changes with links and renames. */
  state(): string {
    const { mtimeNs, size, ino } = this.status();
    return `${mtimeNs}:${size}:${ino}`;
  }

  /** Reads also beyond the expected size: files grow, and some report none. `null` above the limit. */
  read(size: number, limit: number): Uint8Array<ArrayBuffer> | null {
    const { readSync } = nodeModule("node:fs");
    let bytes = new Uint8Array(Math.min(size, limit) + 1);
    let filled = 0;
    for (;;) {
      const count = readSync(this.#fd, bytes, filled, bytes.length - filled, filled);
      if (count === 0) return bytes.subarray(0, filled);
      filled += count;
      if (filled > limit) return null;
      if (filled < bytes.length) continue;
      const larger = new Uint8Array(Math.min(bytes.length * 2, limit + 1));
      larger.set(bytes);
      bytes = larger;
    }
  }

  /** Reads the last bytes. */
  readEnd(length: number): Uint8Array {
    const { fstatSync, readSync } = nodeModule("node:fs");
    const bytes = new Uint8Array(length);
    const start = Math.max(0, fstatSync(this.#fd).size - length);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, length, start));
  }

  [Symbol.dispose](): void {
    nodeModule("node:fs").closeSync(this.#fd);
  }
}

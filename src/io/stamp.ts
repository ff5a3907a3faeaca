/**
 * Stamps of files: whether one has changed since it was read.
 *
 * @module
 */

/**
 * What tells one state of a file from another. Times are in milliseconds, or as `bigint` in
 * nanoseconds.
 */
export interface FileStamp<Amount extends number | bigint = number> {
  /** When its content was last changed. */
  readonly mtime: Amount;
  /** When it or its name was last changed. */
  readonly ctime: Amount;
  /** Its length in bytes. */
  readonly size: Amount;
  /** Its number in the file system. */
  readonly inode: Amount;
}

/** A change this shortly before a file was read may have gone on after it, in milliseconds. */
const SETTLED_MS = 20;

/** The stamp of what a `stat` told. */
export function stampOf(info: Deno.FileInfo): FileStamp {
  return {
    mtime: info.mtime?.getTime() ?? 0,
    ctime: info.ctime?.getTime() ?? 0,
    size: info.size,
    inode: info.ino ?? 0,
  };
}

/** The stamp of what a `stat` of `node:fs` told with `bigint: true`, as exact as the system has it. */
export function exactStampOf(
  info: Readonly<Record<"mtimeNs" | "ctimeNs" | "size" | "ino", bigint>>,
): FileStamp<bigint> {
  return { mtime: info.mtimeNs, ctime: info.ctimeNs, size: info.size, inode: info.ino };
}

/** Whether two stamps are of the same state of the same file. */
export function isSameStamp<Amount extends number | bigint>(
  a: FileStamp<Amount>,
  b: FileStamp<Amount>,
): boolean {
  return a.mtime === b.mtime && a.size === b.size && a.ctime === b.ctime && a.inode === b.inode;
}

/**
 * Whether a file with this stamp is still as it was read: the stamp is the same, and
 * old enough that a change after the reading would have given it another.
 *
 * @param stamp The stamp now.
 * @param before The stamp just before it was read.
 * @param readAt When it was read, in milliseconds.
 */
export function isUnchanged(stamp: FileStamp, before: FileStamp, readAt: number): boolean {
  // Each look compares every file: one comparison for numbers and for `bigint` would be slower.
  return stamp.mtime === before.mtime && stamp.size === before.size &&
    stamp.ctime === before.ctime && stamp.inode === before.inode &&
    stamp.mtime < readAt - SETTLED_MS;
}

/** The text of the stamp of a file that is not there, or cannot be looked at. */
export const NO_FILE = "-";

/**
 * The stamp of a file as a text; {@linkcode NO_FILE} where there is none.
 *
 * @param options `link`: a link itself is meant, not what it leads to.
 */
export function fileStamp(path: string, options: { readonly link?: boolean } = {}): string {
  try {
    const info = options.link === true ? Deno.lstatSync(path) : Deno.statSync(path);
    const { mtime, ctime, size, inode } = stampOf(info);
    return `${mtime}:${ctime}:${size}:${inode}`;
  } catch {
    return NO_FILE;
  }
}

/**
 * Stamps of files: whether one has changed since it was read.
 *
 * @module
 */

/** What tells one state of a file from another, as far as the runtime knows it. */
export interface FileStamp {
  /** When its content was last changed, in milliseconds. */
  readonly mtime: number;
  /** When it or its name was last changed, in milliseconds. */
  readonly ctime: number;
  /** Its length in bytes. */
  readonly size: number;
  /** Its number in the file system. */
  readonly inode: number;
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

/** Whether two stamps are of the same state of the same file. */
export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
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
  return isSameStamp(stamp, before) && stamp.mtime < readAt - SETTLED_MS;
}

/** File stamps, to detect changes. */

/** Identifies a state of a file. Times are in milliseconds. */
export interface FileStamp {
  /** The modification time. */
  readonly mtime: number;
  /** The time of the last change of content or metadata. */
  readonly ctime: number;
  /** The size in bytes. */
  readonly size: number;
  /** The inode number. */
  readonly inode: number;
}

/** A file modified this shortly before it was read may have changed again, in milliseconds. */
const SETTLED_MS = 20;

export function stampOf(info: Deno.FileInfo): FileStamp {
  return {
    mtime: info.mtime?.getTime() ?? 0,
    ctime: info.ctime?.getTime() ?? 0,
    size: info.size,
    inode: info.ino ?? 0,
  };
}

/**
 * Whether a file is unchanged since it was read: the stamp is the same, and old enough that a later
 * change would have altered it.
 *
 * @param stamp The current stamp.
 * @param before The stamp just before the read.
 * @param readAt When the file was read, in milliseconds.
 */
export function isUnchanged(stamp: FileStamp, before: FileStamp, readAt: number): boolean {
  const isSame = stamp.mtime === before.mtime && stamp.size === before.size &&
    stamp.ctime === before.ctime && stamp.inode === before.inode;
  return isSame && stamp.mtime < readAt - SETTLED_MS;
}

/** The stamp of a file that does not exist or cannot be read. */
export const NO_FILE = "-";

/**
 * Returns the stamp as text, {@linkcode NO_FILE} if there is no file.
 *
 * @param options `link`: stamp a link itself, not its target.
 */
export function fileStamp(path: string, options: { readonly link?: boolean } = {}): string {
  try {
    return stampText(options.link === true ? Deno.lstatSync(path) : Deno.statSync(path));
  } catch {
    return NO_FILE;
  }
}

/** Returns the stamp of what is known of a file, as text. */
export function stampText(info: Deno.FileInfo): string {
  const { mtime, ctime, size, inode } = stampOf(info);
  return `${mtime}:${ctime}:${size}:${inode}`;
}

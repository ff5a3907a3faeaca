/** File stamps, to detect changes: modification time, time of the last change, size and inode. */

import { orElse } from "../errors.ts";

/** A file modified this shortly before it was read may have changed again, in milliseconds. */
const SETTLED_MS = 20;

/** The stamp of a file that does not exist or cannot be read. */
export const NO_FILE = "-";

/** The modification time, in milliseconds. */
export function modifiedAt(info: Deno.FileInfo): number {
  return info.mtime?.getTime() ?? 0;
}

/** The modification time comes first. */
export function stampOf(info: Deno.FileInfo): string {
  const { ctime, size, ino } = info;
  return `${modifiedAt(info)}:${ctime?.getTime() ?? 0}:${size}:${ino ?? 0}`;
}

/** Whether a file had not changed shortly before a time: a later change alters its stamp. */
export function isSettled(stamp: string, time: number): boolean {
  const [modified, changed] = stamp.split(":").map(Number);
  const isRecent = Math.abs(time - Math.max(modified!, changed!)) <= SETTLED_MS;
  return !isRecent;
}

/**
 * Whether a file is unchanged since it was read: the stamp is the same, and old enough that a later
 * change would have altered it.
 *
 * @param before The stamp just before the read.
 * @param readAt When the file was read, in milliseconds.
 */
export function isUnchanged(stamp: string, before: string, readAt: number): boolean {
  return stamp === before && Number.parseInt(stamp) < readAt - SETTLED_MS;
}

/**
 * Returns the stamp of a path, {@linkcode NO_FILE} if there is no file.
 *
 * @param options `link`: stamp a link itself, not its target.
 */
export function fileStamp(path: string, options: { readonly link?: boolean } = {}): string {
  const read = options.link === true ? Deno.lstatSync : Deno.statSync;
  return orElse(() => stampOf(read(path)), NO_FILE);
}

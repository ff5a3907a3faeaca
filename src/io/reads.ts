/**
 * Records which files work reads, so that its result can be kept until one of them changes: what
 * packages read through `node:fs`, what we read for them, and what detection reads. Missing files
 * count too.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { dirname } from "node:path";
import { orElse } from "../errors.ts";
import { mayRead } from "./permissions.ts";
import { NO_FILE, stampOf } from "./stamp.ts";

/** Stamps by absolute path; paths of folders end with `/`. */
export type Reads = ReadonlyMap<string, string>;

interface Recording {
  readonly reads: Map<string, string>;
  /** Timers that work leaves behind are not part of it. */
  isOpen: boolean;
}

const recording = new AsyncLocalStorage<Recording>();

/** Notes a file, before it is read; a folder with a trailing slash, before it is listed. */
export function noteRead(path: string): void {
  const current = recording.getStore();
  if (current?.isOpen !== true || current.reads.has(path)) return;
  current.reads.set(path, stampNow(path));
}

/** Notes what was read for a result that is used again. */
export function noteReads(reads: Reads): void {
  copy(reads, recording.getStore());
}

/** Notes what a promise reads until it has settled, before those who await it go on. */
export function noteReadsOf(promise: Promise<unknown>, reads: Reads): void {
  const current = recording.getStore();
  if (current !== undefined) promise.then(() => copy(reads, current), () => {});
}

function copy(reads: Reads, to: Recording | undefined): void {
  if (to?.isOpen !== true) return;
  for (const [path, stamp] of reads) to.reads.getOrInsert(path, stamp);
}

/** Runs work, and returns what it read; what surrounds it has read that, too. */
export async function recordReads<Value>(
  work: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly reads: Reads }> {
  const reads = new Map<string, string>();
  const value = await recordInto(reads, work);
  noteReads(reads);
  return { value, reads };
}

/** Runs work, and adds what it reads to what was read before. */
export function recordInto<Value>(reads: Map<string, string>, work: () => Value): Value {
  const current = { reads, isOpen: true };
  const close = () => void (current.isOpen = false);
  let value: Value | undefined;
  try {
    return value = recording.run(current, work);
  } finally {
    if (value instanceof Promise) value.then(close, close);
    else close();
  }
}

/** Whether all files are as they were before they were read. */
export function areCurrent(reads: Reads): boolean {
  const stamps = new Map<string, string>();
  const ofFolder = (folder: string) => {
    return stamps.getOrInsertComputed(folder, () => folderStamp(folder) ?? NO_FILE);
  };
  return reads.entries().every(([path, stamp]) => {
    const known = seen.get(path);
    if (known?.stamp === stamp && ofFolder(known.folder) === known.date) return true;
    return stampNow(path) === stamp;
  });
}

/** What stays while the date of a folder does: its names, or that a file is missing below it. */
interface Seen {
  readonly stamp: string;
  readonly folder: string;
  readonly date: string;
}

const seen = new Map<string, Seen>();
const MOST_SEEN = 20_000;

/** How long ago a folder must have changed for its date to tell of the next change. */
const SETTLED_MS = 20;

/** The stamp of what may not be read. */
const NOT_PERMITTED = "not permitted";

/** Names that this process may not read, and never may: each refusal is an error, which takes long. */
const refused = new Set<string>();

/** The stamp of a folder that is listed is its names: writing a file in it may change its date. */
function stampNow(path: string): string {
  if (refused.has(path)) return NOT_PERMITTED;
  try {
    if (path.endsWith("/")) {
      const date = folderStamp(path);
      const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort().join();
      return keep(path, names, path, date);
    }
    const info = Deno.statSync(path);
    return info.isDirectory ? "folder" : stampOf(info);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      if (refused.size < MOST_SEEN && !mayRead(path)) refused.add(path);
      return NOT_PERMITTED;
    }
    let folder = path;
    let date: string | undefined;
    // Finding out that a file is missing takes longer than the date of a folder.
    while (date === undefined && dirname(folder) !== folder) {
      date = folderStamp(folder = dirname(folder));
    }
    return keep(path, NO_FILE, folder, date);
  }
}

function keep(path: string, stamp: string, folder: string, date: string | undefined): string {
  if (seen.size >= MOST_SEEN) seen.clear();
  const changed = Number(date?.split(":")[0]);
  if (date !== undefined && changed < Date.now() - SETTLED_MS) {
    seen.set(path, { stamp, folder, date });
  } else seen.delete(path);
  return stamp;
}

/** The date of a folder; `undefined` if there is none. */
function folderStamp(folder: string): string | undefined {
  const { mtime, ino, isDirectory } = orElse<Partial<Deno.FileInfo>>(
    () => Deno.statSync(folder),
    {},
  );
  return isDirectory ? `${mtime?.getTime()}:${ino}` : undefined;
}

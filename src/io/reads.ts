/**
 * Records the files that work reads, so that its result can be kept until one changes: those that
 * packages read through `node:fs`, those that we read for them, and those of detection. Missing
 * files count too.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { dirname } from "node:path";
import { orElse } from "../errors.ts";
import { mayRead } from "./permissions.ts";

/** What was read for a value. */
export interface Reads {
  /** Stamps by absolute path; paths of folders end with `/`. */
  readonly files: Map<string, string>;
  /** The reads of the values that it was made from. */
  readonly parts: Set<Reads>;
  /** When the value expires, by `Date.now()`. */
  until: number;
  /** Whether the work is running; reads of timers that it leaves behind do not count. */
  isOpen: boolean;
}

const readRecording = new AsyncLocalStorage<Reads>();

export function newReads(): Reads {
  return { files: new Map(), parts: new Set(), until: Infinity, isOpen: false };
}

/** Notes a file, before it is read; a folder with a trailing slash, before it is listed. */
export function noteRead(path: string): void {
  const reads = readRecording.getStore();
  if (reads?.isOpen !== true || reads.files.has(path)) return;
  reads.files.set(path, stampBefore(path));
}

/** Notes what was read for a value that is used again. */
export function noteReads(part: Reads): void {
  const reads = readRecording.getStore();
  if (reads?.isOpen === true && reads !== part) reads.parts.add(part);
}

/** Notes that the result of the work expires at a time, by `Date.now()`. */
export function noteUntil(time: number): void {
  const reads = readRecording.getStore();
  if (reads?.isOpen === true) reads.until = Math.min(reads.until, time);
}

/** Runs work, and adds what it reads to what was read before. */
export function recordInto<Value>(reads: Reads, work: () => Value): Value {
  const part = newReads();
  reads.parts.add(part);
  return record(part, work);
}

/** Runs work, and notes what it reads. */
export function record<Value>(reads: Reads, work: () => Value): Value {
  const close = () => void (reads.isOpen = false);
  let value: Value | undefined;
  reads.isOpen = true;
  try {
    return value = readRecording.run(reads, work);
  } finally {
    if (value instanceof Promise) value.then(close, close);
    else close();
  }
}

/** Everything that was read, with what was read for its parts: the first stamp of each path. */
export function allReads({ files, parts, until }: Reads): Pick<Reads, "files" | "until"> {
  const all = new Map(files);
  const allParts = new Set(parts);
  // The loop adds the parts of each part to the set that it walks.
  for (const part of allParts) {
    for (const [path, stamp] of part.files) all.getOrInsert(path, stamp);
    for (const each of part.parts) allParts.add(each);
    until = Math.min(until, part.until);
  }
  return { files: all, until };
}

/** How long packages may be missing while they are replaced, as by `npm ci`, in milliseconds. */
const REPLACED_MS = 60_000;

/** Tells which values are current. Between two calls of `begin`, it checks each file once. */
export class CurrentReads {
  readonly #stamps = new Map<string, string>();
  readonly #current = new Set<Reads>();
  /** Whether installed packages are missing, and since when. */
  #isMissing = false;
  #missingSince = Infinity;

  begin(): void {
    this.#stamps.clear();
    this.#current.clear();
    if (!this.#isMissing) this.#missingSince = Infinity;
    this.#isMissing = false;
  }

  /** Counts files as current that are being read. */
  add(reads: Reads): void {
    this.#current.add(reads);
  }

  /** Whether all files are as they were before they were read. */
  has(reads: Reads): boolean {
    if (Date.now() >= reads.until) return false;
    if (this.#current.has(reads)) return true;
    const isCurrent = reads.files.entries().every(([path, stamp]) => this.#holds(path, stamp)) &&
      reads.parts.values().every((part) => this.has(part));
    if (isCurrent) this.#current.add(reads);
    return isCurrent;
  }

  #holds(path: string, before: string): boolean {
    const stamp = this.#stamp(path);
    if (stamp === before) return true;
    // Modules of a missing package that are loaded stay in use until it is back.
    if (stamp !== NO_FILE || !/[\\/]node_modules(?:[\\/]|$)/.test(path)) return false;
    const now = performance.now();
    this.#isMissing = true;
    this.#missingSince = Math.min(this.#missingSince, now);
    return now - this.#missingSince < REPLACED_MS;
  }

  #stamp(path: string): string {
    return this.#stamps.getOrInsertComputed(path, (path) => {
      const { stamp, folder, date } = folderStamps.get(path) ?? {};
      if (folder === undefined || stamp === undefined) return stampNow(path);
      const dateNow = () => folderStamp(folder) ?? NO_FILE;
      const isSame = this.#stamps.getOrInsertComputed(`date of ${folder}`, dateNow) === date;
      return isSame ? stamp : stampNow(path);
    });
  }
}

/**
 * Stamps that hold while a folder keeps its date: the names in it, or that a file below is missing.
 */
const folderStamps = new Map<string, Readonly<Record<"stamp" | "folder" | "date", string>>>();
const MOST_STAMPS = 20_000;

/** The stamp of a path that may not be read. */
const NOT_PERMITTED = "not permitted";

/** Paths without read permission: each refusal throws, which takes long. */
const unreadable = new Set<string>();

/** The stamp of a path before it is read; a file that was changed just now gets a unique one. */
function stampBefore(path: string): string {
  const now = Date.now();
  const stamp = stampNow(path);
  return isSettled(stamp, now) ? stamp : `${stamp} at ${now}`;
}

/** The stamp of a folder that is listed is its names: writing a file in it may change its date. */
function stampNow(path: string): string {
  if (unreadable.has(path)) return NOT_PERMITTED;
  try {
    if (path.endsWith("/")) {
      const date = folderStamp(path);
      const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort().join();
      return keepStamp(path, names, path, date);
    }
    const info = Deno.statSync(path);
    return info.isDirectory ? "folder" : stampOf(info);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      if (unreadable.size < MOST_STAMPS && !mayRead(path)) unreadable.add(path);
      return NOT_PERMITTED;
    }
    let folder = path;
    let date: string | undefined;
    // Reading the date of a folder is faster than an error for a missing file.
    while (date === undefined && dirname(folder) !== folder) {
      date = folderStamp(folder = dirname(folder));
    }
    return keepStamp(path, NO_FILE, folder, date);
  }
}

function keepStamp(path: string, stamp: string, folder: string, date: string | undefined): string {
  if (folderStamps.size >= MOST_STAMPS) folderStamps.clear();
  if (date !== undefined && isSettled(date, Date.now())) {
    folderStamps.set(path, { stamp, folder, date });
  } else folderStamps.delete(path);
  return stamp;
}

/** The stamp of a folder itself; `undefined` if there is none. */
function folderStamp(folder: string): string | undefined {
  const info = orElse(() => Deno.statSync(folder), undefined);
  return info?.isDirectory ? stampOf(info) : undefined;
}

/** A file modified this shortly before it was read may have changed again, in milliseconds. */
const SETTLED_MS = 20;

/** The stamp of a file that does not exist or cannot be read. */
export const NO_FILE = "-";

/** The modification time, in milliseconds. */
export function modifiedAt(info: Deno.FileInfo): number {
  return info.mtime?.getTime() ?? 0;
}

/** Identifies a state of a file. The modification time comes first. */
export function stampOf(info: Deno.FileInfo): string {
  const { ctime, size, ino } = info;
  return `${modifiedAt(info)}:${ctime?.getTime() ?? 0}:${size}:${ino ?? 0}`;
}

/** Whether a file had not changed shortly before a time: a later change alters its stamp. */
export function isSettled(stamp: string, time: number): boolean {
  const [modified, changed] = stamp.split(":").map(Number);
  // Stamps without times are settled.
  return !(Math.abs(time - Math.max(modified!, changed!)) <= SETTLED_MS);
}

/** Returns the stamp of a path or a `link` itself, {@linkcode NO_FILE} if there is no file. */
export function fileStamp(path: string, options: { readonly link?: boolean } = {}): string {
  const read = options.link === true ? Deno.lstatSync : Deno.statSync;
  return orElse(() => stampOf(read(path)), NO_FILE);
}

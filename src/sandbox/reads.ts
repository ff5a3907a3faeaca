/**
 * Records which files work reads, so that its result can be kept until one of them changes: both what
 * packages read through `node:fs`, and what we read for them.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { fileStamp, NO_FILE } from "../io/stamp.ts";

/** Stamps by absolute path; paths of folders end with `/`. */
export type Reads = ReadonlyMap<string, string>;

const recording = new AsyncLocalStorage<Map<string, string>>();

/** Notes a file, before it is read; a folder with a trailing slash, before it is listed. */
export function noteRead(path: string): void {
  const reads = recording.getStore();
  if (reads !== undefined && !reads.has(path)) reads.set(path, stampNow(path));
}

/** Runs work, and returns what it read. */
export async function recordReads<Value>(
  work: () => Value | Promise<Value>,
): Promise<{ readonly value: Value; readonly reads: Reads }> {
  const reads = new Map<string, string>();
  return { value: await recording.run(reads, work), reads };
}

/** Whether all files are as they were before they were read. */
export function areCurrent(reads: Reads): boolean {
  return reads.entries().every(([path, stamp]) => stampNow(path) === stamp);
}

/** The stamp of a folder is its list of names: writing a file in it may change its date. */
function stampNow(path: string): string {
  try {
    if (path.endsWith("/")) return [...Deno.readDirSync(path)].map(({ name }) => name).join();
    return Deno.statSync(path).isDirectory ? "folder" : fileStamp(path);
  } catch {
    return NO_FILE;
  }
}

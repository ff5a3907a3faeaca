/**
 * Records the files that work on a page reads, so that its result can be cached until one changes.
 */

import { join } from "node:path";
import { withoutMark } from "../../../../io/decode.ts";
import { resolveInside } from "../../../../io/paths.ts";
import { readInside } from "../../../../io/read.ts";
import { NO_FILE, stampOf } from "../../../../io/stamp.ts";
import { createMemo } from "../../upstream/memo.ts";

/** How the packages read project files: `ProjectFiles` of `@refrakt-md/types`. */
export interface ProjectFiles {
  /** Returns `null` if the file does not exist. */
  read(path: string): string | null;
  list(path: string): string[];
  exists(path: string): boolean;
}

/** Stamps by absolute path; paths of folders end with `/`. */
export type Reads = ReadonlyMap<string, string>;

export interface ReadLog {
  /** Paths are relative to the project. */
  readonly files: ProjectFiles;
  note(path: string): void;
  during<Value>(work: () => Value | Promise<Value>): Promise<{ value: Value; reads: Reads }>;
}

export function areCurrent(reads: Reads): boolean {
  return reads.entries().every(([path, stamp]) => stampNow(path) === stamp);
}

/** The stamp of a folder is its list of names: writing a file in it may change its date. */
function stampNow(path: string): string {
  try {
    if (path.endsWith("/")) return [...Deno.readDirSync(path)].map(({ name }) => name).join();
    const info = Deno.statSync(path);
    const { mtime, ctime, size, inode } = stampOf(info);
    return info.isDirectory ? "folder" : `${mtime}:${ctime}:${size}:${inode}`;
  } catch {
    return NO_FILE;
  }
}

/** Texts of files, by log and path. */
const texts = createMemo<string | null>();

export function createReadLog(cwd: string): ReadLog {
  const running = new Set<Map<string, string>>();
  const note = (path: string): string => {
    const stamp = stampNow(path);
    for (const reads of running) if (!reads.has(path)) reads.set(path, stamp);
    return stamp;
  };
  /** Files outside the project and unreadable files count as missing. */
  const orElse = <Value>(read: () => Value, absent: Value): Value => {
    try {
      return read();
    } catch {
      return absent;
    }
  };
  return {
    files: {
      read(path) {
        const read = () => orElse(() => withoutMark(readInside(cwd, path, "text")), null);
        return texts(running, read, path, note(join(cwd, path)));
      },
      list(path) {
        note(`${join(cwd, path)}/`);
        return orElse(
          // Node sorts the names, which sets the order of entities.
          () =>
            [...Deno.readDirSync(resolveInside(cwd, path, "The folder"))].map((e) => e.name).sort(),
          [],
        );
      },
      exists(path) {
        note(join(cwd, path));
        return orElse(() => Deno.statSync(resolveInside(cwd, path, "The file")) !== null, false);
      },
    },
    note,
    async during(work) {
      const reads = new Map<string, string>();
      running.add(reads);
      try {
        return { value: await work(), reads };
      } finally {
        running.delete(reads);
      }
    },
  };
}

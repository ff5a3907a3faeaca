/**
 * The files of a plan on disk. Each scan lists all folders, compares the files' stamps, and reads
 * what has changed; nothing is watched.
 */

import { join } from "node:path";
import { messageOf } from "../../../src/errors.ts";
import { isTemporaryName } from "../../../src/io/files.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { isInside, isNotFound, realPathOf } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { type FileStamp, isUnchanged, stampOf } from "../../../src/io/stamp.ts";
import { StoredFile, type Unreadable } from "./plan_state.ts";

type ParseFile = (text: string, file: string, mtime: number) => StoredFile;

/** The result of a scan. */
export interface Listing {
  /** The Markdown files, sorted by path. */
  readonly files: readonly StoredFile[];
  /** Folders that could not be listed. */
  readonly unreadable: Unreadable[];
  /** Our temporary files, as absolute paths. */
  readonly temporaries: string[];
}

interface FileRow {
  readonly stored: StoredFile;
  /** Its stamp just before it was read; `undefined` if it must be read again. */
  readonly stamp: FileStamp | undefined;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
}

/** The state of a running scan. */
interface RunningScan extends Omit<Listing, "files"> {
  readonly rows: Map<string, FileRow>;
  /** Real paths of visited folders: links could multiply the paths exponentially. */
  readonly seen: Set<string>;
}

export class PlanFiles {
  readonly #root: string;
  readonly #dir: string;
  readonly #parse: ParseFile;
  #rows = new Map<string, FileRow>();

  /** @param root The project, which files must not leave. @param dir The plan, absolute. */
  constructor(root: string, dir: string, parse: ParseFile) {
    this.#root = root;
    this.#dir = dir;
    this.#parse = parse;
  }

  /** Scans everything in short steps. */
  *look(): Generator<void, Listing> {
    const scan: RunningScan = { rows: new Map(), unreadable: [], temporaries: [], seen: new Set() };
    yield* this.#folder("", realPathOf(this.#dir), scan);
    this.#rows = scan.rows;
    return { ...scan, files: [...scan.rows.values()].map(({ stored }) => stored) };
  }

  /** @param folder Relative to the plan. @param real Its real path. */
  *#folder(folder: string, real: string, scan: RunningScan): Generator<void> {
    if (scan.seen.has(real)) return;
    scan.seen.add(real);
    const path = join(this.#dir, folder);
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1);
    } catch (error) {
      if (!isNotFound(error)) {
        scan.unreadable.push({ file: folder, reason: this.#reasonOf(error) });
      } else if (folder === "") throw error;
      return;
    }
    for (const { name, isFile, isDirectory, isSymlink } of entries) {
      const inner = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory) yield* this.#folder(inner, join(real, name), scan);
      else if (isSymlink) yield* this.#link(inner, scan);
      else if (isFile && name.endsWith(".md")) this.#file(inner, `${path}/${name}`, scan);
      else if (isFile && isTemporaryName(name)) scan.temporaries.push(join(path, name));
      yield;
    }
  }

  /** Follows a link within the project, except to folders of the plan, which are scanned anyway. */
  *#link(inner: string, scan: RunningScan): Generator<void> {
    let real: string;
    let info: Deno.FileInfo;
    try {
      real = realPathOf(join(this.#dir, inner));
      if (!isInside(this.#root, real)) return;
      info = Deno.statSync(real);
    } catch {
      return;
    }
    if (info.isFile && inner.endsWith(".md")) this.#file(inner, real, scan);
    else if (info.isDirectory && !isInside(this.#dir, real)) yield* this.#folder(inner, real, scan);
  }

  /** Reads a file if it has changed; skips one that is gone. @param real Its real path. */
  #file(file: string, real: string, scan: RunningScan): void {
    const known = this.#rows.get(file);
    let stamp: FileStamp | undefined;
    const readAt = Date.now();
    try {
      stamp = stampOf(Deno.lstatSync(real));
      if (known?.stamp !== undefined && isUnchanged(stamp, known.stamp, known.readAt)) {
        scan.rows.set(file, known);
        return;
      }
      const text = readInside(this.#root, join(this.#dir, file), "plan");
      scan.rows.set(file, { stored: this.#parse(text, file, stamp.mtime), stamp, readAt });
    } catch (error) {
      if (isNotFound(error)) return;
      const unreadable = this.#reasonOf(error);
      const stored = known?.stored.unreadable === unreadable
        ? known.stored
        : new StoredFile(file, { unreadable });
      // A text that is too hard to parse stays so until the file changes.
      scan.rows.set(file, { stored, stamp: isTooHard(error) ? stamp : undefined, readAt });
    }
  }

  /** The message without the absolute path of the project. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.#root)?.message ?? messageOf(error);
  }
}

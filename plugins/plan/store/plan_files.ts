/**
 * The files of a plan as they are on disk. Each look lists all folders, compares the stamps of all
 * files, and reads what has changed; nothing is watched.
 *
 * @module
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

/** Parses a file's text. */
export type ParseFile = (text: string, file: string, mtime: number) => StoredFile;

/** What one look found. */
export interface Listing {
  /** The Markdown files, by path. */
  readonly files: readonly StoredFile[];
  /** The folders that could not be listed. */
  readonly unreadable: readonly Unreadable[];
  /** Temporary files of ours, as absolute paths. */
  readonly temporaries: readonly string[];
}

/** One Markdown file. */
interface FileRow {
  /** Its path relative to the plan, with `/`. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** What was read of it; `undefined` until then. */
  stored?: StoredFile;
  /** Its stamp just before it was read; `undefined` where it has to be read again. */
  stamp?: FileStamp | undefined;
  /** When it was read, in milliseconds. */
  readAt: number;
}

/** What one look has found so far. */
interface Look {
  readonly rows: Map<string, FileRow>;
  readonly unreadable: Unreadable[];
  readonly temporaries: string[];
  /** Real paths of folders: two links in each of thirty folders make a thousand million paths. */
  readonly seen: Set<string>;
}

/** The files of one plan. */
export class PlanFiles {
  readonly #root: string;
  readonly #dir: string;
  readonly #parse: ParseFile;
  #rows = new Map<string, FileRow>();

  /**
   * @param root The project, which no file may lead out of.
   * @param dir The plan's directory, absolute.
   * @param parse Parses a file's text.
   */
  constructor(root: string, dir: string, parse: ParseFile) {
    this.#root = root;
    this.#dir = dir;
    this.#parse = parse;
  }

  /** Looks at everything in short steps. */
  *look(): Generator<void, Listing> {
    const look: Look = { rows: new Map(), unreadable: [], temporaries: [], seen: new Set() };
    yield* this.#folder("", realPathOf(this.#dir), look);
    this.#rows = look.rows;
    const files = [...look.rows.values()].flatMap(({ stored }) => stored ?? []);
    return { files, unreadable: look.unreadable, temporaries: look.temporaries };
  }

  /** @param folder Relative to the plan. @param real Its real path. */
  *#folder(folder: string, real: string, look: Look): Generator<void> {
    if (look.seen.has(real)) return;
    look.seen.add(real);
    const path = join(this.#dir, folder);
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1);
    } catch (error) {
      if (!isNotFound(error)) {
        look.unreadable.push({ file: folder, reason: this.#reasonOf(error) });
      } else if (folder === "") throw error;
      return;
    }
    const inner = (name: string) => folder === "" ? name : `${folder}/${name}`;
    const files = entries.filter(({ isFile, name }) => isFile && name.endsWith(".md"));
    const rows = new Map(files.map(({ name }) => [name, this.#row(inner(name))]));
    const gone = yield* this.#refresh([...rows.values()]);
    for (const { name, isFile, isDirectory, isSymlink } of entries) {
      const row = rows.get(name);
      if (row !== undefined) {
        if (!gone.has(row)) look.rows.set(row.file, row);
      } else if (isDirectory) yield* this.#folder(inner(name), join(real, name), look);
      else if (isSymlink) yield* this.#link(inner(name), look);
      else if (isFile && isTemporaryName(name)) look.temporaries.push(join(path, name));
    }
  }

  /** Follows a link that stays in the project; a folder of the plan is looked at in its place. */
  *#link(inner: string, look: Look): Generator<void> {
    const path = join(this.#dir, inner);
    let real: string;
    let info: Deno.FileInfo;
    try {
      real = realPathOf(path);
      if (!isInside(this.#root, real)) return;
      info = Deno.statSync(real);
    } catch {
      return;
    }
    if (info.isDirectory) {
      if (!isInside(this.#dir, real)) yield* this.#folder(inner, real, look);
    } else if (info.isFile && inner.endsWith(".md")) {
      const row = this.#row(inner);
      if (isSame(row, stampOf(info)) || this.#read(row, stampOf(info))) look.rows.set(inner, row);
      yield;
    }
  }

  #row(file: string): FileRow {
    return this.#rows.get(file) ?? { file, path: join(this.#dir, file), readAt: 0 };
  }

  /** Reads the files that have changed; returns those that are gone. */
  *#refresh(rows: readonly FileRow[]): Generator<void, ReadonlySet<FileRow>> {
    const gone = new Set<FileRow>();
    for (const row of rows) {
      try {
        const stamp = stampOf(Deno.lstatSync(row.path));
        if (!isSame(row, stamp) && !this.#read(row, stamp)) gone.add(row);
      } catch (error) {
        if (isNotFound(error)) gone.add(row);
        else this.#fail(row, error);
      }
      yield;
    }
    return gone;
  }

  /** Reads and parses a file; `false` where it is gone. */
  #read(row: FileRow, stamp: FileStamp): boolean {
    try {
      row.readAt = Date.now();
      const text = readInside(this.#root, row.path, "plan");
      row.stored = this.#parse(text, row.file, stamp.mtime);
      row.stamp = stamp;
    } catch (error) {
      if (isNotFound(error)) return false;
      // A text that is too hard to parse stays so until the file changes.
      this.#fail(row, error, isTooHard(error) ? stamp : undefined);
    }
    return true;
  }

  #fail(row: FileRow, error: unknown, stamp?: FileStamp): void {
    const unreadable = this.#reasonOf(error);
    row.stamp = stamp;
    if (row.stored?.unreadable !== unreadable) {
      row.stored = new StoredFile(row.file, { unreadable });
    }
  }

  /** The message of the system or the runtime, without the project's place on the machine. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.#root)?.message ?? messageOf(error);
  }
}

/** Whether a file is as it was when it was read. */
function isSame({ stamp: before, readAt }: FileRow, stamp: FileStamp): boolean {
  return before !== undefined && isUnchanged(stamp, before, readAt);
}

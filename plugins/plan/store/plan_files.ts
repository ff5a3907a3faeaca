/**
 * The files of a plan as they are on disk. Each look compares the stamps of all folders and
 * files, and reads what has changed; nothing is watched.
 *
 * @module
 */

import { basename, join } from "node:path";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { isInside, isNotFound, realPathOf } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { type FileStamp, isUnchanged, stampOf } from "../../../src/io/stamp.ts";
import { type FileRow, type FolderRow, listFolder, newRow } from "./folder_listing.ts";
import { StoredFile, type Unreadable } from "./plan_state.ts";

/** Parses a file's text. */
export type ParseFile = (text: string, file: string, mtime: number) => StoredFile;

/** What one look has found so far. */
interface Look {
  /** The files. */
  readonly rows: FileRow[];
  /** The folders, relative to the plan. */
  readonly folders: Set<string>;
  /** Their real paths: two links in each of thirty folders make a thousand million paths. */
  readonly realPaths: Set<string>;
}

/** A file that has changed, with its new stamp. */
interface ChangedFile {
  readonly row: FileRow;
  readonly stamp: FileStamp;
  readonly before: FileStamp | undefined;
}

/** How many files are looked at in one step. */
const STEP_LOOKS = 64;

/** The files of one plan. */
export class PlanFiles {
  /** Rises with each change that was seen. */
  generation = 0;
  readonly #root: string;
  readonly #dir: string;
  readonly #parse: ParseFile;
  readonly #folders = new Map<string, FolderRow>();
  readonly #links = new Map<string, FileRow>();

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

  /** Looks at everything in short steps. Returns the files by path. */
  *look(): Generator<void, FileRow[]> {
    const look: Look = { rows: [], folders: new Set(), realPaths: new Set() };
    yield* this.#lookAt("", realPathOf(this.#dir), look);
    for (const folder of this.#folders.keys()) {
      if (!look.folders.has(folder)) this.#folders.delete(folder);
    }
    return look.rows;
  }

  /** Whether every folder still has the entries that the last look found. Links count as changed. */
  hasSameFolders(): boolean {
    for (const { folder, stamp: before, readAt, entries } of this.#folders.values()) {
      if (before === undefined || entries.some(({ kind }) => kind === "link")) return false;
      const stamp = statOf(join(this.#dir, folder));
      if (stamp === undefined || !isUnchanged(stamp, before, readAt)) return false;
    }
    return this.#folders.size > 0;
  }

  /** Reads one file again where it has changed; `false` where it is gone. */
  refresh(row: FileRow): boolean {
    const stamp = this.#newStamp(row);
    if (stamp === "gone") return false;
    return stamp === undefined || this.#readRow(row, stamp);
  }

  /** The folders that could not be listed at the last look. */
  *unreadableFolders(): Generator<Unreadable> {
    for (const { folder, unreadable: reason } of this.#folders.values()) {
      if (reason !== undefined) yield { file: folder, reason };
    }
  }

  /** Temporary files of ours, as absolute paths. */
  *temporaries(): Generator<string> {
    for (const { folder, temporaries } of this.#folders.values()) {
      for (const name of temporaries) yield join(this.#dir, folder, name);
    }
  }

  /** @param folder Relative to the plan. @param real Its real path. */
  *#lookAt(folder: string, real: string, look: Look): Generator<void> {
    if (look.realPaths.has(real)) return;
    look.realPaths.add(real);
    look.folders.add(folder);
    const listed = this.#list(folder);
    yield;
    const gone = yield* this.#refreshAll(listed);
    for (const entry of listed.entries) {
      if (entry.kind === "file") {
        if (!gone.has(entry.row)) look.rows.push(entry.row);
      } else if (entry.kind === "folder") {
        yield* this.#lookAt(entry.path, join(real, basename(entry.path)), look);
      } else {
        yield* this.#follow(entry.path, look);
        yield;
      }
    }
  }

  /** Reads the files of a folder that have changed, some at a time; returns those that are gone. */
  *#refreshAll({ entries }: FolderRow): Generator<void, ReadonlySet<FileRow>> {
    const gone = new Set<FileRow>();
    for (let at = 0; at < entries.length; at += STEP_LOOKS) {
      const changed: ChangedFile[] = [];
      for (const entry of entries.slice(at, at + STEP_LOOKS)) {
        if (entry.kind !== "file") continue;
        const { row } = entry;
        const before = row.stamp;
        const stamp = this.#newStamp(row);
        if (stamp === "gone") gone.add(row);
        else if (stamp !== undefined) changed.push({ row, stamp, before });
      }
      yield;
      for (const { row, stamp, before } of changed) {
        // A call that needs this file alone may have read it since.
        if (row.stamp === before && !this.#readRow(row, stamp)) gone.add(row);
        yield;
      }
    }
    return gone;
  }

  /** The stamp of a file that has changed since it was read, else `undefined`. */
  #newStamp(row: FileRow): FileStamp | "gone" | undefined {
    try {
      const stamp = stampOf(row.isLink ? Deno.statSync(row.path) : Deno.lstatSync(row.path));
      return row.stamp !== undefined && isUnchanged(stamp, row.stamp, row.readAt)
        ? undefined
        : stamp;
    } catch (error) {
      if (isNotFound(error)) return "gone";
      this.#fail(row, error);
      return undefined;
    }
  }

  /** Reads and parses a file; `false` where it is gone. */
  #readRow(row: FileRow, stamp: FileStamp): boolean {
    try {
      row.readAt = Date.now();
      const read = readInside(this.#root, row.path, "plan");
      row.stored = this.#parse(read, row.file, stamp.mtime);
      row.stamp = stamp;
      this.generation++;
    } catch (error) {
      if (isNotFound(error)) return false;
      // A text that is too hard to parse stays so until the file changes.
      this.#fail(row, error, isTooHard(error) ? stamp : undefined);
    }
    return true;
  }

  /** Follows a link that stays in the project; a folder of the plan is looked at in its place. */
  *#follow(path: string, look: Look): Generator<void> {
    let real: string;
    let info: Deno.FileInfo;
    try {
      real = realPathOf(join(this.#dir, path));
      if (!isInside(this.#root, real)) return;
      info = Deno.statSync(real);
    } catch {
      return;
    }
    if (info.isDirectory) {
      if (!isInside(this.#dir, real)) yield* this.#lookAt(path, real, look);
    } else if (info.isFile && path.endsWith(".md")) {
      const row = this.#links.get(path) ?? newRow(path, join(this.#dir, path), true);
      this.#links.set(path, row);
      if (this.refresh(row)) look.rows.push(row);
    }
  }

  /** The entries of a folder, listed again where it has changed. */
  #list(folder: string): FolderRow {
    const known = this.#folders.get(folder);
    const path = join(this.#dir, folder);
    const readAt = Date.now();
    let listed: FolderRow;
    try {
      const stamp = stampOf(Deno.statSync(path));
      if (known?.stamp !== undefined && isUnchanged(stamp, known.stamp, known.readAt)) {
        return known;
      }
      const found = listFolder(path, folder, known?.entries ?? []);
      listed = { folder, ...found, unreadable: undefined, stamp, readAt };
    } catch (error) {
      if (isNotFound(error) && folder === "") throw error;
      const unreadable = isNotFound(error) ? undefined : this.#reasonOf(error);
      if (known !== undefined && known.unreadable === unreadable) return known;
      listed = { folder, entries: [], temporaries: [], unreadable, stamp: undefined, readAt };
    }
    this.#folders.set(folder, listed);
    this.generation++;
    return listed;
  }

  /** The message of the system or the runtime, without the project's place on the machine. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.#root)?.message ?? messageOf(error);
  }

  #fail(row: FileRow, error: unknown, stamp?: FileStamp): void {
    const unreadable = this.#reasonOf(error);
    row.stamp = stamp;
    if (row.stored?.unreadable === unreadable) return;
    row.stored = new StoredFile(row.file, { unreadable });
    this.generation++;
  }
}

function statOf(path: string): FileStamp | undefined {
  try {
    return stampOf(Deno.statSync(path));
  } catch {
    return undefined;
  }
}

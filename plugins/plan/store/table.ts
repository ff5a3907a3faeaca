/**
 * What is known of a plan's folders and files. Each look asks the file system for
 * the stamps and reads what has changed; nothing has to be watched for that.
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
import { conflictMarkers } from "../conflicts.ts";
import { type FileRow, type FolderRow, listFolder, newRow } from "./file_rows.ts";
import { furtherIds } from "./further.ts";
import type { StoredEntity } from "./stored_entity.ts";
import { STEP_READS, textsIn } from "./texts.ts";

/** A folder or file that could not be read. */
export interface Unreadable {
  /** Its path relative to the plan; empty for the plan itself. */
  readonly file: string;
  /** What the system said. */
  readonly reason: string;
}

/** Makes an entity of a file's text. */
export type ReadEntity = (source: string, file: string, mtime: number) => StoredEntity | null;

/** What one look has found so far. */
interface Look {
  /** The files. */
  readonly rows: FileRow[];
  /** The folders by their ways in the plan. */
  readonly found: Set<string>;
  /** Their real paths: two links in each of thirty folders would be a thousand million ways. */
  readonly seen: Set<string>;
}

/** How many files are looked at in one step. */
const STEP_LOOKS = 64;

/** The table of one plan. */
export class PlanTable {
  /** Rises with each change that was seen. */
  generation = 0;
  readonly #root: string;
  readonly #dir: string;
  readonly #read: ReadEntity;
  readonly #folders = new Map<string, FolderRow>();

  /**
   * @param root The project, which no file may lead out of.
   * @param dir The plan's directory, absolute.
   * @param read Makes an entity of a text.
   */
  constructor(root: string, dir: string, read: ReadEntity) {
    this.#root = root;
    this.#dir = dir;
    this.#read = read;
  }

  /** Looks at everything; between two steps other work may be done. Gives the files by path. */
  *look(): Generator<void, FileRow[]> {
    const rows: FileRow[] = [];
    const found = new Set<string>();
    yield* this.#lookAt("", realPathOf(this.#dir), { rows, found, seen: new Set() });
    for (const way of this.#folders.keys()) {
      if (!found.has(way)) this.#folders.delete(way);
    }
    return rows;
  }

  /** Whether every folder still has the entries that the last look found. Links count as changed. */
  hasSameFolders(): boolean {
    for (const folder of this.#folders.values()) {
      if (folder.stamp === undefined || folder.hasLinks) return false;
      const stamp = statOf(join(this.#dir, folder.way));
      if (stamp === undefined || !isUnchanged(stamp, folder.stamp, folder.readAt)) return false;
    }
    return this.#folders.size > 0;
  }

  /** Reads one file again where it has changed; `false` where it is gone. */
  refresh(row: FileRow): boolean {
    const stamp = this.#newStamp(row);
    if (stamp === "gone") return false;
    return stamp === undefined || this.#readRow(row, stamp);
  }

  /** What could not be read at the last look. */
  *unreadable(): Generator<Unreadable> {
    for (const folder of this.#folders.values()) {
      if (folder.unreadable !== undefined) yield { file: folder.way, reason: folder.unreadable };
      for (const entry of folder.entries) {
        if (entry.kind !== "file" || entry.row.unreadable === undefined) continue;
        yield { file: entry.row.file, reason: entry.row.unreadable };
      }
    }
  }

  /** Temporary files of ours, as absolute paths. */
  *temporaries(): Generator<string> {
    for (const folder of this.#folders.values()) {
      for (const name of folder.temporaries) yield join(this.#dir, folder.way, name);
    }
  }

  /** @param way A folder, relative to the plan. @param real Its real path. */
  *#lookAt(way: string, real: string, look: Look): Generator<void> {
    if (look.seen.has(real)) return;
    look.seen.add(real);
    look.found.add(way);
    const folder = this.#list(way);
    yield;
    const gone = yield* this.#refreshAll(folder);
    for (const entry of folder.entries) {
      if (entry.kind === "file") {
        if (gone.size === 0 || !gone.has(entry.row)) look.rows.push(entry.row);
      } else if (entry.kind === "folder") {
        yield* this.#lookAt(entry.way, join(real, basename(entry.way)), look);
      } else {
        yield* this.#follow(entry.way, look);
        yield;
      }
    }
  }

  /** Reads the files of a folder that have changed, some at a time; gives those that are gone. */
  *#refreshAll({ way, entries }: FolderRow): Generator<void, ReadonlySet<FileRow>> {
    const gone = new Set<FileRow>();
    for (let at = 0; at < entries.length; at += STEP_LOOKS) {
      const changed: { row: FileRow; stamp: FileStamp; before: FileStamp | undefined }[] = [];
      const end = Math.min(at + STEP_LOOKS, entries.length);
      for (let index = at; index < end; index++) {
        const entry = entries[index]!;
        if (entry.kind !== "file") continue;
        const { row } = entry;
        const before = row.stamp;
        const stamp = this.#newStamp(row);
        if (stamp === "gone") gone.add(row);
        else if (stamp !== undefined) changed.push({ row, stamp, before });
      }
      yield;
      for (let first = 0; first < changed.length; first += STEP_READS) {
        const some = changed.slice(first, first + STEP_READS);
        const readAt = Date.now();
        const files = some.map(({ row: { path }, stamp }) => ({ path, stamp }));
        const texts = textsIn(this.#root, join(this.#dir, way), files);
        for (const [index, { row, stamp, before }] of some.entries()) {
          // Somebody who waits for this one alone may have read it since.
          const isOurs = row.stamp === before;
          if (isOurs && !this.#readRow(row, stamp, texts[index], readAt)) gone.add(row);
          yield;
        }
      }
    }
    return gone;
  }

  /** The stamp of a file that has changed since it was read; `undefined` where there is nothing new. */
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

  /** Takes over what is in a file; `false` where it is gone. */
  #readRow(row: FileRow, stamp: FileStamp, text?: string, readAt: number = Date.now()): boolean {
    try {
      const source = text ?? readInside(this.#root, row.path, "plan");
      row.readAt = readAt;
      row.entity = this.#read(source, row.file, stamp.mtime);
      row.conflict = conflictMarkers(source);
      // Both sides of a conflict may begin the same entity.
      row.further = row.conflict === undefined ? furtherIds(source) : [];
      row.unreadable = undefined;
      row.isEmpty = source === "";
      row.stamp = stamp;
      this.generation++;
    } catch (error) {
      if (isNotFound(error)) return false;
      this.#fail(row, error);
      // What is wrong with its text stays so until the file changes.
      if (isTooHard(error)) row.stamp = stamp;
    }
    return true;
  }

  /** Takes a file for one that cannot be read, until it changes. */
  reject(file: string, error: unknown): void {
    const rows = [...this.#folders.values()].flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.kind === "file" ? [entry.row] : [])
    );
    for (const row of [...rows, ...this.#links.values()].filter((row) => row.file === file)) {
      const { stamp } = row;
      this.#fail(row, error);
      row.stamp = stamp;
    }
  }

  /** Follows a link, where it stays in the project; a folder of the plan is looked at in its place. */
  *#follow(way: string, look: Look): Generator<void> {
    let real: string;
    let info: Deno.FileInfo;
    try {
      real = realPathOf(join(this.#dir, way));
      if (!isInside(this.#root, real)) return;
      info = Deno.statSync(real);
    } catch {
      return;
    }
    if (info.isDirectory) {
      if (!isInside(this.#dir, real)) yield* this.#lookAt(way, real, look);
    } else if (info.isFile && way.endsWith(".md")) {
      const row = this.#links.get(way) ?? newRow(way, join(this.#dir, way), true);
      this.#links.set(way, row);
      if (this.refresh(row)) look.rows.push(row);
    }
  }

  readonly #links = new Map<string, FileRow>();

  /** The entries of a folder, listed again where it has changed. */
  #list(way: string): FolderRow {
    const known = this.#folders.get(way);
    const path = join(this.#dir, way);
    const readAt = Date.now();
    try {
      const stamp = stampOf(Deno.statSync(path));
      if (known?.stamp !== undefined && isUnchanged(stamp, known.stamp, known.readAt)) {
        return known;
      }
      const folder = {
        way,
        ...listFolder(path, way, known?.entries ?? []),
        unreadable: undefined,
        stamp,
        readAt,
      };
      this.#folders.set(way, folder);
      this.generation++;
      return folder;
    } catch (error) {
      const gone = isNotFound(error) && way !== "";
      if (isNotFound(error) && way === "") throw error;
      const folder = {
        way,
        entries: [],
        hasLinks: false,
        temporaries: [],
        unreadable: gone ? undefined : this.#reasonOf(error),
        stamp: undefined,
        readAt,
      };
      this.#folders.set(way, folder);
      this.generation++;
      return folder;
    }
  }

  /** What the system or the runtime said, without the place of the project on the machine. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.#root)?.message ?? messageOf(error);
  }

  #fail(row: FileRow, error: unknown): void {
    row.entity = null;
    row.conflict = undefined;
    row.further = [];
    row.unreadable = this.#reasonOf(error);
    row.stamp = undefined;
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

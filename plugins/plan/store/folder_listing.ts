/**
 * The entries of one folder of a plan.
 *
 * @module
 */

import { join } from "node:path";
import { isTemporaryName } from "../../../src/io/files.ts";
import type { FileStamp } from "../../../src/io/stamp.ts";
import type { StoredFile } from "./plan_state.ts";

/** One Markdown file. */
export interface FileRow {
  /** Its path relative to the plan, with `/`. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** Whether the name is a link, whose target may change without its folder. */
  readonly isLink: boolean;
  /** What was read of it; `undefined` until then. */
  stored: StoredFile | undefined;
  /** Its stamp just before it was read; `undefined` where it has to be read again. */
  stamp: FileStamp | undefined;
  /** When it was read, in milliseconds. */
  readAt: number;
}

/** One folder. */
export interface FolderRow {
  /** Its path relative to the plan; empty for the plan itself. */
  readonly folder: string;
  /** Its entries, by name. */
  readonly entries: readonly Entry[];
  /** The names of our temporary files in it. */
  readonly temporaries: readonly string[];
  /** Why it could not be read. */
  readonly unreadable: string | undefined;
  /** Its stamp just before it was listed; `undefined` where it has to be listed again. */
  readonly stamp: FileStamp | undefined;
  /** When it was listed, in milliseconds. */
  readonly readAt: number;
}

/** An entry: `path` is relative to the plan. */
export type Entry =
  | { readonly kind: "file"; readonly row: FileRow }
  | { readonly kind: "folder" | "link"; readonly path: string };

/**
 * Lists a folder: its Markdown files, its folders and its links, by name. A file that was
 * listed before keeps its row.
 *
 * @param path The folder, absolute.
 * @param folder The same relative to the plan.
 * @param known What was in it before.
 */
export function listFolder(
  path: string,
  folder: string,
  known: readonly Entry[],
): Pick<FolderRow, "entries" | "temporaries"> {
  const rows = new Map(
    known.flatMap((entry) => entry.kind === "file" ? [[entry.row.file, entry.row] as const] : []),
  );
  const temporaries: string[] = [];
  const entries: Entry[] = [];
  for (const entry of [...Deno.readDirSync(path)].sort(byName)) {
    const inner = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isSymlink) entries.push({ kind: "link", path: inner });
    else if (entry.isDirectory) entries.push({ kind: "folder", path: inner });
    else if (!entry.isFile) continue;
    else if (entry.name.endsWith(".md")) {
      const row = rows.get(inner) ?? newRow(inner, join(path, entry.name), false);
      entries.push({ kind: "file", row });
    } else if (isTemporaryName(entry.name)) temporaries.push(entry.name);
  }
  return { entries, temporaries };
}

/** The row of a file that was not read yet. */
export function newRow(file: string, path: string, isLink: boolean): FileRow {
  return { file, path, isLink, stored: undefined, stamp: undefined, readAt: 0 };
}

function byName(a: Deno.DirEntry, b: Deno.DirEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

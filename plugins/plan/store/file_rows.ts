/**
 * What is known of each file and each folder of a plan.
 *
 * @module
 */

import { join } from "node:path";
import { isTemporaryName } from "../../../src/io/files.ts";
import type { FileStamp } from "../../../src/io/stamp.ts";
import type { ConflictMarkers } from "../conflicts.ts";
import type { StoredEntity } from "./stored_entity.ts";

/** One Markdown file. */
export interface FileRow {
  /** Its path relative to the plan, with `/`. */
  readonly file: string;
  /** Its absolute path: each look needs it for each file. */
  readonly path: string;
  /** Its entity; `null` where it holds none. */
  entity: StoredEntity | null;
  /** Where a merge left its markers. */
  conflict: ConflictMarkers | undefined;
  /** The ids of entities after its first one, which are not read. */
  further: readonly string[];
  /** Why it could not be read. */
  unreadable: string | undefined;
  /** Whether nothing was in it, as it is while somebody saves. */
  isEmpty: boolean;
  /** Whether the name is a link, whose target may change without its folder. */
  isLink: boolean;
  stamp: FileStamp | undefined;
  readAt: number;
}

/** One folder. */
export interface FolderRow {
  /** Its path relative to the plan; empty for the plan itself. */
  readonly way: string;
  entries: readonly Entry[];
  /** Whether there is a link among them, whose target may change without the folder. */
  hasLinks: boolean;
  temporaries: readonly string[];
  unreadable: string | undefined;
  stamp: FileStamp | undefined;
  readAt: number;
}

/** What stands in a folder: `way` is its path relative to the plan. */
export type Entry = { kind: "file"; row: FileRow } | { kind: "folder" | "link"; way: string };

/**
 * Lists a folder: its Markdown files, its folders and its links, by name. The row of a file
 * that was there before is used again.
 *
 * @param path The folder, absolute.
 * @param way The same relative to the plan.
 * @param known What was in it before.
 */
export function listFolder(
  path: string,
  way: string,
  known: readonly Entry[],
): Pick<FolderRow, "entries" | "hasLinks" | "temporaries"> {
  const rows = new Map(
    known.flatMap((entry) => entry.kind === "file" ? [[entry.row.file, entry.row] as const] : []),
  );
  const temporaries: string[] = [];
  const entries: Entry[] = [];
  for (const entry of [...Deno.readDirSync(path)].sort(byName)) {
    const inner = way === "" ? entry.name : `${way}/${entry.name}`;
    if (entry.isSymlink) entries.push({ kind: "link", way: inner });
    else if (entry.isDirectory) entries.push({ kind: "folder", way: inner });
    else if (!entry.isFile) continue;
    else if (entry.name.endsWith(".md")) {
      entries.push({
        kind: "file",
        row: rows.get(inner) ?? newRow(inner, join(path, entry.name), false),
      });
    } else if (isTemporaryName(entry.name)) temporaries.push(entry.name);
  }
  const hasLinks = entries.some(({ kind }) => kind === "link");
  return { entries, hasLinks, temporaries };
}

/** The row of a file that was not read yet. */
export function newRow(file: string, path: string, isLink: boolean): FileRow {
  return {
    file,
    path,
    entity: null,
    conflict: undefined,
    further: [],
    unreadable: undefined,
    isEmpty: false,
    isLink,
    stamp: undefined,
    readAt: 0,
  };
}

function byName(a: Deno.DirEntry, b: Deno.DirEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

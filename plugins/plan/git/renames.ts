/**
 * Follows the files of a plan through renames, to find the current file of each entity in older
 * commits. Files are matched by entity id first, then by title.
 */

import type { Turn } from "../../../src/io/turns.ts";
import { detached } from "../entity/tag.ts";
import type { Version } from "../entity/version.ts";
import type { FileChange } from "./differences.ts";
import type { Commit } from "./log.ts";

/** A file with all its renames. */
interface TrackedFile {
  /** Its current path in the repository. */
  path: string;
  /** Its content when it was removed. */
  last: Version | null;
}

/** The blobs of a file before and after a change, as far as there are any. */
export interface FileVersions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface TrackedChange extends FileVersions {
  /** The number of the file. */
  readonly file: number;
  /** `null` for a new file; the first parent's version for a merge. */
  readonly before: Version | null;
  readonly after: Version;
  /** The versions of all parents of a merge. */
  readonly parents?: readonly Version[];
  readonly renamedFrom?: string | undefined;
  /** The file was removed, and `after` is its last version. */
  readonly isRemoved?: true;
}

type VersionOf = (blob: string) => Version | null;

/** All files of a history by their numbers, which change with each commit that is followed. */
export interface Files {
  readonly files: TrackedFile[];
  /** The numbers by every path that no other file has taken: branches may still use it. */
  readonly living: Map<string, number>;
  /** The numbers of removed ones by type and id, the last one at the end. */
  readonly dead: Map<string, number[]>;
}

export function noFiles(): Files {
  return { files: [], living: new Map(), dead: new Map() };
}

/**
 * Follows files from commit to commit, oldest first.
 *
 * @param turn Is awaited between changes: a commit may have many.
 */
export async function followRenames(all: Files, commit: Commit, versionOf: VersionOf, turn: Turn) {
  const { files, living, dead } = all;
  const changes = (await withParents(commit, versionOf, turn))
    .flatMap((change) => splitReplacement(change, versionOf));
  const origins = await matchRenames(changes, versionOf, turn);
  // First, because two files may have swapped names.
  const removed = new Map<FileChange, number>();
  for (const change of changes) {
    if (change.kind !== "D") continue;
    removed.set(change, fileWith(all, change.path));
    living.delete(change.path);
  }
  const tracked: TrackedChange[] = [];
  for (const change of changes) {
    await turn();
    const after = change.after === undefined ? null : versionOf(change.after);
    if (after === null) continue;
    const origin = origins.get(change);
    const from = (origin ?? change).before[0];
    const before = from === undefined ? null : versionOf(from);
    const past = origin === undefined ? previousOf(all, change, after, before, versionOf) : {
      file: removed.get(origin)!,
      before,
      renamedFrom: origin.path === change.path ? undefined : origin.path,
    };
    const file = files[past.file]!;
    // A copy: substrings keep git's whole output in memory.
    const path = detached(change.path);
    if (change.kind !== "M") file.path = path;
    file.last = null;
    living.set(path, past.file);
    tracked.push({ after, ...past, from, to: change.after });
  }
  const moved = new Set(origins.values());
  for (const [change, file] of removed) {
    await turn();
    if (moved.has(change)) {
      living.getOrInsert(detached(change.path), file);
      continue;
    }
    const last = files[file]!.last = versionOf(change.before[0]!);
    dead.getOrInsert(entityKey(last), []).push(file);
    if (last === null) continue;
    tracked.push({ file, before: last, after: last, isRemoved: true, from: change.before[0] });
  }
  return tracked;
}

/** The past of a file that has not been renamed in its commit. */
function previousOf(
  all: Files,
  { kind, path, before: blobs }: FileChange,
  after: Version,
  before: Version | null,
  versionOf: VersionOf,
): Omit<TrackedChange, "after"> {
  const { files, living, dead } = all;
  if (kind !== "A") {
    const file = living.get(path) ?? fileWith(all, path);
    if (kind !== "merge") return { file, before };
    return { file, before, parents: blobs.flatMap((blob) => versionOf(blob) ?? []) };
  }
  // Removed by one commit and restored by another, perhaps under another name: with another title,
  // it is another entity that got the same id.
  const removedBefore = after.id === undefined ? [] : dead.get(entityKey(after)) ?? [];
  const at = removedBefore.findLastIndex((file) => files[file]!.last?.title === after.title);
  const [file] = at < 0 ? [] : removedBefore.splice(at, 1);
  if (file === undefined) return { file: fileWith(all, path), before: null };
  const { path: renamedFrom, last } = files[file]!;
  return renamedFrom === path ? { file, before: null } : { file, before: last, renamedFrom };
}

/** The file that has a path now, which may be a new one. */
function fileWith({ files, living }: Files, path: string): number {
  const file = living.get(path);
  if (file !== undefined && files[file]!.path === path) return file;
  return files.push({ path: detached(path), last: null }) - 1;
}

const entityKey = (version: Version | null) => `${version?.type} ${version?.id}`;

/** The files that a merge changed against every parent, also under another name. */
async function withParents({ changes, sides }: Commit, versionOf: VersionOf, turn: Turn) {
  if (sides === undefined) return changes;
  const versions: Map<string, readonly string[]>[] = [];
  for (const side of sides) {
    const origins = await matchRenames(side, versionOf, turn);
    versions.push(
      new Map(side.map((change) => [change.path, (origins.get(change) ?? change).before])),
    );
  }
  return changes.flatMap((change) => {
    const before = versions.flatMap((side) => side.get(change.path) ?? []);
    return change.after !== undefined && before.includes(change.after)
      ? []
      : [{ ...change, before }];
  });
}

/** A file that now holds another entity counts as a removal and an addition. */
function splitReplacement(change: FileChange, versionOf: VersionOf): FileChange[] {
  const { kind, path, before, after } = change;
  if (kind !== "M") return [change];
  const oldId = versionOf(before[0]!)?.id;
  const newId = versionOf(after!)?.id;
  if (oldId === undefined || newId === undefined || oldId === newId) return [change];
  return [{ kind: "D", path, before, after: undefined }, { kind: "A", path, before: [], after }];
}

/**
 * Matches added files with removed ones, by id and then by title. Git's own rename detection
 * fails here: entities from the same template look alike.
 */
async function matchRenames(changes: readonly FileChange[], versionOf: VersionOf, turn: Turn) {
  const origins = new Map<FileChange, FileChange>();
  const removed = new Set(changes.filter(({ kind }) => kind === "D"));
  const keys: ((version: Version) => string | undefined)[] = [
    ({ id }) => id,
    ({ title }) => title ?? "",
  ];
  for (const sameOf of keys) {
    const byKey = new Map<string, FileChange[]>();
    for (const candidate of [...removed].reverse()) {
      await turn();
      const before = versionOf(candidate.before[0]!);
      const key = before === null ? undefined : sameOf(before);
      if (key === undefined) continue;
      byKey.getOrInsert(`${before!.type} ${key}`, []).push(candidate);
    }
    for (const change of changes) {
      await turn();
      const after = change.kind !== "A" || origins.has(change) ? null : versionOf(change.after!);
      const key = after === null ? undefined : sameOf(after);
      const candidate = key === undefined ? undefined : byKey.get(`${after!.type} ${key}`)?.pop();
      if (candidate === undefined) continue;
      origins.set(change, candidate);
      removed.delete(candidate);
    }
  }
  return origins;
}

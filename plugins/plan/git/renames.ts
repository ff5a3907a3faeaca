/**
 * Follows the files of a plan through renames, to find the current file of each entity in older
 * commits. Files are matched by entity id first, then by title.
 */

import { isTooHard } from "../../../src/io/markup_limits.ts";
import { contentOf, read } from "../entity/document.ts";
import type { Criterion } from "../entity/entity.ts";
import { detached } from "../entity/tag.ts";
import type { Commit, FileChange } from "./log.ts";

/** A file with all its renames. */
export interface TrackedFile {
  /** Its current path in the repository. */
  path: string;
  /** Its content when it was removed. */
  last: Snapshot | null;
}

export interface TrackedChange {
  readonly file: TrackedFile;
  /** `null` for a new file; the first parent's version for a merge. */
  readonly before: Snapshot | null;
  readonly after: Snapshot;
  /** The versions of all parents of a merge. */
  readonly parents?: readonly Snapshot[];
  readonly renamedFrom?: string;
  /** The file was removed, and `after` is its last version. */
  readonly isRemoved?: true;
}

type SnapshotOf = (blob: string) => Snapshot | null;

/** Follows files from commit to commit, oldest first. */
export class RenameTracker {
  readonly #living = new Map<string, TrackedFile>();
  readonly #dead: TrackedFile[] = [];

  follow(commit: Commit, snapshotOf: SnapshotOf): TrackedChange[] {
    const changes = commit.changes.flatMap((change) => splitReplacement(change, snapshotOf));
    const origins = matchRenames(changes, snapshotOf);
    // First, because two files may have swapped names.
    const removed = new Map<FileChange, TrackedFile>();
    for (const change of changes) {
      if (change.kind !== "D") continue;
      removed.set(change, this.#livingAt(change.path));
      this.#living.delete(change.path);
    }
    const found = changes.flatMap((change): TrackedChange[] => {
      const after = change.after === undefined ? null : snapshotOf(change.after);
      if (after === null) return [];
      const { file, ...past } = this.#previousOf(change, after, snapshotOf, origins, removed);
      // A copy: substrings keep git's whole output in memory.
      file.path = detached(change.path);
      file.last = null;
      this.#living.set(file.path, file);
      return [{ file, after, ...past }];
    });
    const moved = new Set(origins.values());
    for (const [change, file] of removed) {
      if (moved.has(change)) continue;
      const last = file.last = snapshotOf(change.before[0]!);
      this.#dead.push(file);
      if (last !== null) found.push({ file, before: last, after: last, isRemoved: true });
    }
    return found;
  }

  #previousOf(
    change: FileChange,
    after: Snapshot,
    snapshotOf: SnapshotOf,
    origins: ReadonlyMap<FileChange, FileChange>,
    removed: ReadonlyMap<FileChange, TrackedFile>,
  ): Omit<TrackedChange, "after"> {
    const { kind, path, before: blobs } = change;
    if (kind !== "A") {
      const before = blobs[0] === undefined ? null : snapshotOf(blobs[0]);
      const parents = blobs.flatMap((blob) => snapshotOf(blob) ?? []);
      return { file: this.#livingAt(path), before, ...(kind === "merge" ? { parents } : {}) };
    }
    const origin = origins.get(change);
    if (origin !== undefined) {
      return {
        file: removed.get(origin)!,
        before: snapshotOf(origin.before[0]!),
        ...(origin.path === path ? {} : { renamedFrom: origin.path }),
      };
    }
    // Removed by one commit and restored by another, perhaps under another name.
    const index = this.#dead.findLastIndex(({ last }) =>
      last?.id !== undefined && last.id === after.id && last.type === after.type
    );
    const dead = index === -1 ? undefined : this.#dead.splice(index, 1)[0]!;
    if (dead === undefined) return { file: this.#livingAt(path), before: null };
    if (dead.path === path) return { file: dead, before: null };
    return { file: dead, before: dead.last, renamedFrom: dead.path };
  }

  #livingAt(path: string): TrackedFile {
    return this.#living.get(path) ?? { path, last: null };
  }
}

/** A file that now holds another entity counts as a removal and an addition. */
function splitReplacement(change: FileChange, snapshotOf: SnapshotOf): FileChange[] {
  const { kind, path, before, after } = change;
  if (kind !== "M") return [change];
  const [was, is] = [before[0]!, after!].map((blob) => snapshotOf(blob)?.id);
  if (was === undefined || is === undefined || was === is) return [change];
  return [{ kind: "D", path, before, after: undefined }, { kind: "A", path, before: [], after }];
}

/**
 * Matches added files with removed ones, by id and then by title. Git's own rename detection
 * fails here: entities from the same template look alike.
 */
function matchRenames(
  changes: readonly FileChange[],
  snapshotOf: SnapshotOf,
): Map<FileChange, FileChange> {
  const origins = new Map<FileChange, FileChange>();
  const left = new Set(changes.filter(({ kind }) => kind === "D"));
  const rules: ((before: Snapshot, after: Snapshot) => boolean)[] = [
    (before, after) => before.id !== undefined && before.id === after.id,
    (before, after) => before.title === after.title,
  ];
  for (const rule of rules) {
    for (const change of changes) {
      const after = change.kind !== "A" || origins.has(change) ? null : snapshotOf(change.after!);
      if (after === null) continue;
      for (const candidate of left) {
        const before = snapshotOf(candidate.before[0]!);
        if (before?.type !== after.type || !rule(before, after)) continue;
        origins.set(change, candidate);
        left.delete(candidate);
        break;
      }
    }
  }
  return origins;
}

/** One version of an entity, reduced to what the history compares. */
export interface Snapshot {
  readonly type: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly criteria: readonly Criterion[];
  /** The text of its resolution, if any. */
  readonly resolution?: string;
}

/** Parses a version; returns `null` if it contains no entity. */
export function snapshotOf(source: string): Snapshot | null {
  let document;
  try {
    document = read(source);
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
  if (document.entity === undefined) return null;
  const { type, id, title, attributes, criteria, resolution } = document.entity;
  return {
    type,
    id,
    title: title?.text,
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    ...(resolution && { resolution: contentOf(document, resolution.content) }),
  };
}

/**
 * Follows the files of a plan through their renames: which entity of an older commit is in which
 * file now. The ids of entities decide before their titles.
 *
 * @module
 */

import { type Commit, detached, type FileChange } from "./git_log.ts";
import type { Snapshot } from "./snapshot.ts";

/** One file through all of its names. */
export interface FileLife {
  /** Its last name in the repository. */
  path: string;
  /** What was in it when it was removed. */
  last: Snapshot | null;
}

/** One change of one file. */
export interface LifeChange {
  readonly life: FileLife;
  /** `null` for nothing; of a merge what its first parent has. */
  readonly before: Snapshot | null;
  readonly after: Snapshot;
  /** What every parent of a merge has. */
  readonly parents?: readonly Snapshot[];
  readonly renamedFrom?: string;
}

type SnapshotOf = (blob: string) => Snapshot | null;

/** Follows files from commit to commit, oldest first. */
export class FileLives {
  readonly #living = new Map<string, FileLife>();
  readonly #dead: FileLife[] = [];

  /** Follows one commit. */
  follow(commit: Commit, snapshotOf: SnapshotOf): LifeChange[] {
    const changes = commit.changes.flatMap((change) => inTwo(change, snapshotOf));
    const origins = originsOf(changes, snapshotOf);
    // Before any of them gets its new name: two files may have exchanged theirs.
    const removed = new Map<FileChange, FileLife>();
    for (const change of changes) {
      if (change.kind !== "D") continue;
      removed.set(change, this.#livingAt(change.path));
      this.#living.delete(change.path);
    }
    const found = changes.flatMap((change): LifeChange[] => {
      const after = change.after === undefined ? null : snapshotOf(change.after);
      if (after === null) return [];
      const { life, ...past } = this.#pastOf(change, after, snapshotOf, origins, removed);
      // A copy: the path is a part of what git printed, and would keep it.
      life.path = detached(change.path);
      life.last = null;
      this.#living.set(life.path, life);
      return [{ life, after, ...past }];
    });
    const moved = new Set(origins.values());
    for (const [change, life] of removed) {
      if (moved.has(change)) continue;
      life.last = snapshotOf(change.before[0]!);
      this.#dead.push(life);
    }
    return found;
  }

  #pastOf(
    change: FileChange,
    after: Snapshot,
    snapshotOf: SnapshotOf,
    origins: ReadonlyMap<FileChange, FileChange>,
    removed: ReadonlyMap<FileChange, FileLife>,
  ): Omit<LifeChange, "after"> {
    const { kind, path, before: blobs } = change;
    if (kind !== "A") {
      const before = blobs[0] === undefined ? null : snapshotOf(blobs[0]);
      const parents = blobs.flatMap((blob) => snapshotOf(blob) ?? []);
      return { life: this.#livingAt(path), before, ...(kind === "merge" ? { parents } : {}) };
    }
    const origin = origins.get(change);
    if (origin !== undefined) {
      return {
        life: removed.get(origin)!,
        before: snapshotOf(origin.before[0]!),
        ...(origin.path === path ? {} : { renamedFrom: origin.path }),
      };
    }
    // Removed by one commit and brought back by another, under this name or another.
    const index = this.#dead.findLastIndex(({ last }) =>
      last?.id !== undefined && last.id === after.id && last.type === after.type
    );
    const dead = index === -1 ? undefined : this.#dead.splice(index, 1)[0]!;
    if (dead === undefined) return { life: this.#livingAt(path), before: null };
    if (dead.path === path) return { life: dead, before: null };
    return { life: dead, before: dead.last, renamedFrom: dead.path };
  }

  #livingAt(path: string): FileLife {
    return this.#living.get(path) ?? { path, last: null };
  }
}

/** A change to another entity is a removal and an addition: each of them may be elsewhere too. */
function inTwo(change: FileChange, snapshotOf: SnapshotOf): FileChange[] {
  const { kind, path, before, after } = change;
  if (kind !== "M") return [change];
  const [was, is] = [before[0]!, after!].map((blob) => snapshotOf(blob)?.id);
  if (was === undefined || is === undefined || was === is) return [change];
  return [{ kind: "D", path, before, after: undefined }, { kind: "A", path, before: [], after }];
}

/**
 * The removed files that added ones were: those with the same id, then those with the same
 * title. Entities made from one template look alike to git.
 */
function originsOf(
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

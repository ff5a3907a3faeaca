/**
 * Follows the files of a plan through their renames: which entity of an older commit is in which
 * file now. The ids of entities decide before anything else.
 *
 * @module
 */

import type { Commit, FileChange } from "./git_log.ts";
import { isSameEntity, type Snapshot } from "./snapshot.ts";
import { detached } from "./git_log.ts";

/** One file through all of its names. */
export interface FileLife {
  /** Its last name in the repository. */
  path: string;
  /** What was in it when it was removed. */
  last: Snapshot | null;
}

/** One change of one file. */
export interface LifeChange {
  /** The file. */
  readonly life: FileLife;
  /** What was in it before; `null` for nothing, `undefined` where it cannot be known. */
  readonly before: Snapshot | null | undefined;
  /** What every parent of a merge has. */
  readonly parents?: readonly Snapshot[];
  /** What is in it after. */
  readonly after: Snapshot;
  /** Its name before, where it got another. */
  readonly renamedFrom?: string;
}

/** What is in a blob: an entity, none, or not to be known. */
export type SnapshotOf = (blob: string) => Snapshot | null | undefined;

/** Follows files from commit to commit, oldest first. */
export class FileLives {
  readonly #living = new Map<string, FileLife>();
  readonly #dead: FileLife[] = [];

  /** Follows one commit. */
  follow(commit: Commit, snapshotOf: SnapshotOf): LifeChange[] {
    const changes = apart(commit.changes, snapshotOf);
    const removed = changes.filter(({ kind }) => kind === "D");
    const added = changes.filter(({ kind }) => kind === "A");
    const origins = originsOf(added, removed, snapshotOf);
    // Before any of them gets its new name: two files may have exchanged theirs.
    const moved = new Map<FileChange, FileLife>();
    for (const origin of origins.values()) {
      const { path } = origin;
      moved.set(origin, this.#living.get(path) ?? { path, last: null });
      this.#living.delete(path);
    }
    const found: LifeChange[] = [];
    for (const change of changes) {
      if (change.after === undefined) continue;
      const after = snapshotOf(change.after);
      const told = change.kind === "A"
        ? this.#added(change, after, origins.get(change), moved, snapshotOf)
        : this.#changed(change, after, snapshotOf);
      if (told !== undefined) found.push(told);
    }
    for (const change of removed) if (!moved.has(change)) this.#end(change, snapshotOf);
    return found;
  }

  #added(
    { path }: FileChange,
    after: Snapshot | null | undefined,
    origin: FileChange | undefined,
    moved: ReadonlyMap<FileChange, FileLife>,
    snapshotOf: SnapshotOf,
  ): LifeChange | undefined {
    if (after === null || after === undefined) return undefined;
    if (origin !== undefined) {
      const before = snapshotOf(origin.before[0]!);
      const life = moved.get(origin)!;
      return this.#move(life, path, { before, after, renamedFrom: origin.path });
    }
    // Removed by one commit and brought back by another, under this name or another.
    const index = this.#dead.findLastIndex(({ last }) =>
      last !== null && last.id !== undefined && last.id === after.id && last.type === after.type
    );
    const dead = index === -1 ? undefined : this.#dead.splice(index, 1)[0]!;
    if (dead !== undefined && dead.path !== path) {
      return this.#move(dead, path, { before: dead.last, after, renamedFrom: dead.path });
    }
    return this.#move(dead ?? this.#living.get(path) ?? { path, last: null }, path, {
      before: null,
      after,
    });
  }

  #changed(
    { kind, path, before: blobs }: FileChange,
    after: Snapshot | null | undefined,
    snapshotOf: SnapshotOf,
  ): LifeChange | undefined {
    const life = this.#living.get(path) ?? { path, last: null };
    if (after === null || after === undefined) return undefined;
    const before = blobs.length === 0 ? null : snapshotOf(blobs[0]!);
    if (kind !== "merge") return this.#move(life, path, { before, after });
    const parents = blobs.flatMap((blob) => snapshotOf(blob) ?? []);
    return this.#move(life, path, { before, after, parents });
  }

  #move(life: FileLife, path: string, change: Omit<LifeChange, "life">): LifeChange {
    // A copy: the path is a part of what git printed, and would keep it.
    life.path = detached(path);
    life.last = null;
    this.#living.set(life.path, life);
    return { life, ...change };
  }

  #end({ path, before }: FileChange, snapshotOf: SnapshotOf): void {
    const life = this.#living.get(path);
    if (life === undefined) return;
    life.last = snapshotOf(before[0]!) ?? null;
    this.#living.delete(path);
    this.#dead.push(life);
  }
}

/**
 * The changes, where a file whose entity is another now is one that was removed and one that
 * was added: the entity that was in it is elsewhere, or the one that is in it was.
 */
function apart(changes: readonly FileChange[], snapshotOf: SnapshotOf): readonly FileChange[] {
  const idsOf = (change: FileChange) => ({
    before: change.before.length === 1 ? snapshotOf(change.before[0]!)?.id : undefined,
    after: change.after === undefined ? undefined : snapshotOf(change.after)?.id,
  });
  const others = changes.filter((change) => {
    if (change.kind !== "M") return false;
    const { before, after } = idsOf(change);
    return before !== undefined && after !== undefined && before !== after;
  });
  if (others.length === 0) return changes;
  const [gone, come] = [new Set<string>(), new Set<string>()];
  for (const change of changes) {
    if (change.kind === "M" && !others.includes(change)) continue;
    const { before, after } = idsOf(change);
    if (before !== undefined) gone.add(before);
    if (after !== undefined) come.add(after);
  }
  return changes.flatMap((change): FileChange[] => {
    const { before, after } = others.includes(change) ? idsOf(change) : {};
    if (before === undefined || !(gone.has(after!) || come.has(before))) return [change];
    return [
      { kind: "D", path: change.path, before: change.before, after: undefined },
      { kind: "A", path: change.path, before: [], after: change.after },
    ];
  });
}

/**
 * The removed files that added ones were: those with the same id, then those with the very
 * same text, then those with the same title. Entities made from one template look alike to git.
 */
export function originsOf(
  added: readonly FileChange[],
  removed: readonly FileChange[],
  snapshotOf: SnapshotOf,
): Map<FileChange, FileChange> {
  const origins = new Map<FileChange, FileChange>();
  const left = new Set(removed);
  const rules: ((after: Snapshot, before: Snapshot, isSameText: boolean) => boolean)[] = [
    (after, before) => before.id !== undefined && before.id === after.id,
    (_after, _before, isSameText) => isSameText,
    (after, before) => isSameEntity(before, after),
  ];
  for (const rule of rules) {
    for (const change of added) {
      const after = origins.has(change) ? undefined : snapshotOf(change.after!);
      if (after === undefined || after === null) continue;
      for (const candidate of left) {
        const before = snapshotOf(candidate.before[0]!);
        if (before === undefined || before === null || before.type !== after.type) continue;
        if (!rule(after, before, candidate.before[0] === change.after)) continue;
        origins.set(change, candidate);
        left.delete(candidate);
        break;
      }
    }
  }
  return origins;
}

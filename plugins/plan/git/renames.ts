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
  /** Its number in the history. */
  readonly index: number;
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
  readonly file: TrackedFile;
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

/** All files of a history, as plain data. */
export interface Files {
  readonly files: readonly TrackedFile[];
  /** The indexes of those by every path that no other file has taken: branches may still use it. */
  readonly living: readonly (readonly [path: string, file: number])[];
  /** The indexes of removed ones by type and id, the last one at the end. */
  readonly dead: readonly (readonly [key: string, files: readonly number[]])[];
}

/** Follows files from commit to commit, oldest first. */
export class RenameTracker {
  readonly #files: TrackedFile[];
  readonly #living: Map<string, TrackedFile>;
  readonly #dead: Map<string, TrackedFile[]>;

  constructor({ files, living, dead }: Files = { files: [], living: [], dead: [] }) {
    this.#files = [...files];
    this.#living = new Map(living.map(([path, index]) => [path, files[index]!]));
    this.#dead = new Map(dead.map(([key, all]) => [key, all.map((index) => files[index]!)]));
  }

  get files(): Files {
    return {
      files: this.#files,
      living: [...this.#living].map(([path, { index }]) => [path, index]),
      dead: [...this.#dead].map(([key, files]) => [key, files.map(({ index }) => index)]),
    };
  }

  /** @param turn Is awaited between changes: a commit may have many. */
  async follow(commit: Commit, versionOf: VersionOf, turn: Turn): Promise<TrackedChange[]> {
    const changes = (await withParents(commit, versionOf, turn))
      .flatMap((change) => splitReplacement(change, versionOf));
    const origins = await matchRenames(changes, versionOf, turn);
    // First, because two files may have swapped names.
    const removed = new Map<FileChange, TrackedFile>();
    for (const change of changes) {
      if (change.kind !== "D") continue;
      removed.set(change, this.#ownerOf(change.path));
      this.#living.delete(change.path);
    }
    const tracked: TrackedChange[] = [];
    for (const change of changes) {
      await turn();
      const after = change.after === undefined ? null : versionOf(change.after);
      if (after === null) continue;
      const origin = origins.get(change);
      const from = (origin ?? change).before[0];
      const before = from === undefined ? null : versionOf(from);
      const past = origin === undefined ? this.#previousOf(change, after, before, versionOf) : {
        file: removed.get(origin)!,
        before,
        renamedFrom: origin.path === change.path ? undefined : origin.path,
      };
      const { file } = past;
      // A copy: substrings keep git's whole output in memory.
      const path = detached(change.path);
      if (change.kind !== "M") file.path = path;
      file.last = null;
      this.#living.set(path, file);
      tracked.push({ after, ...past, from, to: change.after });
    }
    const moved = new Set(origins.values());
    for (const [change, file] of removed) {
      await turn();
      if (moved.has(change)) {
        this.#living.getOrInsert(detached(change.path), file);
        continue;
      }
      const last = file.last = versionOf(change.before[0]!);
      this.#dead.getOrInsert(entityKey(last), []).push(file);
      if (last === null) continue;
      tracked.push({ file, before: last, after: last, isRemoved: true, from: change.before[0] });
    }
    return tracked;
  }

  /** The past of a file that has not been renamed in its commit. */
  #previousOf(
    { kind, path, before: blobs }: FileChange,
    after: Version,
    before: Version | null,
    versionOf: VersionOf,
  ): Omit<TrackedChange, "after"> {
    if (kind !== "A") {
      const file = this.#living.get(path) ?? this.#ownerOf(path);
      if (kind !== "merge") return { file, before };
      return { file, before, parents: blobs.flatMap((blob) => versionOf(blob) ?? []) };
    }
    // Removed by one commit and restored by another, perhaps under another name: with another title,
    // it is another entity that got the same id.
    const removedBefore = after.id === undefined ? [] : this.#dead.get(entityKey(after)) ?? [];
    const at = removedBefore.findLastIndex(({ last }) => last?.title === after.title);
    const [dead] = at < 0 ? [] : removedBefore.splice(at, 1);
    if (dead === undefined) return { file: this.#ownerOf(path), before: null };
    if (dead.path === path) return { file: dead, before: null };
    return { file: dead, before: dead.last, renamedFrom: dead.path };
  }

  /** The file that has a path now, which may be a new one. */
  #ownerOf(path: string): TrackedFile {
    const file = this.#living.get(path);
    if (file?.path === path) return file;
    const added: TrackedFile = { index: this.#files.length, path: detached(path), last: null };
    this.#files.push(added);
    return added;
  }
}

const entityKey = (version: Version | null) => `${version?.type} ${version?.id}`;

/** The changes of a merge to what no parent has, also under another name. */
async function withParents(
  { changes, sides }: Commit,
  versionOf: VersionOf,
  turn: Turn,
): Promise<readonly FileChange[]> {
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
  const [was, is] = [before[0]!, after!].map((blob) => versionOf(blob)?.id);
  if (was === undefined || is === undefined || was === is) return [change];
  return [{ kind: "D", path, before, after: undefined }, { kind: "A", path, before: [], after }];
}

/**
 * Matches added files with removed ones, by id and then by title. Git's own rename detection
 * fails here: entities from the same template look alike.
 */
async function matchRenames(
  changes: readonly FileChange[],
  versionOf: VersionOf,
  turn: Turn,
): Promise<Map<FileChange, FileChange>> {
  const origins = new Map<FileChange, FileChange>();
  const left = new Set(changes.filter(({ kind }) => kind === "D"));
  const keys: ((version: Version) => string | undefined)[] = [
    ({ id }) => id,
    ({ title }) => title ?? "",
  ];
  for (const sameOf of keys) {
    const byKey = new Map<string, FileChange[]>();
    for (const candidate of [...left].reverse()) {
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
      left.delete(candidate);
    }
  }
  return origins;
}

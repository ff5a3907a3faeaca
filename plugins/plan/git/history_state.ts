/** What a history goes on from: plain data, which is left to the next start. */

import { fieldOf } from "../../../src/io/json.ts";
import type { RepositoryFacts } from "./log.ts";
import type { Files, FileVersions } from "./renames.ts";
import type { HistoryEvent } from "./events.ts";

/** Goes up whenever the same commits give other events than before. */
const VERSION = 6;

/** An event whose file may still be renamed. */
export interface RecordedEvent extends FileVersions {
  readonly event: HistoryEvent;
  /** The index of the file. */
  readonly file: number;
}

/** Everything that a history goes on from. */
export interface HistoryState extends Files {
  readonly version: number;
  readonly facts: RepositoryFacts;
  /** The commits that change a file of the plan. */
  readonly commits: readonly string[];
  /** Oldest first. */
  readonly events: readonly RecordedEvent[];
  /** The versions that git lacks or that are too large, each with a commit. */
  readonly unread: readonly (readonly [blob: string, commit: string])[];
  /** Sentences about commits that are left out. */
  readonly leftOut: readonly string[];
  /** Whether reading anew would give the same: merges may change the order of older commits. */
  readonly isExact: boolean;
}

export function emptyHistory(facts: RepositoryFacts): HistoryState {
  const files: Files = { files: [], living: [], dead: [] };
  const rest = { commits: [], events: [], unread: [], leftOut: [], isExact: true };
  return { version: VERSION, facts, ...files, ...rest };
}

/** Returns a history that an earlier start has left; `undefined` if it is of another version. */
export function historyOf(value: unknown): HistoryState | undefined {
  return fieldOf(value, "version") === VERSION ? value as HistoryState : undefined;
}

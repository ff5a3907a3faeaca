/** What is known of a history: plain data, which is left to the next start and checked by it. */

import * as z from "zod";
import type { RepositoryFacts } from "./log.ts";
import type { Files, FileVersions } from "./renames.ts";
import { type HistoryEvent, historyEvent } from "./events.ts";

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

const hash = z.string().regex(/^[\da-f]{40,64}$/);
const index = z.int().nonnegative();
const version = z.object({
  type: z.string(),
  id: z.string().optional(),
  title: z.string().optional(),
  attributes: z.record(z.string(), z.string()),
  criteria: z.array(z.object({ text: z.string(), checked: z.boolean() })),
  texts: z.object({
    rest: z.number(),
    sections: z.record(z.string(), z.number()),
    resolution: z.string().optional(),
  }),
});
const historyState = z.object({
  version: z.literal(VERSION),
  facts: z.object({
    head: hash,
    prefix: z.string(),
    shallow: z.boolean(),
    ends: z.string(),
    mailmap: z.string(),
  }),
  files: z.array(z.object({ index, path: z.string(), last: version.nullable() })),
  living: z.array(z.tuple([z.string(), index])),
  dead: z.array(z.tuple([z.string(), z.array(index)])),
  commits: z.array(hash),
  events: z.array(z.object({
    event: historyEvent,
    file: index,
    from: hash.optional(),
    to: hash.optional(),
  })),
  unread: z.array(z.never()),
  leftOut: z.array(z.never()),
  isExact: z.literal(true),
});

/** Returns a history that an earlier start has left; `undefined` if it is none. */
export function historyOf(value: unknown): HistoryState | undefined {
  const { data } = historyState.safeParse(value);
  if (data === undefined) return undefined;
  const { files, living, dead, events } = data;
  const used = [
    living.map(([, file]) => file),
    ...dead.map(([, files]) => files),
    events.map(({ file }) => file),
  ];
  const isWhole = files.every(({ index }, at) => index === at) &&
    used.every((indexes) => indexes.every((index) => index < files.length));
  // As it is: answers have the keys of events in their order.
  return isWhole ? value as HistoryState : undefined;
}

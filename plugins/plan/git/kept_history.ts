/** The history as it is kept for the next start: checked when it is read, because files are shared. */

import * as z from "zod";
import { type HistoryEvent, historyEvent } from "./events.ts";
import type { RepositoryFacts } from "./log.ts";
import type { FileVersions, RenameTracker, TrackedFile } from "./renames.ts";

/** Goes up whenever the same commits give other events than before. */
const VERSION = 3;

/** An event whose file may still be renamed. */
export interface RecordedEvent extends FileVersions {
  readonly event: HistoryEvent;
  readonly file?: TrackedFile;
}

/** Everything that a history goes on from. */
export type HistoryState = RenameTracker["files"] & {
  readonly facts: RepositoryFacts;
  readonly commits: string[];
  readonly events: RecordedEvent[];
};

const hash = z.string().regex(/^[\da-f]{40,64}$/);
const at = z.int().nonnegative();
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
const trackedFile = z.object({ path: z.string(), last: version.nullable() });
/** Kept as they are: answers have the keys of events in their order. */
const keptEvent = z.custom<HistoryEvent>((value) => historyEvent.safeParse(value).success);
const keptFile = z.custom<TrackedFile>((value) => trackedFile.safeParse(value).success);
const keptHistory = z.object({
  facts: z.object({
    head: hash,
    prefix: z.string(),
    shallow: z.boolean(),
    ends: z.string(),
    mailmap: z.string(),
  }),
  commits: z.array(hash),
  files: z.array(keptFile),
  living: z.array(z.tuple([z.string(), at])),
  dead: z.array(z.array(at)),
  version: z.literal(VERSION),
  events: z.array(z.object({
    event: keptEvent,
    file: at.optional(),
    from: hash.optional(),
    to: hash.optional(),
  })),
});

export function writeHistory({ living, dead, events, ...rest }: HistoryState): unknown {
  const files = new Map<TrackedFile, number>();
  const numberOf = (file: TrackedFile) => files.getOrInsert(file, files.size);
  const numbered = {
    ...rest,
    living: living.map(([path, file]) => [path, numberOf(file)]),
    dead: dead.map((each) => each.map(numberOf)),
    version: VERSION,
    events: events.map(({ file, ...event }) => ({ ...event, file: file && numberOf(file) })),
  };
  return { ...numbered, files: [...files.keys()] };
}

/** Returns `undefined` if it is not a history. */
export function readHistory(value: unknown): HistoryState | undefined {
  const { data } = keptHistory.safeParse(value);
  if (data === undefined) return undefined;
  const { files, living, dead, events, version: _version, ...rest } = data;
  const numbers = [
    living.map(([, number]) => number),
    ...dead,
    events.flatMap(({ file }) => file ?? []),
  ];
  if (numbers.some((each) => each.some((number) => number >= files.length))) return undefined;
  const fileAt = (number: number) => files[number]!;
  return {
    ...rest,
    living: living.map(([path, number]) => [path, fileAt(number)]),
    dead: dead.map((each) => each.map(fileAt)),
    events: events.map(({ file, ...event }): RecordedEvent => ({
      ...event,
      ...(file === undefined ? {} : { file: fileAt(file) }),
    })),
  };
}

/** What git tells about a plan: its events, and the commits that name its entities. */

import type { Entity } from "../entity/entity.ts";
import { CLAIMED } from "../entity/lifecycle.ts";
import { type HistoryEvent, valueFrom } from "../git/events.ts";
import { type Messages, readMessages } from "../git/messages.ts";
import { readRepository } from "../git/log.ts";
import { readRefs } from "../git/refs.ts";
import type { PlanView } from "./access.ts";

export interface GitFacts {
  /** Newest first. */
  readonly events: readonly HistoryEvent[];
  /** The commits that change a file of the plan. */
  readonly commits: ReadonlySet<string>;
  /** Gaps in the history, in sentences. */
  readonly warnings: readonly string[];
  readonly messages: Messages;
  /** The events of an entity's file, newest first. */
  eventsOf(item: Entity): readonly HistoryEvent[];
  readonly datesOf: ReturnType<typeof dateFinder>;
}

/** Reads what git tells; the same object while neither the plan nor the repository changes. */
export async function readGitFacts(plan: PlanView): Promise<GitFacts> {
  // First what remembers that git has failed.
  const { version, ...history } = await plan.history();
  const refs = await readRefs(plan.git);
  const key = ["facts of git", refs, plan.files, String(version)];
  return await plan.git.memo(key, async (): Promise<GitFacts> => {
    const ids = new Set(plan.entities.map(({ id }) => id.toUpperCase()));
    const { head } = await readRepository(plan.git);
    const messages = await readMessages(plan.git, refs, head, ids);
    const warnings = [...new Set([...history.warnings, ...messages.leftOut])];
    const byFile = Map.groupBy(history.events, ({ file }) => file);
    const eventsOf = ({ file }: Entity) => byFile.get(file) ?? [];
    return { ...history, warnings, messages, eventsOf, datesOf: dateFinder(history.events) };
  });
}

/** Dates of commits, as git writes them; `undefined` if there is none. */
interface EntityDates {
  /** Of the first commit, and of the last one. */
  readonly created: string | undefined;
  readonly modified: string | undefined;
  /** When its status first became in-progress. */
  readonly started: string | undefined;
  /** When it got the status that it has; `undefined` if that is not committed. */
  readonly reached: string | undefined;
}

/** Finds the dates of entities. @param events Newest first. */
export function dateFinder(events: readonly HistoryEvent[]): (entity: Entity) => EntityDates {
  const byFile = Map.groupBy(events, ({ file }) => file);
  return ({ file, status }) => {
    const events = byFile.get(file) ?? [];
    const last = events.find((event) => valueFrom(event, "status") !== undefined);
    return {
      created: events.at(-1)?.date,
      modified: events[0]?.date,
      started: events.findLast((event) => valueFrom(event, "status") === CLAIMED)?.date,
      reached: last && valueFrom(last, "status") === status ? last.date : undefined,
    };
  };
}

/** What the tables are filled from. */

import { RefraktError } from "../../../src/errors.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { HistoryEvent } from "../git/events.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";

export function planOf(plugin: PlanPlugin, context: CallContext): Promise<PlanView> {
  return openPlan(context, undefined, plugin);
}

/** A date in UTC, such as `2026-07-31T12:00:00Z`, so that dates sort as text. */
export function utc(date: string | number): string {
  return new Date(date).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The length of hashes, as in `plan.history`. */
export const HASH_LENGTH = 7;

/** The events of a plan, newest first. */
export interface PlanEvents {
  readonly events: readonly HistoryEvent[];
  /** The hashes of the commits that change a file of the plan. */
  readonly commits: ReadonlySet<string>;
  /** Identify this state of the history. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Reads the history; without one, there are no events and a note says why. */
export async function eventsOf(
  plugin: PlanPlugin,
  { dir }: PlanView,
  signal: AbortSignal,
): Promise<PlanEvents> {
  const found = await unlessMissing(async () => await plugin.historyOf(dir).read(signal), signal);
  if (typeof found === "string") {
    return { events: [], commits: new Set(), inputs: { history: found }, notes: [found] };
  }
  const { events, commits, warnings } = found;
  const inputs = { oldest: events.at(-1), newest: events[0], count: commits.size };
  return { events, commits, inputs, notes: warnings };
}

/** Returns a sentence if git cannot answer. */
export async function unlessMissing<Value>(
  read: () => Promise<Value>,
  signal: AbortSignal,
): Promise<Value | string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RefraktError) || signal.aborted) throw error;
    return `Without git's history, dates and commits are missing: ${error.message}`;
  }
}

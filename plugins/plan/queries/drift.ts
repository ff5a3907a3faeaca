/** Reads what a review needs of git, and finds the drift of a whole plan. */

import { orOtherwise } from "../../../src/errors.ts";
import { askGit } from "../../../src/io/git_ask.ts";
import { sizesOf } from "../../../src/tools/counted.ts";
import { inSlices } from "../store/slices.ts";
import { type Item, listed, type PlanView } from "./access.ts";
import { readGitFacts } from "./git_facts.ts";
import { type Drift, findDrift } from "./review.ts";
import { filterItems } from "./select.ts";
import { parseTime } from "./times.ts";

/** How long nothing has happened to an item that is idle, unless the caller says it. */
export const IDLE = "30d";

/** What is found in a plan. */
export interface PlanDrift {
  readonly drift: readonly Drift[];
  /** How many commits were read; `undefined` without git. */
  readonly commits?: number | undefined;
  /** The date of the newest change of the plan. */
  readonly newest?: string | undefined;
  /** The checks that need more than git has, in sentences. */
  readonly notChecked: readonly string[];
}

/**
 * Finds all drift; the same object while neither the plan nor the repository changes.
 *
 * @param idleSince In milliseconds.
 * @param idle The time span that it was made of.
 */
export async function readDrift(
  plan: PlanView,
  idleSince: number,
  idle: string,
): Promise<PlanDrift> {
  const found = await orOtherwise(
    plan.signal,
    () => withGit(plan, idleSince, idle),
    ({ message }) => message,
  );
  if (typeof found !== "string") return found;
  const notChecked = [`${found}: reverted, merged-pr and idle were not checked`];
  const withoutGit = { plan, messages: undefined, repositories: [], eventsOf: undefined };
  return { drift: await inSlices(findDrift({ ...withoutGit, idleSince })), notChecked };
}

async function withGit(plan: PlanView, idleSince: number, idle: string): Promise<PlanDrift> {
  const { messages, eventsOf, events, warnings, version } = await readGitFacts(plan);
  const remotes = await askGit(["remote", "-v"], plan.git);
  return plan.state.derived(`drift ${idle} ${version} ${remotes}`, async () => {
    const notChecked = [...warnings];
    if (messages.from > -Infinity) {
      const kinds = `${messages.from > idleSince ? "idle, " : ""}reverted, merged-pr`;
      const day = new Date(messages.from).toISOString().slice(0, 10);
      notChecked.push(`${kinds}: commits before ${day} were not read`);
    }
    // Local remotes have no owner.
    const urls = remotes.matchAll(/(?:@|https?:\/\/).*?([\w.-]+\/[\w.-]+?)(?:\.git)?\/? \(/g);
    const repositories = [...urls].map(([, name]) => name!.toLowerCase());
    const reviewed = { plan, eventsOf, messages, repositories, idleSince };
    const drift = await inSlices(findDrift(reviewed));
    return { drift, commits: messages.commits.length, newest: events[0]?.date, notChecked };
  });
}

/** A milestone, its items, and the specs that they implement. */
export function scopeOf(plan: PlanView, milestone: string): Item[] {
  const items = filterItems(plan, { milestone });
  const sources = new Set(items.flatMap((item) => listed(item, "source")));
  return plan.items.filter((item) =>
    item.id === milestone || items.includes(item) || sources.has(item.id)
  );
}

/** How many findings a review of a milestone has, by kind. */
export async function countDrift(
  plan: PlanView,
  milestone: string,
): Promise<Record<string, number>> {
  const ids = new Set(scopeOf(plan, milestone).map(({ id }) => id));
  const { drift } = await readDrift(plan, parseTime(IDLE, "idle"), IDLE);
  const own = drift.filter(({ shown }) => ids.has(shown.id));
  return sizesOf(Map.groupBy(own, ({ shown }) => shown.kind));
}

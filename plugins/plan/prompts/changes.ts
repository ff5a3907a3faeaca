/**
 * `plan_release_notes` and `plan_standup`: what has changed, from git.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import type { Prompt } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { readEvents } from "../history.ts";
import type { HistoryEvent } from "../history_events.ts";
import type { Item, PlanView } from "../queries/access.ts";
import { waitsFor } from "../queries/dependencies.ts";
import { isDone } from "../queries/lifecycle.ts";
import { checkValues } from "../queries/values.ts";
import { rangeOf, reachedBy } from "../tools/history.ts";
import {
  completeMilestones,
  completeSpans,
  dataOr,
  listOf,
  ofPlan,
  type PromptCall,
  quoted,
  say,
  withPlan,
} from "./messages.ts";

/** So much of a resolution goes into release notes. */
const RESOLUTION = 600;

/** How long ago the last stand-up was, where nobody says. */
const LAST_STANDUP = "1d";

/** Declares `plan_release_notes`. */
export function releaseNotesPrompt(plugin: PlanPlugin): Prompt {
  return {
    name: "plan_release_notes",
    title: "Write release notes",
    description: "What became done or fixed in a milestone, or since a time, with resolutions.",
    arguments: [
      { name: "milestone", description: "Its name" },
      { name: "since", description: "14d, a date or a commit" },
    ],
    requires: ["plan"],
    complete: (argument, value, context) =>
      argument === "since"
        ? completeSpans(value)
        : withPlan(plugin, context, ({ plan }) => completeMilestones(plan, value)),
    render: ({ milestone = "", since = "" }, context) =>
      ofPlan(plugin, context, async (call) => {
        if (milestone === "" && since === "") {
          throw new RefraktError("INVALID_ARGS", 'Give "milestone" or "since"', {
            hint: "A milestone's name, or a time such as 14d, 2026-01-31 or a commit.",
          });
        }
        const { plan } = call;
        if (milestone !== "") checkValues(plan, "milestone", milestone);
        const finished = since === "" ? undefined : await finishedIn(call, plugin, since);
        const items = plan.items.filter((item) =>
          isDone(item.status) && (finished === undefined || finished.has(item.id)) &&
          (milestone === "" || item.entity.attributes["milestone"] === milestone)
        );
        const scope = [milestone && quoted(milestone), since === "" ? "" : `since ${since}`].filter(
          Boolean,
        ).join(" ");
        return [
          say(
            `Write release notes for ${scope}, for people who use the product: what is new, ` +
              `what is fixed, what they have to change. Group it; leave out what only developers ` +
              `see; keep the ids.`,
          ),
          ...dataOr(
            `Nothing became done or fixed ${scope}.`,
            listOf("New", items.filter(({ type }) => type !== "bug"), resolutionNote, 60),
            listOf("Fixed", items.filter(({ type }) => type === "bug"), resolutionNote, 60),
          ),
        ];
      }),
  };
}

/** Declares `plan_standup`. */
export function standupPrompt(plugin: PlanPlugin): Prompt {
  return {
    name: "plan_standup",
    title: "Stand-up",
    description: "What was done, begun and created since a time, what goes on and what is stuck.",
    arguments: [{
      name: "since",
      description: `14d, a date or a commit; ${LAST_STANDUP} by default`,
    }],
    requires: ["plan"],
    complete: (_argument, value) => completeSpans(value),
    render: ({ since = "" }, context) =>
      ofPlan(plugin, context, async (call) => {
        const { plan } = call;
        const from = since === "" ? LAST_STANDUP : since;
        const events = await eventsIn(call, plugin, from);
        const reached = new Map<string, string>();
        // Newest first: the last status that an item came to counts.
        for (const event of events) {
          const status = reachedBy(event);
          if (event.id !== undefined && status !== undefined && !reached.has(event.id)) {
            reached.set(event.id, status);
          }
        }
        const created = new Set(
          events.flatMap(({ kind, id }) => kind === "created" ? id ?? [] : []),
        );
        const moved = (test: (status: string) => boolean) =>
          itemsNamed(plan, [...reached].flatMap(([id, status]) => test(status) ? id : []));
        const going = plan.items.filter(({ status }) => status === "in-progress");
        return [
          say(
            `Give the stand-up since ${from} in a few sentences: done, going on, stuck, next. ` +
              `Name the ids.`,
          ),
          ...dataOr(
            `Nothing happened since ${from}, and nothing is in progress.`,
            listOf("Done", moved(isDone)),
            listOf("Otherwise moved", moved((status) => !isDone(status))),
            listOf("Created", itemsNamed(plan, [...created])),
            listOf("Going on", going),
            listOf(
              "Stuck",
              plan.items.filter(({ status }) => status === "blocked"),
              (item) => `waits for ${waitsFor(plan, item).join(", ") || "nothing that is named"}`,
            ),
          ),
        ];
      }),
  };
}

function itemsNamed(plan: PlanView, ids: readonly string[]): Item[] {
  return ids.flatMap((id) => plan.find(id) ?? []);
}

async function eventsIn(
  { plan, context }: PromptCall,
  plugin: PlanPlugin,
  since: string,
): Promise<HistoryEvent[]> {
  const { cwd, dir } = plan;
  const { events } = await readEvents({ cwd, dir, signal: context.signal }, plugin);
  return events.filter(await rangeOf(plan, { since }, context.signal));
}

/** The ids of what became done or fixed. */
async function finishedIn(
  call: PromptCall,
  plugin: PlanPlugin,
  since: string,
): Promise<Set<string>> {
  const events = await eventsIn(call, plugin, since);
  return new Set(events.flatMap((event) => isDone(reachedBy(event) ?? "") ? event.id ?? [] : []));
}

function resolutionNote({ entity: { resolution } }: Item): string {
  return plainLine(resolution?.body ?? "", RESOLUTION);
}

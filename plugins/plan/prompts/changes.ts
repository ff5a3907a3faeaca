/**
 * `plan_release_notes` and `plan_standup`: what has changed, from git.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import { type HistoryEvent, reachedBy } from "../history_events.ts";
import { withoutTags } from "../document.ts";
import type { Item } from "../queries/access.ts";
import { isBlocked } from "../queries/dependencies.ts";
import { isDone } from "../queries/lifecycle.ts";
import { checkValues } from "../queries/values.ts";
import { RELEASE_STEPS } from "../skills.ts";
import { rangeOf } from "../tools/history.ts";
import {
  dataOr,
  listOf,
  type PlanPrompt,
  type PromptCall,
  quoted,
  say,
  waitingFor,
} from "./messages.ts";

/** So much of a resolution goes into release notes. */
const RESOLUTION = 600;

/** How long ago the last stand-up was, where nobody says. */
const LAST_STANDUP = "1d";

/** The headings of release notes, and the type whose items stand under each. */
const KINDS = { New: "work", Fixed: "bug" } as const;

/** Release notes. */
export const releaseNotes: PlanPrompt = {
  name: "plan_release_notes",
  title: "Write release notes",
  description: "What became done or fixed in a milestone, or since a time, with resolutions, and " +
    "what is still open.",
  arguments: [
    { name: "milestone", description: "Its name" },
    { name: "since", description: "14d, a date or a commit" },
  ],
  messages: async (call, { milestone = "", since = "" }) => {
    if (milestone === "" && since === "") {
      throw new RefraktError("INVALID_ARGS", 'Give "milestone" or "since"', {
        hint: "A milestone's name, or a time such as 14d, 2026-01-31 or a commit.",
      });
    }
    const { plan } = call;
    if (milestone !== "") checkValues(plan, "milestone", milestone);
    const reached = since === "" ? undefined : reachedIn(await eventsSince(call, since));
    const items = plan.items.filter(({ type, entity }) =>
      (type === "work" || type === "bug") &&
      (milestone === "" || entity.attributes["milestone"] === milestone)
    );
    const done = items.filter(({ id, status }) =>
      isDone(status) && (reached === undefined || isDone(reached.get(id) ?? ""))
    );
    // Without a milestone only what was begun is promised.
    const open = items.filter(({ finished, status }) =>
      !finished && (milestone !== "" || status === "in-progress")
    );
    const scope = [milestone && quoted(milestone), since && `since ${since}`].filter(Boolean)
      .join(" ");
    return [
      say(`Write release notes for ${scope}.\n\n${RELEASE_STEPS}`),
      ...dataOr(
        `Nothing became done or fixed ${scope}.`,
        ...Object.entries(KINDS).map(([heading, kind]) =>
          listOf(heading, done.filter(({ type }) => type === kind), resolutionOf)
        ),
        done.length === 0 ? "" : listOf("Still open", open),
      ),
    ];
  },
};

/** A stand-up. */
export const standup: PlanPrompt = {
  name: "plan_standup",
  title: "Stand-up",
  description: "What was done, begun and created since a time, what goes on and what is stuck.",
  arguments: [{
    name: "since",
    description: `14d, a date or a commit; ${LAST_STANDUP} by default`,
  }],
  messages: async (call, { since = "" }) => {
    const { plan } = call;
    const from = since === "" ? LAST_STANDUP : since;
    const events = await eventsSince(call, from);
    const reached = reachedIn(events);
    const created = new Set(events.flatMap(({ kind, id }) => kind === "created" ? id ?? [] : []));
    const moved = plan.items.filter(({ id }) => reached.has(id));
    const isDoneBy = ({ id }: Item) => isDone(reached.get(id)!);
    return [
      say(
        `Give the stand-up since ${from} in a few sentences: done, going on, stuck, next. ` +
          `Name the ids.`,
      ),
      ...dataOr(
        `Nothing happened since ${from}, and nothing is in progress.`,
        listOf("Done", moved.filter(isDoneBy)),
        listOf("Otherwise moved", moved.filter((item) => !isDoneBy(item))),
        listOf("Created", plan.items.filter(({ id }) => created.has(id))),
        listOf("Going on", plan.items.filter(({ status }) => status === "in-progress")),
        listOf(
          "Stuck",
          plan.items.filter((item) => item.status !== "ready" && isBlocked(plan, item)),
          waitingFor(plan),
        ),
      ),
    ];
  },
};

async function eventsSince(
  { plan, plugin, context: { signal } }: PromptCall,
  since: string,
): Promise<HistoryEvent[]> {
  const { events } = await plugin.historyOf(plan.dir).read(signal);
  return events.filter(await rangeOf(plan, { since }, signal));
}

/** The last status that each entity came to. */
function reachedIn(events: readonly HistoryEvent[]): Map<string, string> {
  const reached = new Map<string, string>();
  // Events come newest first.
  for (const event of events) {
    const status = reachedBy(event);
    if (event.id === undefined || status === undefined || reached.has(event.id)) continue;
    reached.set(event.id, status);
  }
  return reached;
}

function resolutionOf({ entity: { resolution } }: Item): string {
  return plainLine(withoutTags(resolution?.body ?? ""), RESOLUTION);
}

/**
 * `plan_work`: take up an item.
 *
 * @module
 */

import { didYouMean, RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import type { Prompt, PromptMessage } from "../../../src/tools/prompt.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { unknownEntity } from "../failures.ts";
import { readEvents } from "../history.ts";
import { type Item, listed, type PlanView } from "../queries/access.ts";
import { waitsFor } from "../queries/dependencies.ts";
import { checkValues } from "../queries/values.ts";

import { whatOf } from "../tools/history.ts";
import {
  completeIds,
  completeMilestones,
  dataOr,
  embed,
  listOf,
  ofPlan,
  type PromptCall,
  quoted,
  say,
  withPlan,
} from "./messages.ts";

/** How many sources and how many events are shown. */
const [SOURCES, EVENTS] = [4, 5];

/** The longest line of an event. */
const MOST_EVENT = 500;

/** Declares the prompt. */
export function workPrompt(plugin: PlanPlugin): Prompt {
  return {
    name: "plan_work",
    title: "Work on an item",
    description: "Takes up an item, or the next one of a milestone: its text, what it builds on " +
      "and its last changes.",
    arguments: [
      { name: "id", description: "Work item or bug; the next one by default" },
      { name: "milestone", description: "The next item of this milestone" },
    ],
    requires: ["plan"],
    complete: (argument, value, context) =>
      withPlan(
        plugin,
        context,
        ({ plan }) =>
          argument === "milestone"
            ? completeMilestones(plan, value)
            : completeIds(plan, value, ["work", "bug", "milestone"]),
      ),
    render: ({ id = "", milestone = "" }, context) =>
      ofPlan(plugin, context, async (call) => {
        const item = await itemOf(call, plugin, id, milestone);
        return await messagesFor(call, plugin, item);
      }),
  };
}

/** The item that is meant: an id of a milestone means its next item. */
async function itemOf(
  { plan, context }: PromptCall,
  plugin: PlanPlugin,
  id: string,
  milestone: string,
): Promise<Item> {
  const found = id === "" ? undefined : plan.find(id);
  if (id !== "" && found === undefined) throw unknownEntity(plan.store, id);
  if (found !== undefined && found.type !== "milestone") return found;
  const within = found?.id ?? milestone;
  if (within !== "") checkValues(plan, "milestone", within);
  const { items } = await askPlugin<{ items: { id: string }[] }>(
    plugin,
    "next",
    within === "" ? {} : { milestone: within },
    plan,
    context,
  );
  const next = items[0] === undefined ? undefined : plan.find(items[0].id);
  if (next !== undefined) return next;
  throw new RefraktError("NOT_FOUND", `Nothing is ready${within === "" ? "" : ` in ${within}`}`, {
    hint: "plan.next with explain says what is withheld and why; plan.list finds other items. " +
      didYouMean(within, plan.items.flatMap((item) => item.type === "milestone" ? item.id : [])),
  });
}

async function messagesFor(
  { plan, context }: PromptCall,
  plugin: PlanPlugin,
  item: Item,
): Promise<PromptMessage[]> {
  const sources = sourcesOf(plan, item);
  const waits = waitsFor(plan, item).flatMap((id) => plan.find(id) ?? []);
  return [
    say(
      `Work on ${quoted(item.id)}. Read it and what it builds on below. Set its status to ` +
        `in-progress with plan.update, do the work, tick each criterion when it holds, and at ` +
        `the end set the status and record what was done with resolve. Say so where a criterion ` +
        `cannot be met.`,
    ),
    embed(plan, item),
    ...sources.map((source) => embed(plan, source)),
    ...dataOr(
      "",
      listOf("It waits for what is not done", waits),
      await lastEvents(plan, plugin, item, context.signal),
    ),
  ];
}

/** What an item builds on: its sources, and what it refers to, specs and decisions first. */
function sourcesOf(plan: PlanView, item: Item): Item[] {
  const ids = new Set([...listed(item, "source"), ...item.entity.refs]);
  const found = [...ids].flatMap((id) => plan.find(id) ?? []).filter((other) => other !== item);
  const rank = ({ type }: Item) => type === "spec" || type === "decision" ? 0 : 1;
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, SOURCES);
}

async function lastEvents(
  { cwd, dir }: PlanView,
  plugin: PlanPlugin,
  { entity: { file } }: Item,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { events } = await readEvents({ cwd, dir, file, signal }, plugin);
    const lines = events.slice(0, EVENTS).map((event) =>
      plainLine(
        `- ${event.date.slice(0, 10)} ${event.author}: ${whatOf(event)} (${event.message})`,
        MOST_EVENT,
      )
    );
    return lines.length === 0 ? "" : `Its last changes:\n${lines.join("\n")}`;
  } catch (error) {
    // Without git, or without a repository, there is no history to tell.
    if (error instanceof RefraktError) return "";
    throw error;
  }
}

/**
 * `plan_work`: take up an item.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { plainLine } from "../../../src/plain_text.ts";
import { unknownEntity } from "../failures.ts";
import { whatOf } from "../history_events.ts";
import { type Item, listed, type PlanView } from "../queries/access.ts";
import { blockersOf } from "../queries/dependencies.ts";
import { checkValues } from "../queries/values.ts";
import { WORK_STEPS } from "../skills.ts";
import { readyItems } from "../tools/next.ts";
import {
  dataOr,
  embed,
  listOf,
  type PlanPrompt,
  type PromptCall,
  quoted,
  say,
} from "./messages.ts";

/** How many sources and how many events are shown. */
const [SOURCES, EVENTS] = [4, 5];

/** The longest line of an event. */
const MOST_EVENT = 500;

/** The prompt. */
export const work: PlanPrompt = {
  name: "plan_work",
  title: "Work on an item",
  description: "Takes up an item, or the next one of a milestone: its text, what it builds on " +
    "and its last changes.",
  arguments: [
    { name: "id", description: "Work item or bug; the next one by default" },
    { name: "milestone", description: "The next item of this milestone" },
  ],
  messages: async (call, { id = "", milestone = "" }) => {
    const { plan } = call;
    const item = await itemOf(call, id, milestone);
    return [
      say(`Work on ${quoted(item.id)}. It and what it builds on follow.\n\n${WORK_STEPS}`),
      embed(plan, item),
      ...sourcesOf(plan, item).map((source) => embed(plan, source)),
      ...dataOr(
        "",
        listOf("It waits for what is not done", blockersOf(plan, item)),
        await lastEvents(call, item),
      ),
    ];
  },
};

/** The item that is meant: an id of a milestone means its next item. */
async function itemOf(
  { plan, plugin, context }: PromptCall,
  id: string,
  milestone: string,
): Promise<Item> {
  const found = id === "" ? undefined : plan.find(id);
  if (id !== "" && found === undefined) throw unknownEntity(plan.store, id);
  if (found !== undefined && found.type !== "milestone") return found;
  const within = found?.id ?? milestone;
  if (within !== "") checkValues(plan, "milestone", within);
  const scope = within === "" ? {} : { milestone: within };
  const { offered: [first] } = await readyItems(plugin, plan, scope, context);
  const next = first === undefined ? undefined : plan.find(first.id);
  if (next !== undefined) return next;
  throw new RefraktError("NOT_FOUND", `Nothing is ready${within === "" ? "" : ` in ${within}`}`, {
    hint: "plan.next with explain says what is withheld and why; plan.list finds other items.",
  });
}

/** What an item builds on: its sources, and what it refers to, specs and decisions first. */
function sourcesOf(plan: PlanView, item: Item): Item[] {
  const ids = new Set([...listed(item, "source"), ...item.entity.refs]);
  const found = [...ids].flatMap((id) => plan.find(id) ?? []).filter((other) => other !== item);
  const rank = ({ type }: Item) => type === "spec" || type === "decision" ? 0 : 1;
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, SOURCES);
}

async function lastEvents(
  { plan: { dir }, plugin, context: { signal } }: PromptCall,
  { entity: { file } }: Item,
): Promise<string> {
  try {
    const { events } = await plugin.historyOf(dir).read(signal, file);
    const lines = events.slice(0, EVENTS).map((event) =>
      plainLine(
        `- ${event.date.slice(0, 10)} ${event.author}: ${whatOf(event)} (${event.message})`,
        MOST_EVENT,
      )
    );
    return lines.length === 0 ? "" : `Its last changes:\n${lines.join("\n")}`;
  } catch (error) {
    // Without git, or without a repository, there is no history.
    if (error instanceof RefraktError) return "";
    throw error;
  }
}

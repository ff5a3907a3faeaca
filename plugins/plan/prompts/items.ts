/** The prompts about one entity: `plan_work` and `plan_spec`. */

import { dayOf } from "../entity/durations.ts";
import { RefraktError } from "../../../src/errors.ts";
import { quoted, quotedName, shortLine } from "../../../src/plain_text.ts";
import { noteOf, waitsFor } from "../queries/waits.ts";
import { type Entity, listedValues } from "../entity/entity.ts";
import { draftEntity, nextFreeId } from "../write/draft.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { describeEvent } from "../git/events.ts";
import { entityNamed, knownHistory, type PlanView } from "../queries/access.ts";
import { readAvailability, whyNotOffered, withFields } from "../queries/availability.ts";
import { relatedItems } from "../queries/search.ts";
import { checkValue } from "../queries/fields.ts";
import { WORK_STEPS } from "./skills.ts";
import { checkTitle } from "../entity/values.ts";
import { embed, embedLists, listOf, notChecked, type PlanPrompt, say } from "./messages.ts";

/** How many sources, events and related specs are shown. */
const [SOURCES, EVENTS, RELATED] = [4, 5, 3];

/** The longest line about an event, in characters. */
const MAX_EVENT = 500;

export const work: PlanPrompt = {
  name: "plan_work",
  title: "Work on an item",
  description: "Starts work on an item, or on the next one of a milestone: its text, its sources " +
    "and its latest changes.",
  arguments: [
    { name: "id", description: "Work item or bug; the next one by default" },
    { name: "milestone", description: "The next item of this milestone" },
  ],
  messages: async (opened, { id = "", milestone = "" }) => {
    const plan = await withFields(opened);
    const item = await chosenItem(plan, id, milestone);
    const taken = plan.taken?.taken.get(item.id);
    return [
      say(`Work on ${quotedName(item.id)}. The item and its sources follow.\n\n${WORK_STEPS}`),
      ...[item, ...sourcesOf(plan, item)].map((entity) => embed(plan, entity)),
      ...embedLists(
        "",
        noteOf(plan, item) ?? "",
        listOf("It waits for", waitsFor(plan, item)),
        taken === undefined ? "" : `Somebody else has it: ${taken}`,
        await lastEvents(plan, item),
      ),
      ...notChecked(plan.taken?.unchecked),
    ];
  },
};

export const spec: PlanPrompt = {
  name: "plan_spec",
  title: "Write a spec",
  description: "The next id, the template, and related specs and decisions.",
  arguments: [{ name: "title", description: "What it is about", required: true }],
  messages: async (plan, { title: text = "" }) => {
    const title = checkTitle(text);
    const { ids: elsewhere, unchecked } = await takenIds(plan);
    const { nextId: id } = await nextFreeId(plan, "spec", elsewhere);
    const { template } = await draftEntity(plan, id, { type: "spec", title });
    const candidates = plan.entities.filter(({ type }) => type === "spec" || type === "decision");
    const related = (await relatedItems(plan, candidates, title)).slice(0, RELATED);
    return [
      say(
        `Write the spec ${
          quotedName(title)
        }. Its id will be ${id}. Clarify open questions first, then create it with ` +
          `plan_create (type spec, title, sections). If it builds on a spec or decision, ` +
          `refer to it as {% ref "ID" /%}. Its template follows.`,
      ),
      ...embedLists("", template.text),
      say(
        related.length === 0
          ? "No spec or decision in the plan contains these words."
          : "These may be related:",
      ),
      ...related.map((item) => embed(plan, item)),
      ...notChecked(unchecked),
    ];
  },
};

/** Returns the item with an id; for a milestone, its next item. */
async function chosenItem(plan: PlanView, id: string, milestone: string): Promise<Entity> {
  const entity = id === "" ? undefined : entityNamed(plan, id);
  if (entity !== undefined && entity.type !== "milestone") return entity;
  const within = checkValue(plan, "milestone", entity?.id ?? milestone);
  const scope = within === "" ? {} : { milestone: within };
  const available = await readAvailability(plan, scope, plan.taken);
  const [next] = available.offered;
  if (next !== undefined) return next;
  throw new RefraktError(
    "NOT_FOUND",
    `Nothing is ready${within === "" ? "" : ` in ${quoted(within)}`}`,
    {
      hint: [whyNotOffered(plan, available), "plan_list finds other items."].filter(Boolean).join(
        ". ",
      ),
    },
  );
}

/** Returns its sources and references, specs and decisions first. */
function sourcesOf(plan: PlanView, item: Entity): Entity[] {
  const ids = new Set([...listedValues(item, "source"), ...item.refs]);
  const others = [...ids].flatMap((id) => plan.find(id) ?? []).filter((other) => other !== item);
  const rank = ({ type }: Entity) => type === "spec" || type === "decision" ? 0 : 1;
  return others.sort((a, b) => rank(a) - rank(b)).slice(0, SOURCES);
}

/** The latest events of an item as a list; empty without a history. */
async function lastEvents(plan: PlanView, { file }: Entity): Promise<string> {
  const { events } = await knownHistory(plan, file);
  const lines = events.slice(0, EVENTS).map((event) => {
    const { date, author, message } = event;
    const line = `- ${dayOf(date)} ${author}: ${describeEvent(event)} (${message})`;
    return shortLine(line, MAX_EVENT);
  });
  return lines.length === 0 ? "" : `Latest changes:\n${lines.join("\n")}`;
}

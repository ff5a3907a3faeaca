/** `plan_create`: creates an entity from the plugin's template. */

import * as z from "zod";
import { openPlan } from "../queries/access.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { invalidArguments } from "../entity/values.ts";
import { unlisted } from "../tool_parts/fields.ts";
import {
  checkedItems,
  entityArguments,
  hasTexts,
  itemsArgument,
  linkedItems,
} from "../write/new_entity.ts";
import {
  createdAnswer,
  createOutput,
  exampleOf,
  itemsAnswer,
} from "../tool_parts/written_answers.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { typesIn, type Vocabulary } from "../upstream/vocabulary.ts";
import { createEntities } from "../write/create.ts";
import { prune } from "../write/spent_refs.ts";

const inputFor = (vocabulary: Vocabulary) => ({
  ...entityArguments(vocabulary),
  items: itemsArgument(),
  /** Even if another branch has the milestone, as the error says. */
  anyway: unlisted(z.boolean()),
  preview: z.boolean().optional().describe("Shows the text, or the template and an example"),
});

type CreateInput = z.infer<z.ZodObject<ReturnType<typeof inputFor>>>;

export const createTool = writeTool({
  name: "plan_create",
  title: "Create an entity",
  description: "Creates an issue (ticket, task, todo), spec or other entity from its template.",
  annotations: { idempotentHint: false },
  withdrawn: {
    splitFrom: "Pass the criteria in criteria, then remove them there with plan_update " +
      "{ criteria: { remove } }.",
  },
  input: inputFor,
  output: createOutput,
  run: async (input, place) => {
    const { items, type, title, id, preview = false } = input;
    const { vocabulary = NEWEST } = place.plugin;
    const isMilestone = type === "milestone";
    if (items !== undefined) requireAlone(input);
    else if (type === undefined) {
      const hint = `It is one of ${typesIn(vocabulary).join(", ")}.`;
      throw invalidArguments('"type": required', hint);
    } else if (title === undefined && !preview) {
      throw invalidArguments('"title": required', "Pass a short description of the entity.");
    }
    const milestone = preview && isMilestone ? "v0.0.0-preview" : undefined;
    const wanted = items === undefined
      ? [{ ...input, type: type!, id: id ?? milestone, key: "" }]
      : linkedItems(await checkedItems(items, vocabulary));
    const taken = await takenIds(place);
    const isAnyway = isMilestone && input.anyway === true;
    const create = (need?: (...ids: string[]) => void) =>
      createEntities(place, wanted, { elsewhere: taken.ids, isAnyway, need });
    const drafts = await (preview ? create() : taken.locked(create));
    const plan = preview ? undefined : await openPlan(place);
    if (plan !== undefined && taken.remote !== undefined) await prune(plan, taken.remote);
    const answer = items === undefined
      ? createdAnswer(place, drafts[0]!, plan)
      : await itemsAnswer(place, wanted.map(({ key }, at) => [key, drafts[at]!]), plan);
    const [first] = wanted;
    const isAsking = preview && items === undefined && !hasTexts(first!);
    return {
      ...answer,
      example: isAsking ? exampleOf(await openPlan(place), first!.type) : undefined,
      unchecked: uncheckedSentence(taken.unchecked),
    };
  },
});

/** Beside `items` there are no arguments about a single entity. */
function requireAlone({ items: _items, preview: _preview, ...input }: CreateInput): void {
  const [other] = Object.entries(input).flatMap(([name, value]) => value === undefined ? [] : name);
  if (other === undefined) return;
  const hint = `Give each item its own "${other}".`;
  throw invalidArguments(`"items" and "${other}" exclude each other`, hint);
}

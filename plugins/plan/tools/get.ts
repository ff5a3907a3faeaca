/** `plan_get`: reads one entity or several, with everything related. */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { nearestNames, RefraktError } from "../../../src/errors.ts";
import { commitNamed } from "../../../src/io/git_ask.ts";
import { POINTERS } from "../store/plan.ts";
import { duplicateOf, unknownEntity } from "../store/problems.ts";
import { planAt, type PlanView } from "../queries/access.ts";
import { withFields, withTakenField } from "../queries/availability.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { entityAnswers, readEntities } from "../queries/entity_answer.ts";
import { invalidArguments } from "../entity/values.ts";
import { namedEntities, namedEntity, uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

const EntityAnswer = z.looseObject({
  id: z.string(),
  type: z.string().optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  attributes: z.record(z.string(), z.string()).optional(),
  criteria: z.array(
    z.object({ n: z.int(), text: z.string(), checked: z.boolean().optional() }),
  ).optional(),
  sections: z.record(z.string(), z.string()).optional(),
  /** The newest line under Notes. */
  newestNote: z.string().optional(),
  shortened: z.string().optional(),
  notEditable: z.object({
    reason: z.string(),
    line: z.int().optional(),
    sections: z.array(z.string()),
  }).optional(),
  dependencies: namedEntities(),
  blockedBy: z.array(z.string()).optional(),
  withheldBy: z.array(z.string()).optional(),
  /** Where somebody else works on it. */
  taken: z.string().optional(),
  changedElsewhere: z.string().optional().describe("What other branches have changed"),
  note: z.string().optional(),
  references: namedEntities(),
  /** The entities that point to this one. */
  referencedBy: z.array(z.object({ ...namedEntity, kind: z.enum(POINTERS) })).optional(),
  progress: z.string().optional().describe("Finished items and ticked criteria"),
  markdoc: z.string().optional(),
  path: z.string(),
  uri: z.string(),
  totals: z.record(z.string(), z.int()).optional(),
});

export const getTool = readTool({
  name: "plan_get",
  listed: { with: ["plan"], rank: 2 },
  title: "Read an entity",
  description:
    "Reads entities: attributes, numbered criteria, sections, dependencies, references, what " +
    "points here, progress.",
  input: {
    id: z.string().optional().describe("Id, or a milestone's name"),
    ids: z.array(z.string()).min(1).max(50).optional().describe("Several"),
    fields: z.array(z.string()).optional().describe("As in plan_list, or a section's heading"),
    at: z.string().optional().describe("A branch or commit"),
  },
  output: EntityAnswer.partial().extend({
    items: z.array(EntityAnswer).optional(),
    notFound: z.array(z.object({ id: z.string(), nearest: z.array(z.string()) })).optional(),
    warnings: z.array(z.string()).optional(),
    unchecked: uncheckedPlaces(),
  }),
  run: async (input, here) => {
    const { id, ids, at } = input;
    if ((id === undefined) === (ids === undefined)) {
      const hint = 'Pass "id" for one entity or "ids" for several.';
      throw invalidArguments('Give either "id" or "ids"', hint);
    }
    const fields = withTakenField(input.fields);
    const asked = ids ?? [id!];
    const opened = at === undefined
      ? await withFields(here, fields)
      : await planAt(here, await commitNamed(at, here.git, "at"));
    const read = await readEntities(opened, asked);
    const { plan, entities } = read;
    const missing = asked.filter((name) => plan.find(name) === undefined);
    if (entities.length === 0) throw notFound(plan, missing, at);
    const items = await entityAnswers(read, fields);
    // Changes of finished work on other branches do not matter any more.
    const unchecked = entities.some(({ finished }) => !finished)
      ? uncheckedSentence(plan.taken?.unchecked ?? [])
      : undefined;
    const warnings = unlessEmpty([
      ...plan.gaps ?? [],
      ...entities.flatMap(({ id }) => {
        const same = plan.allOf(id);
        return same.length > 1 ? duplicateOf(id, same).message : [];
      }),
    ]);
    if (ids === undefined) return { ...items[0]!, warnings, unchecked };
    const all = plan.entities.map((entity) => entity.id);
    const nearby = missing.map((name) => ({ id: name, nearest: nearestNames(name, all) }));
    return { items, notFound: unlessEmpty(nearby), warnings, unchecked };
  },
});

function notFound(plan: PlanView, ids: readonly string[], at: string | undefined): RefraktError {
  if (at === undefined) return unknownEntity(plan.store, ...ids);
  const message = `There is no ${ids.map(quotedName).join(", ")} in ${quotedName(at)}`;
  return new RefraktError("NOT_FOUND", message, {
    hint: 'Leave out "at" to read the working tree.',
  });
}

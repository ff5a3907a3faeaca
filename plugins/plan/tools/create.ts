/** `plan_create`: creates an entity from the plugin's template. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { mentionNotice } from "../queries/dependencies.ts";
import { newDependencies } from "../write/new_dependencies.ts";
import { createEntity, draftEntity, placeholdersIn } from "../write/create.ts";
import { keyOf } from "../entity/document.ts";
import { type Edit, sectionEdits } from "../write/edits.ts";
import { CRITERIA_HEADING, criteriaText } from "../write/edits/criteria.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { pruneReserved } from "../write/prune_remote.ts";
import { openPlan, type PlanView, unlessEmpty, uriOf } from "../queries/access.ts";
import { byNumber } from "../queries/milestones.ts";
import type { PlanPlace } from "../store/place.ts";
import { createItems, itemsArgument, itemsOutput, type NewItem } from "./create_items.ts";
import { idsArgument, writtenEntity } from "../tool_parts/fields.ts";
import { mentionFields } from "../tool_parts/issues.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { NEWEST } from "../upstream/listed_version.ts";
import { attributeNames, typesIn, type Vocabulary } from "../upstream/vocabulary.ts";

const inputFor = (vocabulary: Vocabulary) => ({
  type: z.enum(typesIn(vocabulary)).optional(),
  title: z.string().optional().describe("Required without preview"),
  items: itemsArgument(typesIn(vocabulary)),
  id: z.string().optional().describe("Default: the next free; for a milestone, its name"),
  attrs: z.record(z.string(), z.string()).optional().describe(
    attributeNames(vocabulary).join(", "),
  ),
  sections: z.record(z.string(), z.string()).optional().describe(
    'By heading; "description" is the first',
  ),
  criteria: z.array(z.string()).optional(),
  body: z.string().optional().describe("Replaces the template"),
  dependsOn: idsArgument(),
  blocks: idsArgument(),
  anyway: z.boolean().optional().describe("Even if another branch has it"),
  preview: z.boolean().optional().describe("Writes nothing; shows the text"),
});

type Input = z.infer<z.ZodObject<ReturnType<typeof inputFor>>>;

/** A call for one entity. */
type One = Omit<Input, "type" | "items"> & Pick<NewItem, "type">;

const Output = z.object({
  ...writtenEntity,
  placeholders: z.array(z.string()).optional(),
  preview: z.string().optional(),
  example: z.string().describe("A finished one of this type"),
  ...mentionFields,
  ...itemsOutput,
}).partial();

export const createTool = writeTool({
  name: "plan_create",
  title: "Create an entity",
  description: "Creates an issue (ticket, task, todo), spec or other entity from its template; " +
    "preview: true shows the template and names an example.",
  annotations: { idempotentHint: false },
  withdrawn: {
    splitFrom: "Pass the criteria in criteria, then remove them there with plan_update " +
      "{ criteria: { remove } }.",
  },
  input: inputFor,
  output: Output,
  run: async ({ items, type, ...rest }, place): Promise<z.infer<typeof Output>> => {
    if (items !== undefined) {
      requireAlone(type, rest);
      const wantedOf = (item: NewItem) => entityOf(item, place, item.dependsOn ?? []);
      return await createItems(items, place, rest.preview === true, wantedOf);
    }
    if (type === undefined) {
      throw new RefraktError("INVALID_ARGS", '"type": required', {
        hint: `It is one of ${typesIn(place.plugin.vocabulary ?? NEWEST).join(", ")}.`,
      });
    }
    const input: One = { ...rest, type };
    const { id, title, preview = false } = input;
    if (title === undefined && !preview) {
      throw new RefraktError("INVALID_ARGS", '"title": required', {
        hint: "Pass a short description of the entity.",
      });
    }
    const { cwd, dir, store, signal } = place;
    const taken = await takenIds(place);
    const isMilestone = type === "milestone";
    const wanted = {
      ...entityOf(input, place, input.dependsOn ?? []),
      id: id ?? (preview && isMilestone ? "v0.0.0-preview" : undefined),
      elsewhere: taken.ids,
      isAnyway: isMilestone && input.anyway === true,
    };
    if (preview) {
      await store.entities(signal);
      wanted.others(id ?? "the new entity");
    }
    // The name of a milestone is no number that two clones could count to.
    const made = await (preview
      ? draftEntity(place, wanted)
      : taken.locked((need) =>
        createEntity(place, { ...wanted, need: isMilestone ? undefined : need })
      ));
    const plan = preview ? undefined : await openPlan(place);
    if (plan !== undefined && taken.known !== undefined) {
      await pruneReserved(plan, taken.known);
    }
    return {
      id: made.id,
      type: made.type,
      file: shownPath(dir, made.path),
      path: shownPath(cwd, made.path),
      uri: uriOf(made),
      placeholders: unlessEmpty(placeholdersIn(made.document, made.template)),
      preview: preview ? made.document.text : undefined,
      example: preview && !hasTexts(input) ? exampleOf(await openPlan(place), type) : undefined,
      ...(plan && mentionNotice(plan, plan.find(made.id))),
      unchecked: uncheckedSentence(taken.unchecked),
    };
  },
});

/** The newest finished entity of a type: it shows what such entities have in this plan. */
function exampleOf({ entities }: PlanView, type: string): string | undefined {
  return entities.filter((item) => item.type === type && item.finished)
    .sort((a, b) => byNumber(b.id, a.id))[0]?.id;
}

/** What one entity is to be. */
function entityOf(input: One, place: PlanPlace, dependsOn: readonly string[]) {
  const { type, title, attrs = {}, blocks = [] } = input;
  return {
    type,
    title: title ?? "Title",
    attributes: attrs,
    isComplete: hasTexts(input),
    edits: [
      ...editsOf(input, dependsOn),
      // Explicitly without dependencies, or mentions would count as such.
      ...type === "work" && !place.plugin.sections.hasDirections
        ? [{ kind: "declareDependencies" } as const]
        : [],
    ],
    others: (id: string) => newDependencies(place, id, { dependsOn, blocks }),
  };
}

/** Beside `items` there are no arguments about a single entity. */
function requireAlone(
  type: unknown,
  input: Omit<Input, "items" | "type">,
): void {
  const [other] = argumentsOf({ type, ...input });
  if (other === undefined) return;
  throw new RefraktError("INVALID_ARGS", `"items" and "${other}" exclude each other`, {
    hint: `Give each item its own "${other}".`,
  });
}

/** The names of the arguments that say what is to be created. */
function argumentsOf(input: object): string[] {
  return Object.entries(input).flatMap(([name, value]) =>
    value === undefined || name === "dir" || name === "preview" ? [] : name
  );
}

/** Whether a call has any text besides the title. */
function hasTexts({ sections, criteria, body }: One): boolean {
  return [sections, criteria, body].some((text) => text !== undefined);
}

/** Whether a call has the criteria as a section. */
function hasCriteriaSection({ sections = {} }: Pick<Input, "sections">): boolean {
  return Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING));
}

/** The edits of a call. */
function editsOf(input: One, dependsOn: readonly string[]): Edit[] {
  const { type, sections = {}, criteria, body } = input;
  const edits: Edit[] = body === undefined ? [] : [{ kind: "body", text: body }];
  edits.push(...sectionEdits("section", sections));
  if (dependsOn.length > 0) edits.push({ kind: "dependsOn", ids: dependsOn });
  if (criteria === undefined) return edits;
  if (hasCriteriaSection(input)) {
    const message = `"criteria" and the section "${CRITERIA_HEADING}" exclude each other`;
    throw new RefraktError("INVALID_ARGS", message, { hint: "Pass the criteria in one of them." });
  }
  // In a body from the caller, add the criteria to the existing ones.
  edits.push(
    body === undefined
      ? { kind: "section", heading: CRITERIA_HEADING, text: criteriaText(criteria, type) }
      : { kind: "addCriteria", texts: criteria },
  );
  return edits;
}

/** `plan.create`: creates an entity from the plugin's template. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { mentionNotice, mentionsCount } from "../queries/dependencies.ts";
import { newDependencies } from "../write/new_dependencies.ts";
import { createEntity, draftEntity } from "../write/create.ts";
import { contentOf, DESCRIPTION, keyOf } from "../entity/document.ts";
import type { Edit } from "../write/edits.ts";
import { CRITERIA_HEADING, criteriaText } from "../write/edits/criteria.ts";
import type { Editable } from "../write/edits/splices.ts";
import { idsElsewhere, sentenceOf } from "../queries/ids_elsewhere.ts";
import { existingPlan } from "../store/place.ts";
import { idReservations } from "../write/reserve_id.ts";
import { pruneReserved } from "../write/prune_remote.ts";
import { openPlan, uriOf } from "../queries/access.ts";
import { dirArgument, idsArgument, uncheckedPlaces, WRITES, writtenEntity } from "./fields.ts";
import { planTool } from "./plan_tool.ts";
import { mentionFields } from "./issues.ts";
import { prepareSplit } from "../write/split.ts";
import { rememberCreated } from "./discard.ts";

const Input = z.strictObject({
  type: z.enum(ENTITY_TYPES),
  title: z.string().optional().describe("Required without preview"),
  id: z.string().optional().describe("Default: the next free; for a milestone, its name"),
  attrs: z.record(z.string(), z.string()).optional().describe(
    "Such as status, priority, milestone, source, tags",
  ),
  sections: z.record(z.string(), z.string()).optional().describe(
    'By heading; "description" is the first',
  ),
  criteria: z.array(z.string()).optional(),
  body: z.string().optional().describe("Replaces the template"),
  dependsOn: idsArgument(),
  blocks: idsArgument("Ids that will depend on it"),
  splitFrom: z.strictObject({
    id: z.string(),
    criteria: z.array(z.int()).min(1),
    dependsOn: z.boolean().optional(),
  }).optional().describe("Moves its criteria, by number, with source and milestone"),
  anyway: z.boolean().optional().describe("Even if another branch has it"),
  preview: z.boolean().optional().describe(
    "Writes nothing; shows the text",
  ),
  dir: dirArgument(),
});

type Input = z.infer<typeof Input>;

const Output = z.object({
  ...writtenEntity,
  placeholders: z.array(z.string()).optional(),
  preview: z.string().optional(),
  splitFrom: z.object({ id: z.string(), moved: z.int() }).optional(),
  unchecked: uncheckedPlaces(),
  ...mentionFields,
});

export function createTool(plugin: PlanPlugin): Tool {
  return planTool(plugin, {
    name: "plan.create",
    title: "Create an entity",
    description: "Creates an entity from its template with the given texts; lists the " +
      "remaining placeholders. preview shows a type's template first.",
    annotations: { ...WRITES, idempotentHint: false },
    input: Input,
    output: Output,
    run: async (input, context): Promise<z.infer<typeof Output>> => {
      const { type, id, attrs = {}, blocks = [], preview = false, splitFrom } = input;
      const dir = existingPlan(context, input.dir);
      if (input.title === undefined && !preview) {
        throw new RefraktError("INVALID_ARGS", '"title": required', {
          hint: "Pass a short description of the entity.",
        });
      }
      const name = id ?? (preview && type === "milestone" ? "v0.0.0-preview" : undefined);
      const store = plugin.storeOf(context.project.cwd, dir);
      const [found, reservations] = await Promise.all([
        idsElsewhere(store, context.signal),
        idReservations(context, dir),
      ]);
      const unchecked = [...found.unchecked, ...reservations.unchecked];
      const split = splitFrom === undefined
        ? undefined
        : await splitOf(plugin, context, { ...input, splitFrom });
      const dependsOn = [
        ...input.dependsOn ?? [],
        ...split !== undefined && splitFrom?.dependsOn === true ? [split.id] : [],
      ];
      const wanted = {
        dir,
        type,
        title: input.title ?? "Title",
        ...(name === undefined ? {} : { id: name }),
        attributes: { ...split?.attributes, ...attrs },
        edits: editsOf({ ...input, dependsOn }, split?.edits ?? [], mentionsCount(plugin)),
        elsewhere: new Map([...reservations.taken, ...found.ids]),
        isAnyway: type === "milestone" && input.anyway === true,
        // The name of a milestone is no number that two clones could count to.
        ...(type === "milestone" ? {} : { reserve: reservations.reserve }),
      };
      const place = { dir, id: id ?? "the new entity", dependsOn, blocks };
      const others = newDependencies(plugin, context, place);
      const blocking = split === undefined ? others : split.with(others);
      if (preview) {
        await store.entities(context.signal);
        blocking?.(place.id);
      }
      const made = preview
        ? await draftEntity(plugin, context, wanted)
        : await createEntity(plugin, context, { ...wanted, blocking });
      // What blocks others is in their files, too.
      if (!preview && blocks.length === 0 && split === undefined) rememberCreated(plugin, made);
      const plan = preview ? undefined : await openPlan(context, dir, plugin);
      if (plan !== undefined && reservations.known !== undefined) {
        await pruneReserved(plan, reservations.known, context);
      }
      const left = placeholdersIn(made.document, made.template);
      return {
        id: made.id,
        type: made.type,
        file: shownPath(dir, made.path),
        path: shownPath(context.project.cwd, made.path),
        uri: uriOf(made),
        ...(left.length === 0 ? {} : { placeholders: left }),
        ...(preview ? { preview: made.document.text } : {}),
        ...(plan === undefined ? {} : mentionNotice(plan, plan.find(made.id))),
        ...(split === undefined
          ? {}
          : { splitFrom: { id: split.id, moved: new Set(splitFrom!.criteria).size } }),
        ...(unchecked.length === 0 ? {} : { unchecked: sentenceOf(unchecked) }),
      };
    },
  });
}

/** Prepares a split; the criteria of the call stay before the moved ones. */
async function splitOf(
  plugin: PlanPlugin,
  context: CallContext,
  { dir, splitFrom, body, criteria, sections = {} }: Input & {
    splitFrom: NonNullable<Input["splitFrom"]>;
  },
) {
  const isGiven = body !== undefined || criteria !== undefined ||
    Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING));
  const plan = await openPlan(context, dir, plugin);
  return prepareSplit(plugin, context, plan, splitFrom, isGiven);
}

/** @param isStated Whether to state that there are no dependencies, so that mentions do not count. */
function editsOf(
  input: z.infer<typeof Input>,
  split: readonly Edit[],
  isStated: boolean,
): Edit[] {
  const { type, sections = {}, body, dependsOn = [] } = input;
  const edits: Edit[] = [];
  if (body !== undefined) edits.push({ kind: "body", text: body });
  for (const [heading, text] of Object.entries(sections)) {
    edits.push({ kind: "section", heading, text });
  }
  if (dependsOn.length > 0) edits.push({ kind: "dependsOn", ids: dependsOn });
  edits.push(...criteriaEdits(input), ...split);
  if (isStated && type === "work") edits.push({ kind: "declareDependencies" });
  return edits;
}

function criteriaEdits({ type, sections = {}, criteria, body }: z.infer<typeof Input>): Edit[] {
  if (criteria === undefined) return [];
  if (Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING))) {
    throw new RefraktError(
      "INVALID_ARGS",
      `"criteria" and the section "${CRITERIA_HEADING}" exclude each other`,
      {
        hint: "Pass the criteria in one of them.",
      },
    );
  }
  // In a body from the caller, add the criteria to the existing ones.
  return [
    body === undefined
      ? { kind: "section", heading: CRITERIA_HEADING, text: criteriaText(criteria, type) }
      : { kind: "addCriteria", texts: criteria },
  ];
}

/** Returns the sections that are still as in the template. */
function placeholdersIn(document: Editable, template: Editable): string[] {
  const partsOf = (one: Editable) =>
    one.entity.sections.map((section) => [section.name, contentOf(one, section.content)] as const)
      .filter(([name, text]) => name !== DESCRIPTION || text !== "");
  const before = new Map(partsOf(template));
  return partsOf(document).filter(([name, text]) => before.get(name) === text)
    .map(([name]) => name);
}

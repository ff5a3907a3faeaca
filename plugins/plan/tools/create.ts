/**
 * `plan.create`: a new entity from the plugin's template, with the texts that are given.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { ENTITY_TYPES } from "../../../src/project/entities.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { createEntity } from "../create.ts";
import { contentOf, DESCRIPTION } from "../document.ts";
import type { BodyEdit } from "../edits.ts";
import { criteriaText } from "../edits/criteria.ts";
import type { Editable } from "../edits/splices.ts";
import { existingPlan } from "../place.ts";
import { uriOf } from "../queries/access.ts";
import { dirArgument, planCommand, WRITES, writtenEntity } from "./command.ts";

/** The section that criteria go into. */
const CRITERIA = "Acceptance Criteria";

const Input = z.strictObject({
  type: z.enum(ENTITY_TYPES),
  title: z.string(),
  id: z.string().optional().describe("Default: the next free; of a milestone its name"),
  attrs: z.record(z.string(), z.string()).optional().describe(
    "As status, priority, milestone, source, tags",
  ),
  sections: z.record(z.string(), z.string()).optional().describe(
    'By heading; "description" comes first',
  ),
  criteria: z.array(z.string()).optional(),
  body: z.string().optional().describe("In place of the template"),
  dir: dirArgument(),
});

const Output = z.object({
  ...writtenEntity,
  placeholders: z.array(z.string()).optional(),
});

/** Declares `plan.create`. */
export function createCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "create",
    title: "Create an entity",
    description: "Creates an entity from its template, with the texts given; names the " +
      "placeholders that are left.",
    annotations: { ...WRITES, idempotentHint: false },
    input: Input,
    output: Output,
    run: async (input, context): Promise<z.infer<typeof Output>> => {
      const { type, title, id, attrs = {} } = input;
      const dir = existingPlan(context, input.dir);
      const made = await createEntity(plugin, context, {
        dir,
        type,
        title,
        ...(id === undefined ? {} : { id }),
        attributes: attrs,
        rest: {},
        edits: editsOf(input),
      });
      const left = placeholdersIn(made.document, made.template);
      return {
        id: made.id,
        type: made.type,
        file: shownPath(dir, made.path),
        path: shownPath(context.cwd, made.path),
        uri: uriOf(made),
        ...(left.length === 0 ? {} : { placeholders: left }),
      };
    },
  });
}

function editsOf({ type, sections = {}, criteria, body }: z.infer<typeof Input>): BodyEdit[] {
  const edits: BodyEdit[] = [];
  if (body !== undefined) edits.push({ kind: "body", text: body });
  for (const [heading, text] of Object.entries(sections)) {
    edits.push({ kind: "section", heading, text });
  }
  if (criteria === undefined) return edits;
  if (Object.keys(sections).some((heading) => heading.toLowerCase() === CRITERIA.toLowerCase())) {
    throw new RefraktError(
      "INVALID_ARGS",
      `"criteria" and the section "${CRITERIA}" exclude each other`,
      {
        hint: "Give the criteria in one of them.",
      },
    );
  }
  // In a body of the caller's own, criteria are added to those that it has.
  edits.push(
    body === undefined
      ? { kind: "section", heading: CRITERIA, text: criteriaText(criteria, type) }
      : { kind: "addCriteria", texts: criteria },
  );
  return edits;
}

/** The parts that are still as the template has them. */
function placeholdersIn(document: Editable, template: Editable): string[] {
  const partsOf = (one: Editable) =>
    one.entity.sections.map((section) => [section.name, contentOf(one, section.content)] as const)
      .filter(([name, text]) => name !== DESCRIPTION || text !== "");
  const before = new Map(partsOf(template));
  return partsOf(document).filter(([name, text]) => before.get(name) === text)
    .map(([name]) => name);
}

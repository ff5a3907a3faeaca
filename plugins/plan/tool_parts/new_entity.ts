/** What the arguments of `plan_create` say about one new entity. */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { keyOf } from "../entity/document.ts";
import type { EntityType } from "../entity/types.ts";
import type { PlanPlace } from "../store/place.ts";
import { attributeNames, typesIn, type Vocabulary } from "../upstream/vocabulary.ts";
import type { NewEntity } from "../write/draft.ts";
import { addCriteria, CRITERIA_HEADING, criteriaText } from "../write/edits/criteria.ts";
import { sectionEdits, setBody, setSection } from "../write/edits/sections.ts";
import type { Edit } from "../write/edits/splices.ts";
import { idsArgument } from "./fields.ts";

const Texts = z.record(z.string(), z.string());

/** The arguments about one entity. */
export const entityArguments = (vocabulary: Vocabulary) => ({
  type: z.enum(typesIn(vocabulary)).optional().describe("Required without items"),
  title: z.string().optional().describe("Required without preview"),
  id: z.string().optional().describe("Default: the next free; for a milestone, its name"),
  attrs: Texts.optional().describe(attributeNames(vocabulary).join(", ")),
  sections: Texts.optional().describe('By heading; "description" is the first'),
  criteria: z.array(z.string()).optional().describe("Acceptance criteria"),
  body: z.string().optional().describe("Replaces the template"),
  dependsOn: idsArgument().describe("Ids it waits for"),
  blocks: idsArgument().describe("Ids that wait for it"),
});

export type EntityArguments =
  & Omit<z.infer<z.ZodObject<ReturnType<typeof entityArguments>>>, "type">
  & { readonly type: EntityType };

/** Whether there is any text besides the title. */
export function hasTexts({ sections, criteria, body }: EntityArguments): boolean {
  return [sections, criteria, body].some((text) => text !== undefined);
}

/** The head of an entity. */
export function entityHead({ type, title = "Title", id, attrs = {} }: EntityArguments) {
  return { type, title, id, attributes: attrs };
}

/** The whole entity. */
export function entityOf(input: EntityArguments, { plugin }: PlanPlace): NewEntity {
  return {
    ...entityHead(input),
    isComplete: hasTexts(input),
    edits: editsOf(input),
    dependsOn: input.dependsOn ?? [],
    isDeclaring: input.type === "work" && !plugin.sections.hasDirections,
  };
}

function editsOf({ type, sections = {}, criteria, body }: EntityArguments): Edit[] {
  const edits: Edit[] = body === undefined ? [] : [(document) => setBody(body, document)];
  edits.push(...sectionEdits(sections));
  if (criteria === undefined) return edits;
  if (Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING))) {
    const message = `"criteria" and the section "${CRITERIA_HEADING}" exclude each other`;
    throw new RefraktError("INVALID_ARGS", message, { hint: "Pass the criteria in one of them." });
  }
  // In a body from the caller, add the criteria to the existing ones.
  edits.push((document) =>
    body === undefined
      ? setSection(CRITERIA_HEADING, criteriaText(criteria, type), document)
      : addCriteria(criteria, document)
  );
  return edits;
}

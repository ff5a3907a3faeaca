/** What the arguments of `plan_create` say about one new entity. */

import { RefraktError } from "../../../src/errors.ts";
import { keyOf } from "../entity/document.ts";
import type { EntityType } from "../entity/types.ts";
import type { PlanPlace } from "../store/place.ts";
import type { NewEntity } from "../write/draft.ts";
import { type Edit, sectionEdits } from "../write/edits.ts";
import { CRITERIA_HEADING, criteriaText } from "../write/edits/criteria.ts";

type Texts = Readonly<Record<string, string>>;

/** The arguments about one entity. */
export interface EntityArguments {
  readonly type: EntityType;
  readonly title?: string | undefined;
  readonly id?: string | undefined;
  readonly attrs?: Texts | undefined;
  readonly sections?: Texts | undefined;
  readonly criteria?: readonly string[] | undefined;
  readonly body?: string | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly blocks?: readonly string[] | undefined;
}

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
  const edits = editsOf(input);
  // Explicitly without dependencies, or mentions would count as such.
  const declares = input.type === "work" && !plugin.sections.hasDirections;
  if (declares) edits.push({ kind: "declareDependencies" });
  return { ...entityHead(input), isComplete: hasTexts(input), edits };
}

function editsOf({ type, sections = {}, criteria, body, dependsOn = [] }: EntityArguments): Edit[] {
  const edits: Edit[] = body === undefined ? [] : [{ kind: "body", text: body }];
  edits.push(...sectionEdits("section", sections));
  if (dependsOn.length > 0) edits.push({ kind: "dependsOn", ids: dependsOn });
  if (criteria === undefined) return edits;
  if (Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING))) {
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

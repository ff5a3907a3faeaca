/** The arguments of `plan_create`: one new entity, or several that refer to each other by keys. */

import { invalidArguments } from "../entity/values.ts";
import * as z from "zod";
import { quotedName } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { defineSchema } from "../../../src/plugin/schema.ts";
import { keyOf } from "../entity/document.ts";
import type { EntityType } from "../entity/types.ts";
import { attributeNames, typesIn, type Vocabulary } from "../upstream/vocabulary.ts";
import type { Edit } from "./edits.ts";
import { addCriteria, CRITERIA_HEADING, criteriaText } from "./edits/criteria.ts";
import { sectionEdits, setBody, setSection } from "./edits/sections.ts";

const MOST_ITEMS = 50;

export const textsByName = z.record(z.string(), z.string());
export const textList = z.array(z.string());

/** The arguments about one entity. */
export const entityArguments = (vocabulary: Vocabulary) => ({
  type: z.enum(typesIn(vocabulary)).optional().describe("Required without items"),
  title: z.string().optional().describe("Required without preview"),
  id: z.string().optional().describe("Default: the next free; for a milestone, its name"),
  attrs: textsByName.optional().describe(attributeNames(vocabulary).join(", ")),
  sections: textsByName.optional().describe('By heading; "description" is the first'),
  criteria: textList.optional().describe("Acceptance criteria"),
  body: z.string().optional().describe("Replaces the template"),
  dependsOn: textList.optional().describe("Ids it waits for"),
  blocks: textList.optional().describe("Ids that wait for it"),
});

/** The entity that is wanted. */
export type NewEntity =
  & Omit<z.infer<z.ZodObject<ReturnType<typeof entityArguments>>>, "type">
  & { readonly type: EntityType };

/** Whether there is any text besides the title. */
export function hasTexts({ sections, criteria, body }: NewEntity): boolean {
  return [sections, criteria, body].some((text) => text !== undefined);
}

/** The edits that fill in the template. */
export function templateEdits({ type, sections = {}, criteria, body }: NewEntity): Edit[] {
  const edits = sectionEdits(sections);
  if (body !== undefined) edits.unshift(setBody(body));
  if (criteria === undefined) return edits;
  if (Object.keys(sections).some((heading) => keyOf(heading) === keyOf(CRITERIA_HEADING))) {
    const message = `"criteria" and the section "${CRITERIA_HEADING}" exclude each other`;
    throw invalidArguments(message, "Pass the criteria in one of them.");
  }
  // In a body from the caller, add the criteria to the existing ones.
  edits.push((document) =>
    body === undefined
      ? setSection(CRITERIA_HEADING, criteriaText(criteria, type))(document)
      : addCriteria(criteria)(document)
  );
  return edits;
}

const keyIn = (name: string) => /^\$([A-Za-z][\w-]*)$/.exec(name)?.[1];

/** One of the entities that a call creates. */
export type NewItem = NewEntity & {
  /** Stands for its id in the others, and names it in errors; empty for a single one. */
  readonly key: string;
};

/** Lists what an item needs; its other arguments are those of a single entity. */
export const itemsArgument = () =>
  z.array(z.looseObject({ key: z.string(), type: z.string(), title: z.string() })).min(1)
    .max(MOST_ITEMS).optional().describe(
      'Several, all or none, each with the arguments of one; "$key" is the id of another, "$$" a dollar',
    );

/**
 * Checks the arguments of items.
 *
 * @throws {RefraktError} `INVALID_ARGS` with the wrong ones.
 */
export async function checkedItems(items: readonly object[], vocabulary: Vocabulary) {
  const { type, title, ...others } = entityArguments(vocabulary);
  const item = z.strictObject({
    key: z.string().regex(/^[A-Za-z][\w-]*$/),
    type: type.unwrap(),
    title: title.unwrap(),
    ...others,
  });
  return (await defineSchema(z.strictObject({ items: z.array(item) })).parse({ items }))[
    "items"
  ] as NewItem[];
}

/** The items, each with all that it depends on: one that blocks another of the call is in that. */
export function linkedItems(items: readonly NewItem[]): NewItem[] {
  const keys = items.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw keyError(`Two items have the key ${quotedName(twice)}`);
  return items.map((item) => {
    const { blocks = [], dependsOn = [] } = item;
    const blocking = items.filter((other) => other.blocks?.includes(`$${item.key}`));
    const all = [...dependsOn, ...blocking.map(({ key }) => `$${key}`)];
    return {
      ...item,
      dependsOn: all.length > 0 ? [...new Set(all)] : undefined,
      blocks: blocks.filter((name) => !keys.includes(keyIn(name) ?? "")),
    };
  });
}

/** Replaces keys by ids, and two dollars by one. */
export function filledIn(item: NewEntity, ids: ReadonlyMap<string, string>): NewEntity {
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, fill(text)]));
    }
    return typeof value === "string" ? filledText(value, ids) : value;
  };
  const { attrs, sections, criteria, body, dependsOn = [], blocks = [] } = item;
  const unknown = [...dependsOn, ...blocks].find((name) =>
    name.startsWith("$") ? !ids.has(keyIn(name) ?? "") : ids.has(name)
  );
  if (unknown !== undefined) {
    const problem = unknown.startsWith("$") ? "No item has the key" : "A key, and not an id:";
    throw keyError(`${problem} ${quotedName(unknown.replace("$", ""))}`);
  }
  const texts = fill({ attrs, sections, criteria, body, dependsOn, blocks });
  return { ...item, ...texts as object };
}

/** Other words after a dollar, such as `$HOME`, are text. */
function filledText(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(
    /\$(\$|[A-Za-z][\w-]*)/g,
    (all, name: string) => name === "$" ? "$" : ids.get(name) ?? all,
  );
}

function keyError(message: string): RefraktError {
  return invalidArguments(
    message,
    'Nothing was written. "$key" stands for the id of the item with that key; write "$$" for a ' +
      "dollar.",
  );
}

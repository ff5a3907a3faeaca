/** Several new entities of one `plan_create`, which refer to each other by keys. */

import { quotedName } from "../../../src/plain_text.ts";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { defineSchema } from "../../../src/plugin/schema.ts";
import { type EntityArguments, entityArguments } from "../tool_parts/new_entity.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";

const MOST_ITEMS = 50;

const keyIn = (name: string) => /^\$([A-Za-z][\w-]*)$/.exec(name)?.[1];

type NewItem = EntityArguments & { readonly key: string };

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
export async function checkedItems(
  items: readonly object[],
  vocabulary: Vocabulary,
): Promise<NewItem[]> {
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

/** The items in the order in which they are created: each after what it depends on. */
export function orderedItems(input: readonly NewItem[]): NewItem[] {
  const keys = input.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw invalid(`Two items have the key ${quotedName(twice)}`);
  const items = withoutBlocks(input);
  const ordered = new Set<NewItem>();
  const add = (item: NewItem, path: readonly string[]) => {
    if (path.includes(item.key)) {
      throw invalid(`The dependencies form a cycle: ${[...path, item.key].join(" → ")}`);
    }
    if (ordered.has(item)) return;
    for (const name of item.dependsOn ?? []) {
      const other = items.find(({ key }) => key === keyIn(name));
      if (other !== undefined) add(other, [...path, item.key]);
    }
    ordered.add(item);
  };
  for (const item of items) add(item, []);
  return [...ordered];
}

/** An item that blocks another one of the call is what that one depends on. */
function withoutBlocks(items: readonly NewItem[]): NewItem[] {
  return items.map(({ blocks = [], dependsOn = [], ...item }) => {
    const blocking = items.filter((other) => (other.blocks ?? []).includes(`$${item.key}`));
    const all = [...dependsOn, ...blocking.map(({ key }) => `$${key}`)];
    const isKnown = (name: string) => items.some(({ key }) => key === keyIn(name));
    return {
      ...item,
      ...all.length > 0 ? { dependsOn: [...new Set(all)] } : {},
      blocks: blocks.filter((name) => !isKnown(name)),
    };
  });
}

/** Replaces keys by ids, and two dollars by one. */
export function filledIn(
  item: EntityArguments,
  ids: ReadonlyMap<string, string>,
): EntityArguments {
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (value !== null && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, fill(text)]));
    }
    return typeof value === "string" ? filledText(value, ids) : value;
  };
  const { attrs, sections, criteria, body, dependsOn = [], blocks = [] } = item;
  const unknown = [...dependsOn, ...blocks].find((name) =>
    name.startsWith("$") && !ids.has(keyIn(name) ?? "")
  );
  if (unknown !== undefined) throw invalid(`No item has the key ${quotedName(unknown.slice(1))}`);
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

function invalid(message: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, {
    hint:
      'Nothing was written. "$key" stands for the id of the item with that key; write "$$" for a ' +
      "dollar.",
  });
}

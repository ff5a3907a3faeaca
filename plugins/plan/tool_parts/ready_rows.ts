/** Ready items in answers. */

import * as z from "zod";
import type { Entity } from "../entity/entity.ts";
import { pathOf, type PlanView, rowsOf, unlessEmpty, uriOf } from "../queries/access.ts";
import { rankOf } from "../queries/availability.ts";
import { namedEntities, readyItem } from "./fields.ts";

export const offeredItem = z.object({
  ...readyItem,
  criteria: z.array(z.object({ text: z.string(), checked: z.boolean().optional() })).optional(),
  attributes: z.record(z.string(), z.string()).optional(),
  references: namedEntities(),
  path: z.string().optional(),
  uri: z.string().optional(),
});

/** The fields of an item that every list of ready items has. */
export function readyRow(item: Entity) {
  return { id: item.id, title: item.title || undefined, type: item.type, ...rankOf(item) };
}

/** An item with its other attributes and the titles of its references. */
export function shown(plan: PlanView, item: Entity): z.infer<typeof offeredItem> {
  const { attributes, criteria, refs } = item;
  const shownAlready = ["id", "status", "priority", "complexity"];
  const others = Object.entries(attributes)
    .filter(([name, value]) => value !== "" && !shownAlready.includes(name));
  return {
    ...readyRow(item),
    criteria: criteria.map(({ text, checked }) => ({ text, checked: checked || undefined })),
    attributes: others.length === 0 ? undefined : Object.fromEntries(others),
    references: unlessEmpty(rowsOf(plan, refs)),
    path: pathOf(plan, item),
    uri: uriOf(item),
  };
}

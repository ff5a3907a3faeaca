/** The answers of `plan_create`: one entity, or several by their keys. */

import * as z from "zod";
import type { Entity } from "../entity/entity.ts";
import { keyOf } from "../entity/document.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { word } from "../../../src/plain_text.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { type PlanView, unlessEmpty, uriOf } from "../queries/access.ts";
import { unknownDays } from "../entity/values.ts";
import { readAvailability } from "../queries/availability.ts";
import { byNumber } from "../queries/progress.ts";
import { mentionNotice, uncountedDependencies } from "../queries/waits.ts";
import type { PlanPlace } from "../store/place.ts";
import { type Draft, placeholdersIn } from "../write/draft.ts";
import { uncheckedPlaces, writtenEntity } from "./fields.ts";
import { mentionFields } from "./issues.ts";
import { milestoneWarnings } from "./update_answer.ts";

export const createOutput = z.object({
  ...writtenEntity,
  placeholders: z.array(z.string()).optional(),
  warnings: z.array(z.string()).optional(),
  preview: z.string().optional(),
  example: z.string().describe("A finished one of this type"),
  ...mentionFields,
  items: z.array(z.object({
    key: z.string(),
    id: z.string(),
    path: z.string(),
    preview: z.string().optional(),
    warnings: z.array(z.string()).optional(),
  })),
  /** Those of several that plan_next offers now. */
  offered: z.array(z.string()),
  unchecked: uncheckedPlaces(),
}).partial();

type Answer = z.infer<typeof createOutput>;

/** @param plan The plan with the entity; without one, it was not written. */
export function createdAnswer(
  { cwd, dir }: PlanPlace,
  draft: Draft,
  plan: PlanView | undefined,
): Answer {
  const { id, type, path, document, template } = draft;
  return {
    id,
    type,
    file: shownPath(dir, path),
    path: shownPath(cwd, path),
    uri: uriOf({ id, type }),
    placeholders: unlessEmpty(placeholdersIn(document, template)),
    preview: plan === undefined ? document.text : undefined,
    warnings: unlessEmpty(createdWarnings(draft, plan)),
    ...plan && mentionNotice(plan, plan.find(id)),
  };
}

/** Warns about days that are none, and of a written entity about what the plan does not have or count. */
function createdWarnings({ id, document }: Draft, plan: PlanView | undefined): string[] {
  const { attributes } = document.entity;
  const warnings = unknownDays(attributes);
  const item = plan?.find(id);
  if (plan === undefined || item === undefined) return warnings;
  return [
    ...warnings,
    ...milestoneWarnings(plan, attributes["milestone"] ?? ""),
    ...titleWarnings(plan, item),
    ...uncountedDependencies(plan, item).map(({ message }) => message),
  ];
}

function titleWarnings({ entities }: PlanView, { id, type, title }: Entity): string[] {
  const same = entities.filter((other) =>
    other.id !== id && other.type === type && !other.finished && keyOf(other.title) === keyOf(title)
  );
  if (same.length === 0) return [];
  return [`An open ${type} has the same title: ${shortList(same.map((one) => word(one.id)), 5)}`];
}

export async function itemsAnswer(
  place: PlanPlace,
  drafts: readonly (readonly [key: string, draft: Draft])[],
  plan: PlanView | undefined,
): Promise<Answer> {
  const ids = new Set(drafts.map(([, { id }]) => id));
  const { offered = [] } = plan === undefined ? {} : await readAvailability(plan);
  return {
    items: drafts.map(([key, draft]) => {
      const { path, preview, warnings } = createdAnswer(place, draft, plan);
      return { key, id: draft.id, path: path!, preview, warnings };
    }),
    offered: unlessEmpty(offered.flatMap(({ id }) => ids.has(id) ? id : [])),
  };
}

/** The newest finished entity of a type: it shows what such entities have in this plan. */
export function exampleOf({ entities }: PlanView, type: string): string | undefined {
  return entities.filter((item) => item.type === type && item.finished)
    .sort((a, b) => byNumber(b.id, a.id))[0]?.id;
}

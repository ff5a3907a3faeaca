/** The answers of `plan_update` and `plan_create`: what was written, with warnings about it. */

import * as z from "zod";
import { quoted, shortText, word, wordOrText } from "../../../src/plain_text.ts";
import { didYouMean } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { describeDiff } from "../queries/changes.ts";
import { byNumber, uncountedText } from "../queries/progress.ts";
import {
  idAndStatus,
  mentionNotice,
  openDependencies,
  uncountedDependencies,
} from "../queries/waits.ts";
import { entityOfText, lastPlan, type PlanView, uriOf } from "../queries/access.ts";
import { unknownDays } from "../entity/values.ts";
import { diff, versionIn } from "../entity/version.ts";
import { isDone, isFinished, isTask } from "../entity/lifecycle.ts";
import type { Plan } from "../store/plan.ts";
import type { PlanPlace } from "../store/place.ts";
import type { ChangedEntity } from "../write/edit_entities.ts";
import { type Entity, splitList } from "../entity/entity.ts";
import { keyOf } from "../entity/document.ts";
import { counted, shortList } from "../../../src/plugin/counted.ts";
import { readAvailability } from "../queries/availability.ts";
import { type Draft, placeholdersIn } from "../write/draft.ts";
import { mentionFields, uncheckedPlaces } from "./fields.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

export const updateOutput = z.object({
  changed: z.int().describe("How many entities"),
  lines: z.array(z.string()).describe("id: what changed"),
  path: z.string().describe("Of one entity"),
  openCriteria: z.int(),
  open: z.array(z.object({ n: z.int(), text: z.string() })),
  warnings: z.array(z.string()),
  ...mentionFields,
  remote: z.enum(["confirmed", "unconfirmed"]),
  preview: z.boolean(),
}).partial();

/** How many open criteria are listed; `openCriteria` counts them all. */
const MAX_OPEN = 100;

/** The maximum length of a criterion in an answer, in characters. */
const MAX_CRITERION = 90;

export function updateAnswer(
  place: PlanPlace,
  all: readonly ChangedEntity[],
  isSingle: boolean,
): z.infer<typeof updateOutput> {
  const ids = all.map(({ id }) => id);
  const changes = all.map((entity) => writtenChange(place, entity));
  const warnings = changes.flatMap((change) => {
    const texts = warningsFor(place, change, ids);
    return isSingle ? texts : texts.map((text) => `${word(change.id)}: ${text}`);
  });
  const answer = {
    changed: changes.filter(({ isChanged }) => isChanged).length,
    lines: changes.map(({ id, text }) => `${word(id)}: ${text}`),
    warnings: unlessEmpty(warnings),
  };
  return isSingle ? { ...answer, ...singleAnswer(place, changes[0]!) } : answer;
}

/** An entity as it was changed. */
function writtenChange(place: PlanPlace, entity: ChangedEntity) {
  const { before, document, file } = entity;
  const difference = diff(versionIn(before, before.entity), versionIn(document, document.entity));
  const isChanged = before.source !== document.source;
  return {
    ...entity,
    difference,
    isChanged,
    text: isChanged ? describeDiff(difference, before.source, document.source) : "unchanged",
    item: entityOfText(place, document.source, file),
  };
}

type Change = ReturnType<typeof writtenChange>;

/** The fields for the next call about the same entity. */
function singleAnswer(
  place: PlanPlace,
  { file, type, difference, isChanged, item, document: { entity } }: Change,
) {
  const open = entity.criteria.filter(({ checked }) => !checked);
  // The next call needs the numbers of open criteria, unless criteria were only added.
  const isTicked = difference.criteria.some(({ action }) => action !== "added");
  const listed = isTicked ? open.slice(0, MAX_OPEN) : [];
  const answer = {
    path: shownPath(place.cwd, place.store.path(file)),
    openCriteria: open.length,
    open: unlessEmpty(
      listed.map(({ number: n, text }) => ({ n, text: shortText(text, MAX_CRITERION) })),
    ),
  };
  if (!isChanged || !isTask({ type })) return answer;
  return { ...answer, ...mentionNotice(lastPlan(place), item) };
}

/** Warns about contradictions in a changed entity. */
function warningsFor(
  place: PlanPlace,
  { document: { entity }, difference: { attributes, isText }, item }: Change,
  ids: readonly string[],
): string[] {
  const plan = lastPlan(place);
  const isChanged = (name: string) => attributes.some(({ field }) => field === name);
  const warnings = unknownDays(entity.attributes);
  const { status = "" } = entity.attributes;
  if (isDone(status)) {
    const open = entity.criteria.filter(({ checked }) => !checked).length;
    if (open > 0) warnings.push(`${status} with ${counted(open, "open criterion")}`);
    const uncounted = uncountedText(entity);
    if (uncounted !== "") warnings.push(`${status} with ${uncounted}`);
    if (entity.resolution === undefined) warnings.push(`${status} without a resolution`);
  } else if (
    entity.resolution !== undefined && isChanged("status") &&
    !isFinished(entity.type, status, true)
  ) {
    warnings.push(`${wordOrText(status)} with a resolution`);
  }
  warnings.push(...nameWarnings(plan, entity.attributes, isChanged));
  if (item === undefined) return warnings;
  const open = openDependencies(plan, item).filter(({ id }) => !ids.includes(id));
  if (open.length > 0) {
    warnings.push(`${item.status}, but it depends on ${open.map(idAndStatus).join(", ")}`);
  }
  if (isText) warnings.push(...uncountedDependencies(plan, item).map(({ message }) => message));
  return warnings;
}

/** Warns about milestones and other entities that attributes name, and the plan does not have. */
function nameWarnings(
  plan: Plan,
  attributes: Readonly<Record<string, string>>,
  isAsked: (attribute: string) => boolean = () => true,
): string[] {
  return ["milestone", "source", "supersedes"].filter(isAsked).flatMap((attribute) => {
    const kind = attribute === "milestone" ? "milestone" : "entity";
    const names = plan.entities.flatMap(({ type, id }) =>
      kind === "entity" || type === kind ? id : []
    );
    const unknown = splitList(attributes[attribute] ?? "").filter((name) => !names.includes(name));
    return unknown.map((name) => {
      const problem = `The plan has no ${kind} ${quoted(name)}`;
      return [problem, didYouMean(name, names)].filter(Boolean).join(". ");
    });
  });
}

export const createOutput = z.object({
  id: z.string(),
  type: z.string(),
  file: z.string(),
  path: z.string(),
  uri: z.string(),
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
  /** The ids of new items that plan_next offers now. */
  offered: z.array(z.string()),
  unchecked: uncheckedPlaces(),
}).partial();

type CreateAnswer = z.infer<typeof createOutput>;

/** @param plan The plan with the entity; without one, it was not written. */
export function createdAnswer(
  { cwd, dir }: PlanPlace,
  draft: Draft,
  plan: PlanView | undefined,
): CreateAnswer {
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

/** Warns about invalid days; once it is written, also about milestone, title and dependencies. */
function createdWarnings({ id, document }: Draft, plan: PlanView | undefined): string[] {
  const { attributes } = document.entity;
  const warnings = unknownDays(attributes);
  const item = plan?.find(id);
  if (plan === undefined || item === undefined) return warnings;
  return [
    ...warnings,
    ...nameWarnings(plan, attributes),
    ...titleWarnings(plan, item),
    ...uncountedDependencies(plan, item).map(({ message }) => message),
  ];
}

function titleWarnings({ entities }: PlanView, { id, title }: Entity): string[] {
  const same = entities.filter((other) =>
    other.id !== id && !other.finished && keyOf(other.title) === keyOf(title)
  );
  if (same.length === 0) return [];
  return [`Open with the same title: ${shortList(same.map(idAndStatus), 5)}`];
}

export async function itemsAnswer(
  place: PlanPlace,
  drafts: readonly (readonly [key: string, draft: Draft])[],
  plan: PlanView | undefined,
): Promise<CreateAnswer> {
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

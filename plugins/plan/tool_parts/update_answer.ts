/** The answers of `plan_update`: what changed in one entity, or a line for each of several. */

import * as z from "zod";
import { quoted, shortText, word, wordOrText } from "../../../src/plain_text.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { uncountedText } from "../queries/progress.ts";
import {
  idAndStatus,
  mentionNotice,
  openDependencies,
  uncountedDependencies,
} from "../queries/waits.ts";
import { entityOfText, lastPlan, unlessEmpty, uriOf } from "../queries/access.ts";
import { unknownDays } from "../entity/values.ts";
import { isDone, isFinished, isTask } from "../entity/lifecycle.ts";
import type { Entity } from "../entity/entity.ts";
import type { Plan } from "../store/plan.ts";
import type { PlanPlace } from "../store/place.ts";
import type { ChangedEntity } from "../write/edit_entities.ts";
import { writtenEntity } from "./fields.ts";
import { mentionFields } from "./issues.ts";

export const updateOutput = z.object({
  ...writtenEntity,
  changes: z.array(z.object({ field: z.string(), old: z.string(), new: z.string() })),
  openCriteria: z.int(),
  open: z.array(z.object({ n: z.int(), text: z.string() })),
  warnings: z.array(z.string()),
  ...mentionFields,
  remote: z.enum(["confirmed", "unconfirmed"]),
  preview: z.boolean(),
  /** Of several entities: how many change, and a line each. */
  changed: z.int(),
  lines: z.array(z.string()),
}).partial();

/** How many open criteria are listed; `openCriteria` counts them all. */
const MAX_OPEN = 100;

/** The maximum length of a criterion in an answer, in characters. */
const MAX_CRITERION = 90;

/**
 * The answer about one entity.
 *
 * @param isAll Whether "all" were to be ticked.
 * @param ids The entities that the call changes alike.
 */
export function writtenAnswer(
  place: PlanPlace,
  changed: ChangedEntity,
  isAll: boolean,
  ids: readonly string[],
) {
  const { id, file, type, changes, document: { entity, source } } = changed;
  const plan = lastPlan(place);
  // As it is now.
  const item = entityOfText(place, source, file);
  const open = entity.criteria.filter(({ checked }) => !checked);
  // Their numbers are the next question, unless criteria were only added.
  const isTicked = changes.some(({ field, old }) => field === "criterion" && old !== "");
  const listed = isTicked ? open.slice(0, MAX_OPEN) : [];
  const isMentioning = changes.length > 0 && isTask({ type });
  return {
    id,
    type,
    file,
    path: shownPath(place.cwd, place.store.path(file)),
    uri: uriOf({ id, type }),
    changes: shown(changes, isAll && open.length === 0),
    openCriteria: open.length,
    open: unlessEmpty(
      listed.map(({ number: n, text }) => ({ n, text: shortText(text, MAX_CRITERION) })),
    ),
    warnings: unlessEmpty([
      ...warningsFor(plan, changed, open.length),
      ...item === undefined ? [] : dependencyWarnings(plan, item, changes, ids),
    ]),
    ...(isMentioning ? mentionNotice(plan, item) : {}),
  };
}

type Answer = ReturnType<typeof writtenAnswer>;

/** The most characters of a changed value in a line. */
const MAX_VALUE = 60;

/** Several entities, a line each, such as `WORK-001: status ready → done; 2 criteria open`. */
export function changeLines(answers: readonly Answer[]): { changed: number; lines: string[] } {
  return {
    changed: answers.filter(({ changes }) => changes.length > 0).length,
    lines: answers.map(({ id, changes, warnings = [], withheldBy }) => {
      const parts = changes.map(({ field, old, new: now }) => {
        const from = old === "" ? "" : `${shortText(old, MAX_VALUE)} → `;
        return `${field} ${from}${now === "" ? "removed" : shortText(now, MAX_VALUE)}`;
      });
      if (parts.length === 0) parts.push("unchanged");
      const withheld = withheldBy === undefined
        ? []
        : [`withheld by ${withheldBy.map(word).join(", ")}`];
      return `${id}: ${[...parts, ...warnings, ...withheld].join("; ")}`;
    }),
  };
}

/** The changes: a ticked criterion with its text once, or one count if all were ticked. */
function shown(
  changes: ChangedEntity["changes"],
  isAll: boolean,
): { field: string; old: string; new: string }[] {
  const isTick = (change: typeof changes[number]) =>
    change.field === "criterion" && change.old.startsWith("[ ]") && change.new.startsWith("[x]");
  const ticks = isAll ? changes.filter(isTick) : [];
  const total = ticks.length === 0
    ? []
    : [{ field: "criteria", old: `${ticks.length} open`, new: "all checked" }];
  return changes.filter((change) => !ticks.includes(change)).map((change) => {
    if (change.field === "note") return { ...change, new: shortText(change.new, MAX_CRITERION) };
    if (change.field !== "criterion") return { ...change };
    const box = "[x]".length;
    const old = change.old.slice(box) === change.new.slice(box)
      ? change.old.slice(0, box)
      : shortText(change.old, MAX_CRITERION);
    return { ...change, old, new: shortText(change.new, MAX_CRITERION) };
  }).concat(total);
}

/** Warns about contradictions in the changed entity. */
function warningsFor(
  plan: Plan,
  { document: { entity }, changes }: ChangedEntity,
  open: number,
): string[] {
  const warnings = unknownDays(entity.attributes);
  const { status = "", milestone = "" } = entity.attributes;
  if (isDone(status)) {
    const criteria = open === 1 ? "criterion" : "criteria";
    if (open > 0) warnings.push(`${status} with ${open} open ${criteria}`);
    const uncounted = uncountedText(entity);
    if (uncounted !== "") warnings.push(`${status} with ${uncounted}`);
    if (entity.resolution === undefined) warnings.push(`${status} without a resolution`);
  } else if (
    entity.resolution !== undefined && changes.some(({ field }) => field === "status") &&
    !isFinished(entity.type, status, true)
  ) {
    warnings.push(`${wordOrText(status)} with a resolution`);
  }
  if (changes.some(({ field }) => field === "milestone")) {
    warnings.push(...milestoneWarnings(plan, milestone));
  }
  return warnings;
}

/** The fields of changes that may be about dependencies. */
const DEPENDENCY_FIELDS = ["section", "body", "dependency"];

/** Warns about dependencies that are open or do not count. */
function dependencyWarnings(
  plan: Plan,
  item: Entity,
  changes: ChangedEntity["changes"],
  ids: readonly string[],
): string[] {
  const open = openDependencies(plan, item).filter(({ id }) => !ids.includes(id));
  const warnings = open.length === 0
    ? []
    : [`${item.status}, but it depends on ${open.map(idAndStatus).join(", ")}`];
  if (changes.some(({ field }) => DEPENDENCY_FIELDS.includes(field))) {
    warnings.push(...uncountedDependencies(plan, item).map(({ message }) => message));
  }
  return warnings;
}

/** Warns about a milestone that the plan does not have. */
export function milestoneWarnings(plan: Plan, milestone: string): string[] {
  const isThere = plan.allOf(milestone).some(({ type }) => type === "milestone");
  return milestone === "" || isThere ? [] : [`The plan has no milestone ${quoted(milestone)}`];
}

/** The answers of `plan.update`: what changed in one entity, or a line for each of several. */

import { shownPath } from "../../../src/io/paths.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import { itemFrom, lastPlan, uriOf } from "../queries/access.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { isTask } from "../queries/availability.ts";
import { mentionNotice } from "../queries/dependencies.ts";
import { isDone } from "../queries/lifecycle.ts";
import type { ChangedEntity } from "../write/edit_entity.ts";

/** How many open criteria are listed; `openCriteria` counts them all. */
const MAX_OPEN = 100;

/** The maximum length of a criterion in an answer, in characters. */
const MAX_CRITERION = 90;

/** The answer about one entity. @param isAll Whether all criteria were to be ticked. */
export function writtenAnswer(
  plugin: PlanPlugin,
  context: CallContext,
  dir: string,
  changed: ChangedEntity,
  isAll: boolean,
) {
  const { cwd } = context.project;
  const { id, file, type, changes, document: { entity } } = changed;
  const open = entity.criteria.filter(({ checked }) => !checked);
  // Their numbers are the next question, unless criteria were only added.
  const isTicked = changes.some(({ field, old }) => field === "criterion" && old !== "");
  const warnings = warningsFor(plugin, cwd, dir, changed, open.length);
  const listed = isTicked ? open.slice(0, MAX_OPEN) : [];
  return {
    id,
    type,
    file,
    path: shownPath(cwd, plugin.storeOf(cwd, dir).path(file)),
    uri: uriOf({ id, type }),
    changes: shown(changes, isAll),
    openCriteria: open.length,
    ...(listed.length === 0
      ? {}
      : { open: listed.map(({ number: n, text }) => ({ n, text: shortened(text) })) }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(changes.length === 0 ? {} : noticeFor(plugin, context, dir, changed)),
  };
}

/** The most characters of a changed value in a line. */
const MAX_VALUE = 60;

/** Several entities, a line each, such as `WORK-001: status ready → done; 2 criteria open`. */
export function linesOf(
  all: readonly ChangedEntity[],
  answers: readonly ReturnType<typeof writtenAnswer>[],
): { changed: number; lines: string[] } {
  return {
    changed: all.filter(({ changes }) => changes.some(isChange)).length,
    lines: answers.map(({ id, changes, warnings = [], withheldBy = [] }) => {
      const parts = changes.filter(isChange).map(({ field, old, new: now }) => {
        const from = old === "" ? "" : `${brief(old)} → `;
        return `${field} ${from}${now === "" ? "removed" : brief(now)}`;
      });
      const withheld = withheldBy.length === 0 ? [] : [`withheld by ${withheldBy.join(", ")}`];
      return `${id}: ${
        [...parts.length > 0 ? parts : ["unchanged"], ...warnings, ...withheld].join("; ")
      }`;
    }),
  };
}

/** An attribute may be given the value that it has. */
const isChange = (change: { readonly old: string; readonly new: string }) =>
  change.old !== change.new;

function brief(text: string): string {
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}

/** Mentions that withhold the entity as it is now. */
function noticeFor(
  plugin: PlanPlugin,
  context: CallContext,
  dir: string,
  { type, file, document: { source } }: ChangedEntity,
): ReturnType<typeof mentionNotice> {
  if (!isTask({ type })) return {};
  const plan = lastPlan(context, dir, plugin);
  return mentionNotice(plan, itemFrom(plan, plugin, source, file));
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
    if (change.field !== "criterion") return { ...change };
    const old = change.new === "" ? shortened(change.old) : change.old.slice(0, "[x]".length);
    return { ...change, old, new: shortened(change.new) };
  }).concat(total);
}

function shortened(text: string): string {
  return text.length > MAX_CRITERION ? `${text.slice(0, MAX_CRITERION).toWellFormed()}…` : text;
}

/** Warns about contradictions in the changed entity. */
function warningsFor(
  plugin: PlanPlugin,
  cwd: string,
  dir: string,
  { document: { entity }, changes }: ChangedEntity,
  open: number,
): string[] {
  const warnings: string[] = [];
  const { status = "", milestone = "" } = entity.attributes;
  if (isDone(status)) {
    if (open > 0) warnings.push(`${status} with ${open} open criteria`);
    if (entity.resolution === undefined) warnings.push(`${status} without a resolution`);
  }
  if (milestone !== "" && changes.some(({ field }) => field === "milestone")) {
    const [known] = plugin.storeOf(cwd, dir).last().allOf(milestone);
    if (known?.entity.type !== "milestone") {
      warnings.push(`The plan has no milestone "${milestone}"`);
    }
  }
  return warnings;
}

/** Moves criteria of an entity to a new one, in the same write. */

import { RefraktError } from "../../../src/errors.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { lastPlan, type PlanView } from "../queries/access.ts";
import { type Criterion, type Document, read } from "../entity/document.ts";
import { duplicateError, markersError } from "../store/problems.ts";
import { unknownEntity } from "../store/failures.ts";
import { type Edit, editDocument } from "./edits.ts";
import { CRITERIA_HEADING } from "./edits/criteria.ts";
import type { Blocking } from "./new_dependencies.ts";

export interface Split {
  readonly id: string;
  /** The numbers of its criteria. */
  readonly criteria: readonly number[];
  /** Whether the new entity depends on it. */
  readonly dependsOn?: boolean | undefined;
}

export interface PreparedSplit {
  /** As the plan writes it. */
  readonly id: string;
  /** The attributes that the new entity takes over. */
  readonly attributes: Record<string, string>;
  readonly edits: readonly Edit[];
  /** Adds the write of the entity to others; sees the plan as of the last scan. */
  with(blocking: Blocking | undefined): Blocking;
}

/** What the parts of an entity have in common. */
const SHARED = ["source", "milestone"];

/**
 * Prepares a split.
 *
 * @param heading Where a body of the caller's gets the criteria; else they replace the template's.
 * @throws {RefraktError} `NOT_FOUND` or `VALIDATION_ERROR` for an unknown entity or number.
 */
export function prepareSplit(
  plugin: PlanPlugin,
  context: CallContext,
  plan: PlanView,
  { id: given, criteria: numbers }: Split,
  isAppended: boolean,
): PreparedSplit {
  const id = plan.state.spelled(given);
  const { document, item } = fileOf(plan, id);
  const moved = pick(document, id, numbers);
  const text = moved.map((one) => textOf(document, one)).join("\n");
  const { attributes } = item.entity;
  return {
    id,
    attributes: Object.fromEntries(
      SHARED.flatMap((name) => attributes[name] ? [[name, attributes[name]]] : []),
    ),
    edits: [{ kind: isAppended ? "append" : "section", heading: CRITERIA_HEADING, text }],
    with: (blocking) => (newId) => {
      const others = blocking?.(newId) ?? [];
      const now = fileOf(lastPlan(context, plan.dir, plugin), id);
      const own = others.find(({ seen }) => seen.path === now.seen.path);
      const before = own === undefined ? now.document : read(own.text);
      const same = pick(before, id, numbers);
      if (same.some((one, at) => one.text !== moved[at]!.text)) {
        throw new RefraktError("CONFLICT", `The criteria of ${id} have changed`, {
          hint: "Nothing was written. Read them again with plan.get.",
        });
      }
      const { document } = editDocument(before, {}, [{ kind: "remove", which: numbers }]);
      const write = { seen: now.seen, text: document.source, name: id };
      return [...others.filter((one) => one !== own), write];
    },
  };
}

function fileOf(plan: PlanView, id: string) {
  const item = plan.find(id);
  if (item === undefined) throw unknownEntity(plan.store, id);
  const files = plan.state.allOf(id).map(({ file }) => file);
  if (files.length > 1) throw duplicateError(id, files);
  const seen = readForChange(plan.cwd, plan.store.path(item.entity.file));
  const document = read(seen.text);
  if (document.conflict !== undefined) throw markersError(id, item.entity.file, document.conflict);
  return { item, seen, document };
}

function pick({ entity }: Document, id: string, numbers: readonly number[]): Criterion[] {
  const { criteria = [] } = entity ?? {};
  return [...new Set(numbers)].sort((a, b) => a - b).map((number) => {
    const found = criteria[number - 1];
    if (found !== undefined) return found;
    throw new RefraktError("VALIDATION_ERROR", `${id} has no criterion ${number}`, {
      hint: criteria.length === 0
        ? "It has no criteria to move."
        : `Its criteria are numbered from 1 to ${criteria.length}: plan.get { id: "${id}" }.`,
    });
  });
}

/** A criterion with its further lines, at the left margin. */
function textOf({ text }: Document, { start, end }: Criterion): string {
  const lines = text.slice(start, end).trimEnd().split("\n");
  const indent = /^\s*/.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)![0].length))).join("\n");
}

/** Moves criteria of an entity to a new one, in the same write. */

import { RefraktError } from "../../../src/errors.ts";
import { lastPlan, type PlanView } from "../queries/access.ts";
import { type Criterion, type Document, read } from "../entity/document.ts";
import { editDocument } from "./edits.ts";
import { CRITERIA_HEADING, numbered } from "./edits/criteria.ts";
import { fileOf } from "./entity_file.ts";
import type { NamedWrite } from "./new_dependencies.ts";

/** What the parts of an entity have in common, where their types have it. */
const SHARED = ["source", "milestone"];

/**
 * Prepares a split: the attributes and edits of the new entity.
 *
 * @param numbers The numbers of the criteria to move.
 * @param type The type of the new entity.
 * @param isAppended Whether the caller's own text gets them; else they replace the template's.
 * @throws {RefraktError} `NOT_FOUND` or `VALIDATION_ERROR` for an unknown entity or number.
 */
export function prepareSplit(
  plan: PlanView,
  given: string,
  numbers: readonly number[],
  type: string,
  isAppended: boolean,
) {
  const { document, item: { id, entity: { attributes } } } = fileOf(plan, given);
  const moved = pick(document, numbers);
  const text = moved.map((one) => textOf(document, one)).join("\n");
  const known = plan.plugin.vocabulary?.attributes[type] ?? SHARED;
  return {
    id,
    attributes: Object.fromEntries(
      SHARED.filter((name) => known.includes(name)).flatMap((name) =>
        attributes[name] ? [[name, attributes[name]]] : []
      ),
    ),
    edits: [{ kind: isAppended ? "append" : "section", heading: CRITERIA_HEADING, text } as const],
    /** Adds the write of the entity to others; sees the plan as of the last scan. */
    with: (others: readonly NamedWrite[]): NamedWrite[] => {
      const now = fileOf(lastPlan(plan), id);
      const own = others.find(({ seen }) => seen.path === now.seen.path);
      const before = own === undefined ? now.document : read(own.text);
      const same = pick(before, numbers);
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

/** The criteria with these numbers, in the order of the text. */
function pick({ entity }: Document, numbers: readonly number[]): Criterion[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
    .map((number) => numbered(entity?.criteria ?? [], number));
}

/** A criterion with its further lines, at the left margin. */
function textOf({ text }: Document, { start, end }: Criterion): string {
  const lines = text.slice(start, end).trimEnd().split("\n");
  const indent = /^\s*/.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)![0].length))).join("\n");
}

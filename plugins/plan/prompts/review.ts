/**
 * `plan_review`: where a milestone stands.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { Item } from "../queries/access.ts";
import { isDone } from "../queries/lifecycle.ts";
import { groupItems } from "../queries/select.ts";
import { checkValues, knownValues } from "../queries/values.ts";
import { dataOr, embed, listOf, type PlanPrompt, quoted, say, waitingFor } from "./messages.ts";

/** The prompt. */
export const review: PlanPrompt = {
  name: "plan_review",
  title: "Review a milestone",
  description: "A milestone's items by status, and those done with open criteria or without a " +
    "resolution.",
  arguments: [{ name: "milestone", description: "Its name", required: true }],
  messages: ({ plan }, { milestone = "" }) => {
    if (milestone === "") {
      throw new RefraktError("INVALID_ARGS", '"milestone": required', {
        hint: `Give one of ${knownValues(plan, "milestone").join(", ") || "none yet"}.`,
      });
    }
    checkValues(plan, "milestone", milestone);
    const items = plan.items.filter(({ entity }) => entity.attributes["milestone"] === milestone);
    const done = items.filter(({ status }) => isDone(status));
    const itself = plan.find(milestone);
    return [
      say(
        `Review the milestone ${quoted(milestone)}: what is left, what is at risk, and what was ` +
          `closed too early. Look into doubtful items with plan.get; propose changes before ` +
          `you make them with plan.update.`,
      ),
      ...(itself === undefined ? [] : [embed(plan, itself)]),
      ...dataOr(
        `No item has the milestone ${quoted(milestone)}.`,
        ...groupItems(plan, items, "status").map(({ key }) =>
          listOf(key, items.filter(({ status }) => status === key), waitingFor(plan))
        ),
        listOf(
          "Done with open criteria",
          done.filter((item) => openCount(item) > 0),
          (item) => `${openCount(item)} open`,
        ),
        listOf("Done without a resolution", done.filter(({ entity }) => !entity.resolution)),
      ),
    ];
  },
};

function openCount({ entity }: Item): number {
  return entity.criteria.filter(({ checked }) => !checked).length;
}

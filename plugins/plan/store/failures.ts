/** Errors about the plan. The plugin throws plain errors with the exit code of its command line. */

import { quotedName } from "../../../src/plain_text.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { didYouMean, messageOf, RefraktError } from "../../../src/errors.ts";
import { fieldOf } from "../../../src/io/json.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { planMissing } from "./plan_folder.ts";
import type { PlanStore } from "./mod.ts";

/** Converts an error of a plugin's handler to a coded error. */
export function planFailure(command: string, error: unknown, store: PlanStore): unknown {
  if (error instanceof RefraktError) return error;
  if (typeof fieldOf(error, "exitCode") !== "number") {
    return isNotFound(error) ? planMissing(store.root, store.dir) : error;
  }
  const message = messageOf(error);
  // The plugin's wording for invalid values, the same from 0.25 to 0.29.
  const valid = /Valid(?: types)?: (.+)$/.exec(message)?.[1];
  const isInput = command === "create" || valid !== undefined;
  return new RefraktError(isInput ? "VALIDATION_ERROR" : "TOOL_FAILED", message, {
    hint: valid === undefined
      ? "Fix the arguments and call again; nothing was written."
      : `Use one of: ${valid}.`,
    cause: error,
  });
}

/** The hint for unknown ids: the nearest ids, and where to find all. */
export function unknownIdHint(store: PlanStore, ...ids: readonly string[]): string {
  const further = ids.flatMap((id) => store.furtherIn(id) ?? []);
  if (further.length > 0) return few(further);
  const valid = store.last().entities.flatMap(({ hasId, id }) => hasId ? id : []);
  const unread = store.unreadable();
  return [
    ...ids.slice(0, MOST_HINTS).map((id) => didYouMean(id, valid)),
    "plan_list lists all ids.",
    ...unread.length === 0 ? [] : [`Some of the plan could not be read: ${few(unread)}`],
  ].filter(Boolean).join(" ");
}

/** How many unknown ids are named, and for how many the nearest ones are. */
const [MOST_IDS, MOST_HINTS] = [20, 3];

/** Joins the first sentences, and counts the rest. */
export function few(sentences: readonly string[], most = 3): string {
  const rest = sentences.length - most;
  return sentences.slice(0, most).join("; ") + (rest > 0 ? `; and ${rest} more.` : ".");
}

export function unknownEntity(store: PlanStore, ...ids: readonly string[]): RefraktError {
  const what = ids.length === 1 ? "Entity" : "Entities";
  return new RefraktError(
    "NOT_FOUND",
    `${what} not found: ${shortList(ids.map(quotedName), MOST_IDS)}`,
    {
      hint: unknownIdHint(store, ...ids),
    },
  );
}

/** Errors about the plan. The plugin throws plain errors with the exit code of its command line. */

import { didYouMean, messageOf, RefraktError } from "../../../src/errors.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { planMissing } from "../../../src/project/plan.ts";
import type { PlanStore } from "./mod.ts";

/** Converts an error of a plugin's handler to a coded error. */
export function planFailure(command: string, error: unknown, store: PlanStore): unknown {
  if (error instanceof RefraktError) return error;
  if (!hasExitCode(error)) {
    return isNotFound(error)
      ? planMissing({ cwd: store.root, dir: store.dir, cause: error })
      : error;
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

function hasExitCode(error: unknown): boolean {
  return error instanceof Error && "exitCode" in error && typeof error.exitCode === "number";
}

/** The hint for an unknown id: the nearest ids, and where to find all. */
export function unknownIdHint(store: PlanStore, id: string): string {
  const further = store.furtherIn(id);
  if (further !== undefined) return `${further}.`;
  const ids = store.last().entities.flatMap((entity) => entity.id ?? []);
  const unread = store.unreadable();
  const missing = unread.length === 0 ? "" : ` Some of the plan could not be read: ${few(unread)}`;
  return `${didYouMean(id, ids)} plan.list lists all ids.${missing}`.trim();
}

/** Joins the first sentences, and counts the rest. */
export function few(sentences: readonly string[], most = 3): string {
  const rest = sentences.length - most;
  return sentences.slice(0, most).join("; ") + (rest > 0 ? `; and ${rest} more.` : ".");
}

export function unknownEntity(store: PlanStore, id: string): RefraktError {
  return new RefraktError("NOT_FOUND", `Entity not found: ${id}`, {
    hint: unknownIdHint(store, id),
  });
}

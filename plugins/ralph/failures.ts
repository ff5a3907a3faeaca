/**
 * What can go wrong, in words that name the next tool to call.
 *
 * @module
 */

import { didYouMean, messageOf, RefraktError } from "../../src/errors.ts";
import { isRefusal, refusalToError } from "../../src/sandbox/permissions.ts";
import { shownName } from "./names.ts";
import { isBefore, type Phase, PHASE_TOOLS } from "./phases.ts";

/** How many names a message lists. */
const MAX_LISTED = 20;

/** The names as they are listed in a message. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return "(none)";
  const shown = names.slice(0, MAX_LISTED).map(shownName).join(", ");
  return names.length > MAX_LISTED ? `${shown} and ${names.length - MAX_LISTED} more` : shown;
}

/** No spec has the name that the call gave. */
export function specNotFound(wanted: string, names: readonly string[]): RefraktError {
  const guess = didYouMean(wanted, names);
  return new RefraktError(
    "SPEC_NOT_FOUND",
    `Spec '${shownName(wanted)}' not found. Run ralph_status to see available specs.`,
    {
      hint: names.length === 0
        ? "There are no specs. Call ralph_start with a name or a goal to create one."
        : `${guess} Available specs: ${listNames(names)}. Call ralph_status for details.`.trim(),
      data: { spec: shownName(wanted), available: names.slice(0, MAX_LISTED) },
    },
  );
}

/** The pointer file names a spec that is gone. */
export function stalePointer(pointer: string, names: readonly string[]): RefraktError {
  return new RefraktError(
    "SPEC_NOT_FOUND",
    `Spec '${
      shownName(pointer)
    }' not found. Run ralph_status to see available specs. The pointer specs/.current-spec is stale: it names a spec that does not exist.`,
    {
      hint: names.length === 0
        ? "There are no specs. Call ralph_start with a name or a goal to create one."
        : `Call ralph_switch with one of: ${listNames(names)}; or pass spec_name.`,
      data: { stale: shownName(pointer), available: names.slice(0, MAX_LISTED) },
    },
  );
}

/** The call named no spec, and none is current. */
export function noCurrentSpec(names: readonly string[]): RefraktError {
  return new RefraktError(
    "MISSING_PREREQUISITES",
    names.length === 0
      ? "No specs found. Run ralph_start to begin."
      : "No spec was named and no spec is current",
    {
      hint: names.length === 0
        ? "Call ralph_start with a name or a goal."
        : `Call ralph_switch with one of: ${
          listNames(names)
        }; or pass spec_name; or call ralph_start for a new spec.`,
      data: { available: names.slice(0, MAX_LISTED) },
    },
  );
}

/** The state file could not be read; it was kept under another name where that was possible. */
export function corruptState(name: string, backup: string | null, reason: string): RefraktError {
  const resume = `ralph_start { name: ${JSON.stringify(name)}, resume: true }`;
  return new RefraktError(
    "INVALID_STATE",
    backup === null
      ? `State corrupt. The file is still in place, because it was not moved to a backup. Re-run ${resume}.`
      : `State corrupt. Backup at ${backup}. Re-run ${resume}.`,
    {
      hint: `The state file of '${
        shownName(name)
      }' is unreadable (${reason}). Call ${resume} to rebuild it from the spec's documents.`,
      data: { spec: name, backup, resume: { tool: "ralph_start", name, resume: true } },
    },
  );
}

/** The spec has documents, perhaps, but no state. */
export function missingState(name: string, cancelled: boolean): RefraktError {
  const resume = `ralph_start { name: ${JSON.stringify(name)}, resume: true }`;
  return new RefraktError(
    "INVALID_STATE",
    cancelled
      ? `Spec '${shownName(name)}' was cancelled and has no state`
      : `Spec '${shownName(name)}' has no state file`,
    {
      hint:
        `Call ${resume} to take it up again from its documents, or ralph_switch to another spec.`,
      data: { spec: name, cancelled, resume: { tool: "ralph_start", name, resume: true } },
    },
  );
}

/** The spec is in another phase than the call needs. */
export function phaseMismatch(
  name: string,
  current: Phase,
  wanted: Phase,
  redoable: boolean,
): RefraktError {
  const ahead = isBefore(current, wanted);
  const message = ahead
    ? `Currently in ${current} phase. Complete ${current} before ${wanted}.`
    : `Currently in ${current} phase. The ${wanted} phase is already complete.`;
  const finish = current === "execution"
    ? `Call ralph_implement for the next task`
    : `Call ${
      PHASE_TOOLS[current]
    } to work on it, then ralph_complete_phase { phase: "${current}" }`;
  const redo = !ahead && redoable
    ? `; or ${PHASE_TOOLS[wanted]} with redo: true to revise its document`
    : "";
  return new RefraktError("PHASE_MISMATCH", message, {
    hint: `${finish}${redo}.`,
    data: { spec: name, phase: current, wanted, next: PHASE_TOOLS[current] },
  });
}

/** Something about a value is not allowed. */
export function invalid(
  message: string,
  hint: string,
  data?: Record<string, unknown>,
): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, { hint, ...(data ? { data } : {}) });
}

/** Something that must come first is missing. */
export function missing(
  message: string,
  hint: string,
  data?: Record<string, unknown>,
): RefraktError {
  return new RefraktError("MISSING_PREREQUISITES", message, { hint, ...(data ? { data } : {}) });
}

/**
 * Runs a file operation and turns what it throws into `FILE_OPERATION_FAILED`.
 *
 * @param cwd The project's directory.
 * @param verb What is done: "write", "read", "remove".
 * @param shown The path as it is shown.
 * @param run The operation.
 */
export function fileOperation<T>(cwd: string, verb: string, shown: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof RefraktError && error.code !== "PERMISSION_DENIED") throw error;
    throw fileFailure(cwd, verb, shown, error);
  }
}

/** Turns whatever a tool throws into an error of the workflow's own; `null` where it is a defect. */
export function translated(cwd: string, error: unknown): RefraktError | null {
  if (error instanceof RefraktError) {
    return error.code === "PERMISSION_DENIED" ? fileFailure(cwd, "use", "specs", error) : error;
  }
  const code = (error as { code?: unknown } | null)?.code;
  const isFileError = isRefusal(error) || typeof code === "string" && /^E[A-Z]+$/.test(code);
  return isFileError ? fileFailure(cwd, "use", "specs", error) : null;
}

/** The error for a file operation that failed. */
export function fileFailure(
  cwd: string,
  verb: string,
  shown: string,
  error: unknown,
): RefraktError {
  const path = shownName(shown);
  const refusal = error instanceof RefraktError ? error : refusalToError(error, cwd);
  const message = isRefusal(error)
    ? `Failed to ${verb} ${path}. Check file permissions.`
    : `Failed to ${verb} ${path}. Check file permissions. (${
      shownName(messageOf(error).split("\n")[0]!.slice(0, 200))
    })`;
  return new RefraktError("FILE_OPERATION_FAILED", message, {
    hint: `${refusal?.hint ?? "Check that the path can be accessed and that there is space."}` +
      " Nothing was changed by the failed step; call ralph_status, then repeat the call.",
    data: { path: shown },
    cause: error,
  });
}

/**
 * What can go wrong, in words that name the next tool to call.
 *
 * @module
 */

import { didYouMean, messageOf, RefraktError } from "../../src/errors.ts";
import { fieldOf } from "../../src/io/json.ts";
import { isRefusal, refusalToError } from "../../src/io/permissions.ts";
import { plainLine, withEscapes } from "../../src/plain_text.ts";
import { shownName } from "./names.ts";
import { isBefore, type Phase, toolOf } from "./phases.ts";

/** How many names a message lists. */
const MAX_LISTED = 20;

/** A tool with its arguments, in one line of prose. */
export function callOf(tool: string, args: Readonly<Record<string, unknown>> = {}): string {
  const fields = Object.entries(args).map(([key, value]) =>
    `${key}: ${withEscapes(JSON.stringify(value) ?? "")}`
  );
  return fields.length === 0 ? tool : `${tool} { ${fields.join(", ")} }`;
}

/** The first few of many, for a message. */
export function few(items: readonly string[], most = 8): string {
  return items.length <= most
    ? items.join(", ")
    : `${items.slice(0, most).join(", ")} and ${items.length - most} more`;
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  const many = noun.replace(/y$/, "ie").replace(/on$/, "a");
  return `${number} ${number === 1 ? noun : many.endsWith("a") ? many : `${many}s`}`;
}

/** Text from outside in a message: on one line, and short. */
export function brief(text: string, most = 300): string {
  const line = plainLine(text.slice(0, 4 * most + 100), 4 * most + 100)
    .replaceAll("<!--", "&lt;!--");
  return line.length > most ? `${line.slice(0, most).toWellFormed()} …` : line;
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

/** No spec has the name that the call gave, or that the pointer file holds. */
export function specNotFound(
  wanted: string,
  names: readonly string[],
  where: "call" | "pointer",
): RefraktError {
  const shown = shownName(wanted);
  const stale = where === "pointer"
    ? " The pointer specs/.current-spec is stale: it names a spec that does not exist."
    : "";
  const guess = didYouMean(wanted, names);
  return new RefraktError(
    "SPEC_NOT_FOUND",
    `Spec '${shown}' not found. Run ralph_status to see available specs.${stale}`,
    {
      hint: `${guess} ${waysToASpec(names)}`.trim(),
      data: {
        [where === "pointer" ? "stale" : "spec"]: shown,
        available: names.slice(0, MAX_LISTED),
      },
    },
  );
}

/** The call named no spec, and none is current. */
export function noCurrentSpec(names: readonly string[]): RefraktError {
  return missing(
    names.length === 0
      ? "No specs found. Run ralph_start to begin."
      : "No spec was named and no spec is current",
    waysToASpec(names),
    { available: names.slice(0, MAX_LISTED) },
  );
}

function waysToASpec(names: readonly string[]): string {
  return names.length === 0
    ? "There are no specs. Call ralph_start with a goal to create one."
    : `Pass spec_name or call ralph_switch with one of: ${
      few(names.map(shownName), MAX_LISTED)
    }; or call ralph_start for a new spec.`;
}

/** Why a spec has no state that can be used. */
export interface NoState {
  /** What became of it. */
  readonly kind: "missing" | "cancelled" | "corrupt";
  /** Why a corrupt file cannot be used. */
  readonly reason: string;
  /** Where a corrupt file was kept. */
  readonly backup: string | null;
}

/** The spec has no state, or none that can be read. */
export function invalidState(name: string, { kind, reason, backup }: NoState): RefraktError {
  const args = { name, resume: true };
  const resume = callOf("ralph_start", args);
  const message = kind === "cancelled"
    ? `Spec '${shownName(name)}' was cancelled and has no state`
    : kind === "missing"
    ? `Spec '${shownName(name)}' has no state file`
    : backup === null
    ? `State corrupt. The file is still in place, because it was not moved to a backup. Re-run ${resume}.`
    : `State corrupt. Backup at ${backup}. Re-run ${resume}.`;
  const why = kind === "corrupt" ? `The state file is unreadable (${reason}). ` : "";
  return new RefraktError("INVALID_STATE", message, {
    hint:
      `${why}Call ${resume} to take the spec up again from its documents, or ralph_switch to another one.`,
    data: { spec: name, backup, resume: { tool: "ralph_start", ...args } },
  });
}

/** The spec is in another phase than the call needs. */
export function phaseMismatch(name: string, current: Phase, wanted: Phase): RefraktError {
  const ahead = isBefore(current, wanted);
  const finish = current === "execution"
    ? "Call ralph_implement for the next task"
    : `Call ${toolOf(current)} to work on it, then ralph_complete_phase { phase: "${current}" }`;
  const redo = ahead ? "" : `; or ${toolOf(wanted)} with redo: true to revise its document`;
  return new RefraktError(
    "PHASE_MISMATCH",
    ahead
      ? `Currently in ${current} phase. Complete ${current} before ${wanted}.`
      : `Currently in ${current} phase. The ${wanted} phase is already complete.`,
    {
      hint: `${finish}${redo}.`,
      data: { spec: name, phase: current, wanted, next: toolOf(current) },
    },
  );
}

/**
 * Runs a file operation and turns what it throws into an error of the workflow.
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
    throw fileFailure(cwd, verb, shown, error);
  }
}

/** The error for a file operation that failed; an error that has its own words already stays. */
export function fileFailure(
  cwd: string,
  verb: string,
  shown: string,
  error: unknown,
): RefraktError {
  if (error instanceof RefraktError) {
    // What io says about a file is said again, with the next tool.
    const bare = error.code === "PERMISSION_DENIED" || error.code === "FILE_OPERATION_FAILED";
    if (!bare || error.data?.["path"] !== undefined) return error;
  }
  const path = shownName(shown);
  const after = "Nothing was changed by the failed step; call ralph_status, then repeat the call.";
  const refusal = error instanceof RefraktError ? error : refusalToError(error, cwd);
  const flag = refusal?.data?.["flag"];
  const reason = isRefusal(error) ? "" : ` (${brief(messageOf(error), 200)})`;
  return new RefraktError(
    flag === undefined ? "FILE_OPERATION_FAILED" : "PERMISSION_DENIED",
    `Failed to ${verb} ${path}. Check file permissions.${reason}`,
    {
      hint: `${
        refusal?.hint ?? "Check that the path can be accessed and that there is space."
      } ${after}`,
      data: { path: shown, ...(flag === undefined ? {} : { flag }) },
      cause: error,
    },
  );
}

/** Turns whatever a tool throws into an error of the workflow's own; `null` where it is a defect. */
export function translated(cwd: string, error: unknown): RefraktError | null {
  const code = fieldOf(error, "code");
  return error instanceof RefraktError || isRefusal(error) ||
      typeof code === "string" && /^E[A-Z]+$/.test(code)
    ? fileFailure(cwd, "use", "specs", error)
    : null;
}

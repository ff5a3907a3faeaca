/** The errors of the workflow. Each names the next tool to call. */

import { join } from "node:path";
import { didYouMean, messageOf, pathIn, RefraktError } from "../../src/errors.ts";
import { fieldOf } from "../../src/io/json.ts";
import { shownPath } from "../../src/io/paths.ts";
import { isRefusal, refusalToError } from "../../src/io/permissions.ts";
import { shortLine, word } from "../../src/plain_text.ts";
import { shortList } from "../../src/plugin/counted.ts";
import { isBefore, type Phase, toolOf } from "./phases.ts";

/** How many names an error lists. */
const MAX_LISTED = 20;

/** A call as text, such as `ralph_switch { name: "auth" }`. */
export function callOf(tool: string, args: Readonly<Record<string, unknown>> = {}): string {
  const fields = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return fields.length === 0 ? tool : `${tool} { ${fields.join(", ")} }`;
}

/** The call that rebuilds the state of a spec, or lifts what blocks it. */
export const resumeCall = (name: string) => callOf("ralph_start", { name, resume: true });

/** The first items of a list, as text. */
export const few = (items: readonly string[], most = 8) => shortList(items, most);

/** Text from outside on one line, cut to a length. */
export const brief = (text: string, most = 300) =>
  shortLine(text, most).replaceAll("<!--", "&lt;!--");

export function invalid(message: string, hint: string, data = {}): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, { hint, data });
}

export function missing(message: string, hint: string, data = {}): RefraktError {
  return new RefraktError("MISSING_PREREQUISITES", message, { hint, data });
}

export function specNotFound(
  wanted: string,
  names: readonly string[],
  isPointer: boolean,
): RefraktError {
  const stale = isPointer
    ? " The pointer specs/.current-spec is stale: it names a spec that does not exist."
    : "";
  const message = `Spec '${word(wanted)}' not found. Run ralph_status to see available specs.`;
  return new RefraktError("SPEC_NOT_FOUND", message + stale, {
    hint: `${didYouMean(wanted, names)} ${waysToASpec(names)}`.trim(),
    data: { [isPointer ? "stale" : "spec"]: word(wanted), available: names.slice(0, MAX_LISTED) },
  });
}

export function noCurrentSpec(names: readonly string[]): RefraktError {
  const message = names.length === 0
    ? "No specs found. Run ralph_start to begin."
    : "The call names no spec, and there is no current spec";
  return missing(message, waysToASpec(names), { available: names.slice(0, MAX_LISTED) });
}

function waysToASpec(names: readonly string[]): string {
  if (names.length === 0) return "There are no specs. Call ralph_start with a goal to create one.";
  const list = few(names.map(word), MAX_LISTED);
  return `Pass spec_name or call ralph_switch with one of: ${list}; or call ralph_start for a new spec.`;
}

export interface NoState {
  readonly kind: "missing" | "cancelled" | "corrupt";
  /** Why a corrupt file cannot be used. */
  readonly reason: string;
  /** The name of the backup of a corrupt file; `null` if it is still in place. */
  readonly backup: string | null;
}

export function invalidState(name: string, { kind, reason, backup }: NoState): RefraktError {
  const resume = resumeCall(name);
  const backupPlace = backup === null ? "The file is still in place." : `Backup at ${backup}.`;
  const messages = {
    cancelled: `Spec '${word(name)}' was cancelled and has no state`,
    missing: `Spec '${word(name)}' has no state file`,
    corrupt: `State corrupt. ${backupPlace} Re-run ${resume}.`,
  };
  const why = kind === "corrupt" ? `The state file is unreadable (${reason}). ` : "";
  return new RefraktError("INVALID_STATE", messages[kind], {
    hint: `${why}Call ${resume} to rebuild the state from the documents, or ralph_switch to ` +
      "choose another spec.",
    data: { spec: name, backup },
  });
}

export function phaseMismatch(name: string, current: Phase, wanted: Phase): RefraktError {
  const ahead = isBefore(current, wanted);
  const rule = ahead
    ? `Complete ${current} before ${wanted}`
    : `The ${wanted} phase is already complete`;
  const finish = current === "execution"
    ? "Call ralph_implement for the next task"
    : `Call ${toolOf(current)} to work on it, then ralph_complete_phase { phase: "${current}" }`;
  const redo = ahead ? "" : `; or ${toolOf(wanted)} with redo: true to revise its document`;
  return new RefraktError("PHASE_MISMATCH", `Currently in ${current} phase. ${rule}.`, {
    hint: `${finish}${redo}.`,
    data: { spec: name, phase: current, wanted, next: toolOf(current) },
  });
}

/** A file that cannot be read or written. */
class FileFailure extends RefraktError {}

/**
 * Turns what reading or writing threw into an error with the path and the next tool; other errors
 * stay as they are.
 *
 * @param path The file; by default the one that the error names, or `specs`.
 */
export function fileFailure(cwd: string, verb: "read" | "write", error: unknown, path?: string) {
  const isOurs = error instanceof RefraktError;
  const refusal = isOurs ? error : refusalToError(error, cwd);
  const codes = ["PERMISSION_DENIED", "FILE_OPERATION_FAILED"];
  // A file that is read may have another encoding.
  if (verb === "read") codes.push("VALIDATION_ERROR");
  const isOfSystem = !isOurs && typeof fieldOf(error, "code") === "string";
  if (error instanceof FileFailure || !isOfSystem && !codes.includes(refusal?.code ?? "")) {
    return error;
  }
  const flag = refusal?.data?.["flag"];
  const failedPath = word(shownPath(cwd, path ?? pathIn(error) ?? join(cwd, "specs")));
  const reason = isRefusal(error) ? "" : ` (${brief(messageOf(error), 200)})`;
  const hint = refusal?.hint ?? "Check that the path is accessible and that the disk has space.";
  return new FileFailure(
    flag === undefined ? "FILE_OPERATION_FAILED" : "PERMISSION_DENIED",
    `Failed to ${verb} ${failedPath}. Check file permissions.${reason}`,
    {
      hint: `${hint} This step changed nothing; call ralph_status, then repeat the call.`,
      data: flag === undefined ? { path: failedPath } : { path: failedPath, flag },
      cause: error,
    },
  );
}

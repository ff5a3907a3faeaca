/**
 * What the plan plugin's errors mean. It throws plain errors with the exit code
 * of its command line, and the same number means something else in each command.
 *
 * @module
 */

import { didYouMean, type ErrorCode, messageOf, RefraktError } from "../../src/errors.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { planMissing } from "../../src/project/missing_plan.ts";
import type { PlanStore } from "./store/mod.ts";

/** The codes by command and exit code, as they are from 0.25 to 0.29. */
const CODES: Readonly<Record<string, Readonly<Record<number, ErrorCode>>>> = {
  update: { 1: "VALIDATION_ERROR", 2: "NOT_FOUND" },
  create: { 1: "VALIDATION_ERROR", 2: "INVALID_ARGS", 3: "VALIDATION_ERROR" },
};

/**
 * Makes a coded error of what a handler threw.
 *
 * @param command The command's name.
 * @param error What was thrown.
 * @param ask What the call asked for, for the hints.
 */
export function planFailure(
  command: string,
  error: unknown,
  ask: { store?: PlanStore; id?: string } = {},
): unknown {
  if (error instanceof RefraktError) return error;
  const exitCode = exitCodeOf(error);
  if (exitCode === undefined) {
    if (!isNotFound(error) || ask.store === undefined) return error;
    return planMissing({ cwd: ask.store.root, dir: ask.store.dir, cause: error });
  }
  const message = messageOf(error);
  const known = failurePattern(command, message);
  const code = known?.found.code ?? CODES[command]?.[exitCode] ?? "TOOL_FAILED";
  const hint = code === "NOT_FOUND" && ask.id !== undefined && ask.store !== undefined
    ? unknownIdHint(ask.store, ask.id)
    : known?.found.hint(known.match) ?? "Mend the arguments and call again; nothing was written.";
  return new RefraktError(code, message, { hint, cause: error });
}

/** The exit code that the plugin gives an error, where it does. */
export function exitCodeOf(error: unknown): number | undefined {
  return error instanceof Error && "exitCode" in error && typeof error.exitCode === "number"
    ? error.exitCode
    : undefined;
}

/** One of the plugin's sentences, which it gives no code of its own. */
export interface FailurePattern {
  /** The commands that say it. */
  readonly commands: readonly string[];
  /** How it begins or what it holds. */
  readonly pattern: RegExp;
  /** The code, where the exit code of the command says another. */
  readonly code?: ErrorCode;
  /** What to do, from the parts of the sentence. */
  readonly hint: (match: RegExpExecArray) => string;
}

/**
 * The sentences that decide about a code or a hint. They are those of 0.25 to 0.29; a test
 * holds them to the installed plugin. Any other sentence gets the code of its exit code.
 */
export const FAILURE_PATTERNS: readonly FailurePattern[] = [
  {
    commands: ["update", "create"],
    pattern: /Valid(?: types)?: (.+)$/,
    code: "VALIDATION_ERROR",
    hint: (match) => `Use one of: ${match[1]}.`,
  },
  {
    commands: ["create"],
    pattern: /^Cannot (?:set|change) the "\w+" attribute/,
    code: "VALIDATION_ERROR",
    hint: () => 'Give the id as "id", not among the attributes.',
  },
  {
    commands: ["create"],
    pattern: /already exists/i,
    hint: () => "Leave id out to get the next free one, or update the entity that is there.",
  },
];

/** The pattern that a sentence of a command fits. */
export function failurePattern(
  command: string,
  message: string,
): { readonly found: FailurePattern; readonly match: RegExpExecArray } | undefined {
  for (const found of FAILURE_PATTERNS) {
    const match = found.commands.includes(command) ? found.pattern.exec(message) : null;
    if (match !== null) return { found, match };
  }
  return undefined;
}

/** The hint for an id that is not in the plan: the nearest ones, and where to see all. */
export function unknownIdHint(store: PlanStore, id: string): string {
  const further = store.furtherIn(id);
  if (further !== undefined) return `${further}.`;
  const ids = store.known().flatMap((entity) => entity.id ?? []);
  const unread = store.unreadable();
  const missing = unread.length === 0 ? "" : ` Not everything could be read: ${few(unread)}`;
  return `${didYouMean(id, ids)} plan.list finds every id.${missing}`.trim();
}

/** The first of several sentences, and how many there are. */
export function few(sentences: readonly string[], most = 3): string {
  const rest = sentences.length - most;
  return sentences.slice(0, most).join("; ") + (rest > 0 ? `; and ${rest} more.` : ".");
}

/** The error for an id that is not in the plan. */
export function unknownEntity(store: PlanStore, id: string): RefraktError {
  return new RefraktError("NOT_FOUND", `Entity not found: ${id}`, {
    hint: unknownIdHint(store, id),
  });
}

/**
 * One family of errors for the whole server: a stable code, a message that says
 * what is wrong, and a hint that says what to do next.
 *
 * @module
 */

/** What each stable error code means; the source of `docs/errors.md`. */
export const ERROR_CODES = {
  NOT_FOUND: "The thing named (entity, rune, resource, tool) does not exist.",
  VALIDATION_ERROR:
    "A value is well formed but not allowed here, such as a status that the type lacks.",
  INVALID_ARGS: "The arguments do not fit the tool's schema.",
  PLAN_DIR_MISSING: "The project has no plan directory.",
  SITE_CONFIG_MISSING: "No site is declared in refrakt.config.json.",
  SITE_AMBIGUOUS: "Several sites are declared, and the call named none.",
  SITE_UNKNOWN: "The site that the call named is not declared.",
  PERMISSION_DENIED: "The sandbox refused: a grant is missing, or a path leads out of the project.",
  PLUGIN_LOAD_FAILED: "A package of the project could not be loaded.",
  CONFIG_INVALID: "refrakt.config.json cannot be read or does not say what it must.",
  TOOL_FAILED: "The tool failed for a reason of its own; the message has it.",
  RESOURCE_FAILED: "The resource could not be read.",
  TIMEOUT: "The work was stopped because it took too long or was cancelled.",
  SPEC_NOT_FOUND: "No Ralph spec has that name.",
  INVALID_STATE: "The state file of a Ralph spec is missing or cannot be read.",
  MISSING_PREREQUISITES:
    "Something that must exist first does not: a current spec, tasks, a ticked task.",
  PHASE_MISMATCH: "The Ralph spec is in another phase than the call needs.",
  FILE_OPERATION_FAILED: "A file could not be read, written or removed.",
} as const satisfies Record<string, string>;

/** A stable, machine-readable error code; see {@linkcode ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * An error that an agent can act on.
 *
 * @example
 * ```ts
 * import { RefraktError } from "./errors.ts";
 *
 * const error = new RefraktError("NOT_FOUND", 'Entity not found: "WORK-9"', {
 *   hint: "Call plan.status to see what exists.",
 * });
 * console.assert(error.code === "NOT_FOUND");
 * ```
 */
export class RefraktError extends Error {
  /** The stable code. */
  readonly code: ErrorCode;
  /** The next reasonable action, or `undefined` where the message says it all. */
  readonly hint: string | undefined;
  /** Extra facts for programs, such as the valid values. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  /**
   * Makes the error.
   *
   * @param code The stable code.
   * @param message What is wrong, without a final period.
   * @param options The hint, extra data and the cause.
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; data?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "RefraktError";
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
  }
}

/** The message of anything that can be thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === "string") return thrown;
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}

/**
 * The candidates nearest to what was asked for, best first: containing it, or
 * within a small edit distance.
 *
 * @param wanted What the caller wrote.
 * @param candidates The valid names.
 * @param most How many to return at the most.
 */
export function nearest(wanted: string, candidates: Iterable<string>, most = 3): string[] {
  const needle = wanted.toLowerCase().slice(0, 128);
  if (needle === "") return [];
  const scored: { name: string; score: number }[] = [];
  for (const name of candidates) {
    const hay = name.toLowerCase();
    const distance = editDistance(needle, hay);
    const limit = Math.min(8, Math.max(2, Math.floor(needle.length / 3)));
    if (distance <= limit) scored.push({ name, score: distance });
    else if (
      needle.length >= 3 && (hay.includes(needle) || needle.includes(hay) && hay.length >= 3)
    ) {
      scored.push({ name, score: limit + Math.abs(hay.length - needle.length) });
    }
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map((entry) => entry.name);
}

/** "Did you mean …?" for the nearest candidates, or an empty string. */
export function didYouMean(wanted: string, candidates: Iterable<string>): string {
  const names = nearest(wanted, candidates);
  return names.length === 0 ? "" : `Did you mean ${names.map((name) => `"${name}"`).join(" or ")}?`;
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 24) return 24;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + change);
    }
    previous = row;
  }
  return previous[b.length]!;
}

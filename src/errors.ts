/**
 * One family of errors for the whole server: a stable code, a message that says
 * what is wrong, and a hint that says what to do next.
 *
 * @module
 */

import { withEscapes } from "./plain_text.ts";

/** What each stable error code means; the source of `docs/errors.md`. */
export const ERROR_CODES = {
  NOT_FOUND: "The thing named (entity, rune, resource, tool) does not exist.",
  VALIDATION_ERROR:
    "A value is well formed but not allowed here, such as a status that the type lacks.",
  CONFLICT:
    "The file changes at each try, has conflict markers, or shares its id: nothing was written.",
  INVALID_ARGS: "The arguments do not fit the tool's schema.",
  PLAN_DIR_MISSING: "The project has no plan directory.",
  SITE_CONFIG_MISSING: "No site is declared in refrakt.config.json.",
  SITE_AMBIGUOUS: "Several sites are declared, and the call named none.",
  SITE_UNKNOWN: "The site that the call named is not declared.",
  PERMISSION_DENIED: "The sandbox refused: a grant is missing, or a path leads out of the project.",
  PLUGIN_LOAD_FAILED: "A package of the project could not be loaded.",
  CODE_NOT_TRUSTED:
    "Code of the project was not loaded, because it may be anybody's; the hint has two ways.",
  CONFIG_INVALID: "refrakt.config.json cannot be read or does not say what it must.",
  TOOL_FAILED: "The tool failed for a reason of its own; the message has it.",
  RESOURCE_FAILED: "The resource could not be read.",
  TIMEOUT: "The work was stopped because it took too long or was cancelled.",
  MEMORY_LIMIT: "Code of the project was stopped because it took too much memory.",
  SPEC_NOT_FOUND: "No Ralph spec has that name.",
  INVALID_STATE: "The state file of a Ralph spec is missing or cannot be read.",
  MISSING_PREREQUISITES:
    "Something that must exist first does not: a current spec, tasks, a ticked task.",
  PHASE_MISMATCH: "The Ralph spec is in another phase than the call needs.",
  FILE_OPERATION_FAILED: "A file could not be read, written or removed.",
} as const satisfies Record<string, string>;

/** A stable, machine-readable error code; see {@linkcode ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What each warning code means: something is wrong, but the server goes on. */
export const WARNING_CODES = {
  CONFIG_INVALID: "A part of refrakt.config.json is not what it must be, and is left out.",
  FOLDER_UNREADABLE:
    "A folder of the project is there and cannot be read; what needs it is missing.",
  PLUGIN_LOAD_FAILED: "A package of the project could not be loaded, so its tools are missing.",
  PLUGIN_MALFORMED:
    "A plugin, or one of its commands, does not keep the contract, and is left out.",
  PLUGINS_LOADING: "Plugins are still being loaded; a call of one of their tools waits for them.",
  CODE_NOT_TRUSTED:
    "Code of the project was left out, because it may be anybody's; the hint has two ways to have it.",
  NAMESPACE_RESERVED: "A plugin has a namespace that belongs to another package, and is left out.",
  NAMESPACE_CLASH: "Two plugins have the same namespace; the first one stays.",
  NAME_CLASH: "Two tools, resources or prompts have the same name; the first one stays.",
  SCHEMA_INVALID:
    "A tool's schema cannot be checked: with such an input schema the tool is left out.",
  TOOL_NAME_INVALID: "A tool has a name that clients refuse, and is left out.",
  PLUGIN_UNFAMILIAR:
    "A plugin is not as in the versions that the server knows; the message says what follows.",
  LAUNCH_MODE: "The server was started in a way that does not take the project's own packages.",
  SITE_BROKEN: "A package that a site needs could not be loaded.",
} as const satisfies Record<string, string>;

/** A stable, machine-readable code of a warning; see {@linkcode WARNING_CODES}. */
export type WarningCode = keyof typeof WARNING_CODES;

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
    super(
      withEscapes(message),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "RefraktError";
    this.code = code;
    this.hint = options.hint === undefined ? undefined : withEscapes(options.hint);
    this.data = options.data;
  }
}

/** Whether a value is one of the codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}

/** What was thrown as an error: itself where it is one. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
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

/** "Did you mean …?" for the one candidate that is nearest, or an empty string. */
export function suggestion(wanted: string, candidates: Iterable<string>): string {
  const [name] = nearest(wanted, candidates, 1);
  return name === undefined ? "" : `Did you mean "${name}"?`;
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

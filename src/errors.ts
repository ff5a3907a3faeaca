/**
 * The errors of the server: a stable code, a message with what is wrong, and a hint with the next
 * action.
 */

/** The meaning of each error code; the source of `docs/errors.md`. */
export const ERROR_CODES = {
  NOT_FOUND: "The named entity, rune, resource or tool does not exist.",
  VALIDATION_ERROR: "A value is not allowed, such as a status that the type does not have.",
  CONFLICT:
    "The entity or file has changed, has conflict markers, or shares its id. Nothing was written.",
  UNDO_EXPIRED: "The token of an undo is unknown, used, or of another start of the server.",
  INVALID_ARGS: "The arguments do not match the tool's schema.",
  UNKNOWN_ELSEWHERE:
    "Git could not tell what is taken on branches and in worktrees. Nothing was written.",
  REMOTE_UNREACHABLE: "The remote that confirms claims did not answer. Nothing was written.",
  REMOTE_DENIED: "The remote refused the request; data has its words. Nothing was written.",
  PLAN_DIR_MISSING: "The project has no plan directory.",
  SITE_CONFIG_MISSING: "No site is declared in refrakt.config.json.",
  SITE_AMBIGUOUS: "Several sites are declared, and the call did not name one.",
  SITE_UNKNOWN: "The named site is not declared.",
  PERMISSION_DENIED: "A permission is missing, or a path leads out of the project.",
  PLUGIN_LOAD_FAILED: "A package of the project could not be loaded.",
  CODE_NOT_TRUSTED: "Code from the repository was not loaded; the hint says how to allow it.",
  CONFIG_INVALID: "refrakt.config.json is unreadable or invalid.",
  TOOL_FAILED: "The tool failed; the message says why.",
  RESOURCE_FAILED: "The resource could not be read.",
  TIMEOUT: "The call took too long or was cancelled.",
  SPEC_NOT_FOUND: "No Ralph spec has that name.",
  INVALID_STATE: "The state file of a Ralph spec is missing or unreadable.",
  MISSING_PREREQUISITES: "An earlier step is missing: a current spec, tasks, or a ticked task.",
  PHASE_MISMATCH: "The Ralph spec is not in the phase that the call requires.",
  FILE_OPERATION_FAILED: "A file could not be read, written or removed.",
} as const satisfies Record<string, string>;

/** A stable error code; see {@linkcode ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The meaning of each warning code: the server continues despite the problem. */
export const WARNING_CODES = {
  CONFIG_INVALID: "Part of refrakt.config.json is invalid and was skipped.",
  PATH_MISSING: "A folder that the configuration names does not exist; the hint names one like it.",
  FOLDER_UNREADABLE: "A folder of the project is unreadable; what depends on it is missing.",
  PLUGIN_LOAD_FAILED: "A package of the project could not be loaded, so its tools are missing.",
  PLUGIN_MALFORMED: "A plugin or one of its commands is malformed and was skipped.",
  PLUGINS_LOADING: "Plugins are still loading; calls to their tools wait.",
  CODE_NOT_TRUSTED: "Code from the repository was skipped; the hint says how to allow it.",
  NAMESPACE_RESERVED: "A plugin uses a namespace that belongs to another package, and was skipped.",
  NAMESPACE_CLASH: "Two plugins have the same namespace; the first one is used.",
  NAME_CLASH: "Two tools, resources or prompts have the same name; the first one is used.",
  SCHEMA_INVALID: "A tool's schema is invalid; a tool with an invalid input schema is skipped.",
  TOOL_NAME_INVALID: "A tool has a name that clients reject, and was skipped.",
  PLUGIN_UNFAMILIAR:
    "A plugin differs from the versions that the server knows; the message says how.",
  SITE_BROKEN: "A package that a site needs could not be loaded.",
} as const satisfies Record<string, string>;

/** A stable warning code; see {@linkcode WARNING_CODES}. */
export type WarningCode = keyof typeof WARNING_CODES;

/**
 * An error that an agent can act on.
 *
 * @example
 * ```ts
 * // deno run example.ts
 * import { RefraktError } from "jsr:@refrakt/mcp/plugin";
 *
 * const error = new RefraktError("NOT_FOUND", 'Entity not found: "WORK-9"', {
 *   hint: "Call plan_status to see what exists.",
 * });
 * console.assert(error.code === "NOT_FOUND");
 * ```
 */
export class RefraktError extends Error {
  /** The stable code. */
  readonly code: ErrorCode;
  /** The next action, if the message does not say it. */
  readonly hint: string | undefined;
  /** Additional data for programs, such as the valid values. */
  readonly data: Readonly<Record<string, unknown>> | undefined;

  /**
   * Creates an error.
   *
   * @param code The stable code.
   * @param message What is wrong, without a final period.
   * @param options The hint, additional data and the cause.
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: Partial<Pick<RefraktError, "hint" | "data" | "cause">> = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "RefraktError";
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
  }
}

/** Runs work at once; the returned function gives its result, or throws its error. */
export function settled<Value>(work: () => Promise<Value>): Promise<() => Value> {
  return work().then((value) => () => value, (error) => () => {
    throw error;
  });
}

/** Runs all works and collects their errors; errors without a code are thrown. */
export function errorsIn(works: Iterable<() => unknown>): RefraktError[] {
  const errors: RefraktError[] = [];
  for (const work of works) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RefraktError)) throw error;
      errors.push(error);
    }
  }
  return errors;
}

/** Maximum number of errors whose messages are joined. */
const MOST_JOINED = 20;

/** Throws several errors as one, with the code of the first. */
export function throwJoined(errors: readonly RefraktError[], separator = "; "): void {
  const [first, ...others] = errors;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const messages = [...new Set(errors.map(({ message }) => message))];
  const more = messages.length - MOST_JOINED;
  const shown = messages.slice(0, MOST_JOINED).concat(more > 0 ? `and ${more} more` : []);
  const sentences = errors.flatMap(({ hint = "" }) => hint.split(/(?<=\.) /)).filter(Boolean);
  throw new RefraktError(first.code, shown.join(separator), {
    hint: [...new Set(sentences)].slice(0, MOST_JOINED).join(" "),
    cause: first,
  });
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(ERROR_CODES, value);
}

/** What system error codes mean. */
const SYSTEM: Readonly<Record<string, string>> = {
  EACCES: "Access was refused",
  EADDRINUSE: "The address is in use",
  EADDRNOTAVAIL: "The address is not one of this machine",
  EBUSY: "Another program uses the file",
  ECONNREFUSED: "Nothing answers at the address",
  EEXIST: "It exists already",
  EISDIR: "It is a folder",
  ELOOP: "Its links lead in a circle",
  EMFILE: "Too many files are open",
  ENAMETOOLONG: "A name is too long",
  ENOENT: "A file or folder is missing",
  ENOSPC: "The disk is full",
  ENOTDIR: "A part of the path is no folder",
  ENOTEMPTY: "The folder is not empty",
  EPERM: "Access was refused",
  EROFS: "The disk is read-only",
};
/** System errors that packages quote in their messages. */
const QUOTED = new RegExp(
  String.raw`[^:\n]{0,80}\(os error \d+\)(?:: \w+ '[^'\n]*')?|\b(?:${
    Object.keys(SYSTEM).join("|")
  }): [^\n]*`,
  "g",
);
/** The most characters of a package's message. */
const MOST_SAID = 20_000;
/** The codes of failed imports. */
const IMPORT = /^ERR_(?:MODULE|PACKAGE|UNSUPPORTED|UNKNOWN_FILE|INVALID_(?:MODULE|PACKAGE))/;

/**
 * Describes any thrown value. Errors of the system, Deno and npm are reworded, because they may
 * quote secrets and paths; messages of packages stay, without system errors that they quote.
 */
export function messageOf(thrown: unknown): string {
  const raw = rawMessage(thrown);
  if (thrown instanceof RefraktError || !(thrown instanceof Error)) return raw;
  const code = "code" in thrown ? String(thrown.code) : "";
  if (thrown instanceof TypeError && IMPORT.test(code)) return importSentence(raw);
  if (thrown.name === "NotCapable") return "A permission of Deno is missing";
  const isOfDeno = Object.values<unknown>(Deno.errors).includes(thrown.constructor);
  const isSystem = "errno" in thrown || code in SYSTEM || isOfDeno;
  if (!isSystem) {
    const short = withoutCredentials(raw.slice(0, MOST_SAID));
    return short.replaceAll(QUOTED, " the system refused").trim();
  }
  const name = pathIn(thrown)?.split(/[\\/]/).at(-1);
  return (SYSTEM[code] ?? "The system refused") + (name ? `: ${JSON.stringify(name)}` : "");
}

/** A failed import: where a module has a mistake, or which one is missing. */
function importSentence(raw: string): string {
  const [, mistake, line, column] = /^SyntaxError: ([^\n]*)[^]*:(\d+):(\d+)$/.exec(raw) ?? [];
  if (mistake !== undefined) return `Line ${line}, column ${column}: ${mistake}`;
  const [, specifier, other] = /(?:module|load) '([^']*)'|not found "([^"]*)"/.exec(raw) ?? [];
  const name = (specifier ?? other)?.split("/").at(-1);
  return name
    ? `The module ${JSON.stringify(name)} was not found`
    : "Deno could not import one of its modules";
}

/** Removes credentials from URLs, as of a registry. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/:\/\/[^/\s"']*@/g, "://");
}

/** The path that an error of the system is about. */
export function pathIn(error: unknown): string | undefined {
  const errorPath = error instanceof Error && "path" in error ? error.path : undefined;
  const path = typeof errorPath === "string"
    ? errorPath
    : /[:,] \w+ '([^'\n]*)'/.exec(rawMessage(error))?.[1];
  return path && finalName(path);
}

/** The path of the file that a temporary one is written for, which callers know. */
export function finalName(path: string): string {
  return path.replace(/\.([^\\/]+)\.[0-9a-f]{8}\.tmp$/, "$1");
}

/** The original message of any thrown value, to be compared and never shown. */
export function rawMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === "string") return thrown;
  return orElse(() => JSON.stringify(thrown), undefined) ?? String(thrown);
}

/**
 * Does work that an answer can do without.
 *
 * @param otherwise Replaces its result after an error with a code; others are thrown, and so is
 * that of a cancelled call.
 */
export async function orOtherwise<Value, Other>(
  signal: AbortSignal,
  work: () => Promise<Value>,
  otherwise: (error: RefraktError) => Other,
): Promise<Value | Other> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof RefraktError)) throw error;
    return otherwise(error);
  }
}

/**
 * Returns the candidates nearest to `wanted`, best first: those within a small edit distance, and
 * those that contain it, or that it contains, from the start of a word.
 */
export function nearestNames(wanted: string, candidates: Iterable<string>, most = 3): string[] {
  const needle = wanted.toLowerCase().slice(0, 128);
  if (needle === "") return [];
  const limit = Math.min(8, Math.max(1, Math.floor(needle.length / 3)));
  const scored: { name: string; score: number }[] = [];
  for (const name of new Set(candidates)) {
    const hay = name.toLowerCase();
    const distance = editDistance(needle, hay, limit);
    // Short names that differ in most letters are different names.
    const isNear = distance <= limit && Math.max(needle.length, hay.length) - distance >= 2;
    if (isNear) scored.push({ name, score: distance });
    else if (hasWord(hay, needle) || hasWord(needle, hay)) {
      scored.push({ name, score: limit + Math.abs(hay.length - needle.length) });
    }
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map((entry) => entry.name);
}

/** "Did you mean …?" for the nearest candidates, or an empty string. */
export function didYouMean(wanted: string, candidates: Iterable<string>, most?: number): string {
  const names = nearestNames(wanted, candidates, most);
  return names.length === 0
    ? ""
    : `Did you mean ${names.map((name) => JSON.stringify(name.slice(0, 200))).join(" or ")}?`;
}

/** "Did you mean …?" for the one candidate that is nearest, or an empty string. */
export function suggestion(wanted: string, candidates: Iterable<string>): string {
  return didYouMean(wanted, candidates, 1);
}

/** Whether a text contains a part of at least three characters from the start of a word. */
function hasWord(text: string, part: string): boolean {
  // Few texts contain it at all: a pattern for each of many would take seconds.
  if (part.length < 3 || !text.includes(part)) return false;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(part)}`, "u").test(text);
}

/**
 * The number of letters to add, remove, change or swap with the next between two texts, or `limit` +
 * 1 if there are more.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + change);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    if (Math.min(...row) > limit) return limit + 1;
    [before, previous] = [previous, row];
  }
  return previous[b.length]!;
}

/** Returns the result of `work`, or `otherwise` if it throws. */
export function orElse<Value, Other = Value>(work: () => Value, otherwise: Other): Value | Other {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

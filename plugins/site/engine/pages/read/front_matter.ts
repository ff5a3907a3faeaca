/** Splits a page into front matter and content, and checks the fields. */

import type { Place } from "../../../../../src/markdoc/edits.ts";
import { countAndLimit, quotedName, shortText } from "../../../../../src/plain_text.ts";
import { messageOf, orElse } from "../../../../../src/errors.ts";
import { asObject, fieldOf, isObject } from "../../../../../src/io/json.ts";
import type { ContentModule } from "../../upstream/shapes.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import { fieldTargets } from "./link_places.ts";
import { certainName } from "./tag_pairs.ts";
import { type SiteNames, unknownName } from "./scope.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

/** The fields that the build reads, and their types. */
const FIELDS: Readonly<Record<string, "text" | "boolean" | "text or null" | readonly string[]>> = {
  title: "text",
  description: "text",
  slug: "text",
  draft: "boolean",
  redirect: "text",
  tint: "text or null",
  "tint-mode": ["auto", "light", "dark"],
  "tint-lock": "boolean",
};

/** Candidates for a misspelt field. */
const COMMON = [...Object.keys(FIELDS), "date", "order", "icon", "layout", "image", "type", "tags"];

/** Limit of the front matter, in UTF-16 units, because parsing YAML is slow. */
const LONGEST = 32 * 1024;

/** Limit of the entries, keys, tags and anchors that begin in a line: each may nest the next one. */
const MOST_MARKS = 100;
const MARK = /(?<!\S)[-?!&]\S*(?=\s)/g;

/** Limit of nested lists and maps in brackets; the stack holds some thousands. */
const MOST_BRACKETS = 100;

export function splitPage(module: ContentModule, source: string, names: SiteNames = {}) {
  const { content, frontmatter, problem } = readParts(module, source);
  const lines = linesOf(source.slice(0, source.length - content.length));
  const diagnostics = problem === undefined ? checkFields(lines, frontmatter, names) : [problem];
  return { frontmatter, content, offset: lines.length - 1, diagnostics };
}

/** Returns the content, and the front matter, which is empty if it cannot be parsed. */
function readParts(module: ContentModule, source: string): {
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly problem?: Diagnostic;
} {
  const failed = (content: string, problem: string, place: Place) => {
    const message = `The front matter ${problem}`;
    return { frontmatter: {}, content, problem: diagnostic("frontmatter-syntax", message, place) };
  };
  if (/^---\r?\n/.test(source) && !/^---\r?\n(?:[\s\S]*?\r?\n)?---/.test(source)) {
    return failed(source, "is not closed: add a line with ---", { line: 1, column: 1 });
  }
  try {
    if (source.startsWith("---")) {
      requireLimits(source.slice(0, Math.max(source.indexOf("\n---", 3), 0)));
    }
    const { content, frontmatter } = module.parseFrontmatter(source);
    if (orElse(() => JSON.stringify(frontmatter), undefined) === undefined) {
      throw new Error("an alias is within its own anchor");
    }
    if (isObject(frontmatter)) return { frontmatter, content };
    const problem = "must be fields with values, such as title: Welcome";
    return failed(content, problem, { line: 2, column: 1 });
  } catch (error) {
    const end = /\r?\n---\r?\n?/.exec(source.slice(3));
    const content = end === null ? "" : source.slice(3 + end.index + end[0].length);
    const { line = 1, col = 1 } = asObject(fieldOf(fieldOf(error, "linePos"), "0"));
    const reason = messageOf(error).split("\n")[0]!.replace(/ at line .*$/, "");
    const place = startOfProblem(linesOf(source), Number(line) + 1, Number(col));
    return failed(content, `is not YAML: ${reason}`, place);
  }
}

function requireLimits(yaml: string): void {
  if (yaml.length > LONGEST) {
    throw new Error(`it has ${yaml.length} characters, at most ${LONGEST}`);
  }
  // Brackets in texts count, too.
  let [level, deepest] = [0, 0];
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    level = Math.max(0, level + (bracket === "[" || bracket === "{" ? 1 : -1));
    deepest = Math.max(deepest, level);
  }
  if (deepest > MOST_BRACKETS) {
    throw new Error(`it has ${countAndLimit(deepest, "levels of brackets", MOST_BRACKETS)}`);
  }
  const most = Math.max(...yaml.split("\n").map((line) => line.match(MARK)?.length ?? 0));
  if (most > MOST_MARKS) {
    throw new Error(`a line begins ${most} entries, tags and anchors, at most ${MOST_MARKS}`);
  }
}

/** YAML reports an unclosed list or text after its line; returns where it opens. */
function startOfProblem(lines: readonly string[], line: number, column: number): Place {
  for (let at = Math.min(line, lines.length); at > 1; at--) {
    const [, before] = /^(\s*(?:-\s+)?(?:[\w-]+:\s*|(?<=-\s+)))(?:\[[^\]]*|\{[^}]*|"[^"]*|'[^']*)$/
      .exec(lines[at - 1]!) ?? [];
    if (before !== undefined) return { line: at, column: before.length + 1 };
  }
  return { line, column };
}

function lineOfField(lines: readonly string[], name: string): number {
  const written = [`${name}:`, `"${name}"`, `'${name}'`];
  return Math.max(lines.findIndex((line) => written.some((each) => line.startsWith(each))), 1);
}

/** The place of a field in the front matter of a page. */
export function fieldPlace({ source }: { readonly source: string }, name: string): Place {
  return { line: lineOfField(linesOf(source), name) + 1, column: 1 };
}

function checkFields(
  lines: readonly string[],
  fields: Readonly<Record<string, unknown>>,
  names: SiteNames,
): Diagnostic[] {
  return Object.entries(fields).flatMap(([name, value]): Diagnostic[] => {
    const place = { line: lineOfField(lines, name) + 1, column: 1 };
    if ((name === "layout" || name === "tint") && typeof value === "string") {
      const written = fieldTargets(lines).find(({ line }) => line === place.line);
      const edit = written && { ...written, length: written.target.length };
      const unknown = unknownName(name, value, names, place, edit);
      if (unknown.length > 0) return unknown;
    }
    if (DATES.has(name)) {
      const message = `${quotedName(name)} is not a date: ${displayValue(value)}`;
      return value === null || isDate(value) ? [] : [diagnostic("date-invalid", message, place)];
    }
    const wanted = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (wanted !== undefined) {
      const must = typeof wanted === "string" ? wanted : `one of ${wanted.join(", ")}`;
      const message = `${quotedName(name)} must be ${must}, not ${displayValue(value)}`;
      return value === null || fits(value, wanted)
        ? []
        : [diagnostic("frontmatter-value", message, place)];
    }
    // Other fields are the author's own, so a similar name is only suggested.
    const near = misspelt(name, fields);
    if (near === undefined) return [];
    const difference = `${quotedName(name)}; it reads ${quotedName(near)}`;
    const message = `The build does not read the field ${difference}`;
    return [{ ...diagnostic("frontmatter-value", message, place), severity: "hint" }];
  });
}

const DATES = new Set(["date", "created", "modified", "updated", "published"]);

function isDate(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  // YAML reads a year as a number.
  if (typeof value === "number") return value >= 1000 && value <= 9999;
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) && !isImpossible(value);
}

/** Whether a text looks like a date that does not exist, such as `2024-02-31`. */
export function isImpossible(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:$|[T ])/.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 !== Number(month) || date.getUTCDate() !== Number(day);
}

/** The common field that is meant. */
function misspelt(name: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  if (name.length <= 3 || COMMON.includes(name)) return undefined;
  return certainName(
    name,
    COMMON.filter((each) => each.length > 3 && !Object.hasOwn(fields, each)),
  );
}

function fits(value: unknown, wanted: (typeof FIELDS)[string]): boolean {
  if (typeof wanted !== "string") return wanted.includes(String(value));
  return wanted === "boolean" ? typeof value === "boolean" : typeof value === "string";
}

function displayValue(value: unknown): string {
  return shortText(value instanceof Date ? value.toISOString() : JSON.stringify(value), 60);
}

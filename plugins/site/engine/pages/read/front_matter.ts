/** Splits a page into front matter and content, and checks the fields. */

import type { Edit, Place } from "../../../../../src/markdoc/edits.ts";
import { countAndLimit, quotedName, shortText } from "../../../../../src/plain_text.ts";
import { messageOf, orElse } from "../../../../../src/errors.ts";
import { asObject, fieldOf, isObject } from "../../../../../src/io/json.ts";
import type { ContentModule } from "../../upstream/shapes.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";
import { certainName } from "./tag_pairs.ts";
import type { SiteNames } from "./scope.ts";
import { isImpossible, unknownName } from "./tag_values.ts";
import { linesOf } from "../../../../../src/markdoc/lines.ts";

export interface PageParts {
  /** Empty if the front matter cannot be parsed. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly offset: number;
  readonly diagnostics: readonly Diagnostic[];
}

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

/** The same for lists and maps in brackets; the stack holds some thousands. */
const MOST_LEVELS = 100;

export function splitPage(
  module: ContentModule,
  source: string,
  names: SiteNames = {},
): PageParts {
  const parts = (
    content: string,
    problem: string | undefined,
    place: Place,
    frontmatter: Readonly<Record<string, unknown>> = {},
  ): PageParts => {
    const before = source.slice(0, source.length - content.length);
    return {
      frontmatter,
      content,
      offset: linesOf(before).length - 1,
      diagnostics: problem === undefined
        ? checkFields(before, frontmatter, names)
        : [diagnostic("frontmatter-syntax", `The front matter ${problem}`, place)],
    };
  };
  const start = { line: 1, column: 1 };
  if (/^---\r?\n/.test(source) && !/^---\r?\n(?:[\s\S]*?\r?\n)?---/.test(source)) {
    return parts(source, "is not closed: add a line with ---", start);
  }
  try {
    const end = source.indexOf("\n---", 3);
    if (source.startsWith("---") && end > LONGEST) {
      throw new Error(`it has ${end} characters, at most ${LONGEST}`);
    }
    const yaml = source.startsWith("---") ? source.slice(0, Math.max(end, 0)) : "";
    const levels = levelsOf(yaml);
    if (levels > MOST_LEVELS) {
      throw new Error(`it has ${countAndLimit(levels, "levels of brackets", MOST_LEVELS)}`);
    }
    const marks = yaml.split("\n").map((line) => line.match(MARK)?.length ?? 0);
    const most = Math.max(0, ...marks);
    if (most > MOST_MARKS) {
      throw new Error(`a line begins ${most} entries, tags and anchors, at most ${MOST_MARKS}`);
    }
    const { content, frontmatter } = module.parseFrontmatter(source);
    if (orElse(() => JSON.stringify(frontmatter), undefined) === undefined) {
      throw new Error("an alias is within its own anchor");
    }
    return isObject(frontmatter)
      ? parts(content, undefined, start, frontmatter)
      : parts(content, "must be fields with values, such as title: Welcome", {
        line: 2,
        column: 1,
      });
  } catch (error) {
    // The content is checked even so.
    const end = /\r?\n---\r?\n?/.exec(source.slice(3));
    const content = end === null ? "" : source.slice(3 + end.index + end[0].length);
    const { line = 1, col = 1 } = asObject(fieldOf(fieldOf(error, "linePos"), "0"));
    const reason = messageOf(error).split("\n")[0]!.replace(/ at line .*$/, "");
    const place = startOfProblem(linesOf(source), Number(line) + 1, Number(col));
    return parts(content, `is not YAML: ${reason}`, place);
  }
}

/** Returns how many brackets are open at once; those in texts count, too. */
function levelsOf(yaml: string): number {
  let [level, deepest] = [0, 0];
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    level = Math.max(0, level + (bracket === "[" || bracket === "{" ? 1 : -1));
    deepest = Math.max(deepest, level);
  }
  return deepest;
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

/** The index of the line of a field. */
function lineOfField(lines: readonly string[], name: string): number {
  const written = [`${name}:`, `"${name}"`, `'${name}'`];
  return Math.max(lines.findIndex((line) => written.some((each) => line.startsWith(each))), 1);
}

/** The place of a field in the front matter of a page. */
export function fieldPlace({ source }: { readonly source: string }, name: string): Place {
  return { line: lineOfField(linesOf(source), name) + 1, column: 1 };
}

function checkFields(
  source: string,
  fields: Readonly<Record<string, unknown>>,
  names: SiteNames,
): Diagnostic[] {
  const lines = linesOf(source);
  const findings: Diagnostic[] = [];
  const lineOf = (name: string) => lineOfField(lines, name);
  /** The value of a field on one line, without its quotes. */
  const valueOf = (name: string): Edit | undefined => {
    const line = lineOf(name);
    const [, before, text] = /^(\S+:\s+)(?:"([^"]*)"|'([^']*)'|([^\s#"'][^#"']*?))\s*$/
      .exec(lines[line] ?? "")?.filter((part) => part !== undefined) ?? [];
    if (before === undefined || text === undefined) return undefined;
    const quote = /["']/.test(lines[line]!.charAt(before.length)) ? 1 : 0;
    return { line: line + 1, column: before.length + quote + 1, length: text.length, text };
  };
  for (const [name, value] of Object.entries(fields)) {
    const place = { line: lineOf(name) + 1, column: 1 };
    const kind = name === "layout" || name === "tint" ? name : undefined;
    if (kind !== undefined && typeof value === "string") {
      const unknown = unknownName(kind, value, names, place, () => valueOf(name));
      findings.push(...unknown);
      if (unknown.length > 0) continue;
    }
    if (DATES.has(name) && value !== null && !isDate(value)) {
      findings.push(
        diagnostic(
          "date-invalid",
          `${quotedName(name)} is not a date: ${displayValue(value)}`,
          place,
        ),
      );
    }
    const wanted = Object.hasOwn(FIELDS, name) ? FIELDS[name]! : undefined;
    if (wanted === undefined) {
      // A field that the build does not read is the author's own: it may be meant, and stays.
      const near = COMMON.includes(name)
        ? undefined
        : misspelt(name, COMMON.filter((field) => !Object.hasOwn(fields, field)));
      if (near !== undefined) {
        const message = `The build does not read the field ${quotedName(name)}; it reads ${
          quotedName(near)
        }`;
        findings.push({ ...diagnostic("frontmatter-value", message, place), severity: "hint" });
      }
      continue;
    }
    if (value === null || value === undefined || fits(value, wanted)) continue;
    const must = typeof wanted === "string" ? wanted : `one of ${wanted.join(", ")}`;
    findings.push(
      diagnostic(
        "frontmatter-value",
        `${quotedName(name)} must be ${must}, not ${displayValue(value)}`,
        place,
      ),
    );
  }
  return findings;
}

const DATES = new Set(["date", "created", "modified", "updated", "published"]);

function isDate(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  // YAML reads a year as a number.
  if (typeof value === "number") return value >= 1000 && value <= 9999;
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) && !isImpossible(value);
}

function misspelt(name: string, names: readonly string[]): string | undefined {
  return name.length > 3
    ? certainName(name, names.filter((candidate) => candidate.length > 3))
    : undefined;
}

function fits(value: unknown, wanted: (typeof FIELDS)[string]): boolean {
  if (wanted === "boolean") return typeof value === "boolean";
  if (typeof wanted === "string") return typeof value === "string";
  return wanted.includes(String(value));
}

function displayValue(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : JSON.stringify(value) ?? String(value);
  return shortText(text, 60);
}

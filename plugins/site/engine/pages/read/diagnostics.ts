/** The findings about pages: their codes, places and corrections, and their groups in a list. */

import * as z from "zod";
import { quotedIfSpaced } from "../../../../../src/plain_text.ts";
import type { Edit, Place } from "../../../../../src/markdoc/edits.ts";

/** An error breaks the page or a link; a hint needs the build to decide. */
export const SEVERITIES = ["error", "warning", "hint"] as const;

export type Severity = (typeof SEVERITIES)[number];

/** The codes of findings with their severity and meaning. */
export const DIAGNOSTIC_CODES = {
  "package-skipped": [
    "warning",
    "Code of the site was not loaded: what it may explain, such as unknown runes, is a hint.",
  ],
  "rune-unknown": ["error", "No rune of the site has this name."],
  "rune-unclosed": ["error", "A rune is opened and not closed, or closed and not opened."],
  "rune-placement": ["error", "The parent does not accept this rune or element."],
  "attribute-unknown": ["error", "The rune has no attribute of this name."],
  "attribute-value": ["error", "The attribute does not accept this value."],
  "attribute-type": ["error", "The value of the attribute has the wrong type."],
  "attribute-missing": ["error", "A required attribute is missing."],
  "function-unknown": ["error", "No function has this name, or its arguments are wrong."],
  "variable-unknown": ["warning", "No variable of the page has this name; the build may pass it."],
  "partial-missing": ["error", "The partial is not in _partials or a file root."],
  "partial-cycle": ["error", "The partial includes itself, directly or through others."],
  "icon-unknown": ["warning", "Neither the theme nor the site has an icon of this name."],
  "tint-unknown": ["warning", "Neither the theme nor the site has a tint of this name."],
  "background-unknown": ["warning", "Neither the theme nor the site has this background."],
  "layout-unknown": ["error", "The theme has no layout of this name."],
  "sandbox-missing": ["error", "The examples folder does not contain the sandbox's source."],
  "date-invalid": ["warning", "The date does not exist."],
  "id-duplicate": ["warning", "Two elements of the page have the same id."],
  "syntax": ["error", "Markdoc cannot read this tag."],
  "content-missing": ["warning", "Content that the rune requires is missing."],
  "content-ignored": [
    "warning",
    "The rune ignores this content: its content model does not include it.",
  ],
  "text-lost": ["warning", "Text of the page appears nowhere in what it becomes."],
  "frontmatter-syntax": ["error", "The front matter is not YAML, or is not closed."],
  "frontmatter-value": [
    "error",
    "A field of the front matter has a value that the build cannot use.",
  ],
  "link-broken": ["error", "The link's target is not a page or a file of the site."],
  "redirect-broken": ["error", "The page redirects to nothing, to itself or in a circle."],
  "anchor-broken": ["warning", "The page has no heading with this id."],
  "image-missing": ["error", "The image is not among the files of the site."],
  "image-alt": ["warning", "The image has no alternative text."],
  "heading-second": ["warning", "The page has more than one first-level heading."],
  "heading-jump": ["warning", "The heading is more than one level below the one before it."],
  "page-empty": ["warning", "The page has no content."],
  "page-title": [
    "warning",
    "The page has neither a title in its front matter nor a first-level heading.",
  ],
  "route-duplicate": ["error", "Another page has the same address, so one of them is unreachable."],
  "notation-foreign": ["hint", "The page shows notation of another site generator as text."],
  "build-message": [
    "warning",
    "A message of the build: a reference, an entity, a file or a navigation entry was not found.",
  ],
  "render-failed": ["error", "The page could not be rendered."],
} as const satisfies Record<string, readonly [Severity, string]>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

/** Replaces `length` characters at a place, all in one line; in UTF-16 units. */
export const EDIT = z.object({
  line: z.int(),
  column: z.int(),
  length: z.int(),
  text: z.string(),
  /** The replaced text; if the place holds another one, the page was changed since. */
  old: z.string().exactOptional(),
});

/** A finding. Its code is any string here, so that lists of tools stay short. */
export const DIAGNOSTIC = z.object({
  /** From 1; absent if the finding is about the whole page. */
  line: z.int().exactOptional(),
  /** From 1. */
  column: z.int().exactOptional(),
  severity: z.enum(SEVERITIES),
  code: z.string(),
  message: z.string(),
  /** The line of the finding that this one follows from. */
  follows: z.int().exactOptional(),
  /** Present if exactly one correction is possible, in one place. */
  fix: EDIT.exactOptional(),
  /** The correction if it has several places; all or none of them. */
  edits: z.array(EDIT).exactOptional().describe("A correction in several places"),
});

export type Diagnostic = Readonly<z.infer<typeof DIAGNOSTIC>> & { readonly code: DiagnosticCode };

/** The edits of a finding; empty without a certain correction. */
export function editsOf({ fix, edits }: Pick<Diagnostic, "fix" | "edits">): readonly Edit[] {
  return edits ?? (fix === undefined ? [] : [fix]);
}

/** A finding about a page of a site. */
export interface Finding extends Diagnostic {
  /** Relative to the project. */
  readonly path: string;
}

export function diagnostic(code: DiagnosticCode, message: string, place?: Place): Diagnostic {
  return { ...place, severity: DIAGNOSTIC_CODES[code][0], code, message };
}

/** Findings about the whole page come first. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) ||
    a.code.localeCompare(b.code);
}

/** Adds a correction in one place, if there is one. */
export function withFix(
  finding: Diagnostic,
  where: Omit<Edit, "text"> | undefined,
  text: string | undefined,
): Diagnostic {
  if (where === undefined || text === undefined) return finding;
  const { line, column, length } = where;
  return { ...finding, fix: { line, column, length, text } };
}

/** Adds a correction that replaces wrong names by the intended one. */
export function withName(
  finding: Diagnostic,
  wrong: readonly { readonly name: string; readonly place: Place }[],
  text: string,
): Diagnostic {
  const edits = wrong.map(({ name, place: { line, column } }): Edit => {
    return { line, column, length: name.length, text };
  });
  return edits.length === 1 ? { ...finding, fix: edits[0]! } : { ...finding, edits };
}

/** Joins the sentences of a message, which ends without a full stop. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((sentence) => sentence !== "").join(" ").replace(/\.$/, "");
}

/** The number of lines in a message: the same mistake may be on more lines of another page. */
const LINES = / on \d+ lines(?=:)/;

/** How many places of equal findings are listed. */
const MOST_PLACES = 3;

/** Drops findings that follow from others; the message of the first one counts them. */
export function folded<Each extends Diagnostic & { readonly path?: string }>(
  findings: readonly Each[],
): Each[] {
  const keyOf = ({ path }: Each, line: number | undefined) => `${path}\0${line}`;
  const consequences = findings.filter(({ follows }) => follows !== undefined);
  const byCause = Map.groupBy(consequences, (finding) => keyOf(finding, finding.follows));
  return findings.filter(({ follows }) => follows === undefined).map((finding) => {
    const key = keyOf(finding, finding.line);
    const count = byCause.get(key)?.length;
    // The first finding of the line counts them.
    if (count === undefined || !byCause.delete(key)) return finding;
    const verb = count === 1 ? "finding follows" : "findings follow";
    return { ...finding, message: `${finding.message} (${count} ${verb} from it)` };
  });
}

/** Errors and large groups come first. */
export function groupsOf(findings: readonly Finding[]) {
  const byCode = Map.groupBy(findings, ({ code, severity }) => `${severity}:${code}`);
  const groups = [...byCode.values()].map((group) => ({
    code: group[0]!.code,
    severity: group[0]!.severity,
    count: group.length,
    files: new Set(group.map(({ path }) => path)).size,
    entries: equalFindings(group),
  }));
  // A skipped package explains others, so it comes first.
  const isSkipped = ({ code }: { readonly code: string }) => Number(code === "package-skipped");
  return groups.sort((a, b) =>
    isSkipped(b) - isSkipped(a) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.count - a.count || a.code.localeCompare(b.code)
  );
}

/** Groups findings with equal messages: a few by file, many with a number of unlisted places. */
function equalFindings(group: readonly Finding[]) {
  const byMessage = Map.groupBy(group, ({ message }) => message.replace(LINES, ""));
  return [...byMessage].flatMap(([message, findings]) => {
    const more = findings.length - MOST_PLACES;
    if (more > 0) return [{ message, findings, more }];
    const byFile = Map.groupBy(findings, ({ path }) => path);
    return Array.from(byFile.values(), (fileFindings) => {
      return { message: fileFindings[0]!.message, findings: fileFindings, more: 0 };
    });
  });
}

/** Formats findings with equal messages as a line: `path:1:2,3:4 message`. */
export function entryLine(
  { message, findings, more }: ReturnType<typeof equalFindings>[number],
): string {
  if (more === 0) {
    const [first, ...others] = findings;
    const places = others.map(({ line = 1, column = 1 }) => `${line}:${column}`);
    return `${[placeOf(first!), ...places].join(",")} ${message}`;
  }
  const places = findings.slice(0, MOST_PLACES).map(placeOf).join(", ");
  return `${findings.length} × ${message}: ${places} and ${more} more`;
}

/** Formats a place as linters do: `path:line:column`. */
export function placeOf({ path, line, column }: Pick<Finding, "path" | "line" | "column">): string {
  return `${quotedIfSpaced(path)}:${line ?? 1}:${column ?? 1}`;
}

/**
 * The front matter of a page: read as the build reads it, and what the build cannot use.
 *
 * @module
 */

import { messageOf, suggestion } from "../../../errors.ts";
import { asObject, fieldOf } from "../../../io/json.ts";
import type { ContentModule } from "../shapes.ts";
import { type Diagnostic, diagnostic } from "./diagnostics.ts";

/** A page in its two parts. */
export interface PageParts {
  /** The fields of the front matter; empty where it cannot be read. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The content below it. */
  readonly content: string;
  /** How many lines stand before the content. */
  readonly offset: number;
  /** What is wrong with the front matter. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The fields that the build looks at, and what they have to be. */
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

/** Fields that a misspelt one may have meant. */
const COMMON = [...Object.keys(FIELDS), "date", "order", "icon", "layout", "image", "type", "tags"];

/** The longest front matter, in UTF-16 units: reading YAML takes long. Real ones are a hundredth. */
const LONGEST = 32 * 1024;

/** Splits a page, and checks what stands in its front matter. */
export function splitPage(module: ContentModule, source: string): PageParts {
  if (/^---\r?\n/.test(source) && !/^---\r?\n(?:[\s\S]*?\r?\n)?---/.test(source)) {
    return {
      frontmatter: {},
      content: source,
      offset: 0,
      diagnostics: [diagnostic(
        "frontmatter-syntax",
        "The front matter is not closed: a line with --- is missing",
        { line: 1, column: 1 },
      )],
    };
  }
  let parsed;
  try {
    requireShort(source);
    parsed = module.parseFrontmatter(source);
  } catch (error) {
    return unreadable(source, error);
  }
  const { content } = parsed;
  const offset = source.slice(0, source.length - content.length).split("\n").length - 1;
  const { frontmatter } = parsed;
  if (typeof frontmatter !== "object" || frontmatter === null || Array.isArray(frontmatter)) {
    return {
      frontmatter: {},
      content,
      offset,
      diagnostics: [diagnostic(
        "frontmatter-syntax",
        "The front matter has to be fields with values, such as title: Welcome",
        { line: 2, column: 1 },
      )],
    };
  }
  const fields = asObject(frontmatter);
  return {
    frontmatter: fields,
    content,
    offset,
    diagnostics: checkFields(source.slice(0, source.length - content.length), fields),
  };
}

/** YAML that cannot be read: the content is checked all the same. */
function unreadable(source: string, error: unknown): PageParts {
  const end = /\r?\n---\r?\n?/.exec(source.slice(3));
  const cut = end === null ? source.length : 3 + end.index + end[0].length;
  const { line, col } = asObject(fieldOf(fieldOf(error, "linePos"), "0"));
  return {
    frontmatter: {},
    content: source.slice(cut),
    offset: source.slice(0, cut).split("\n").length - 1,
    diagnostics: [diagnostic(
      "frontmatter-syntax",
      `The front matter is not YAML: ${
        messageOf(error).split("\n")[0]!.replace(/ at line .*$/, "")
      }`,
      {
        line: (typeof line === "number" ? line : 1) + 1,
        column: typeof col === "number" ? col : 1,
      },
    )],
  };
}

function checkFields(source: string, fields: Readonly<Record<string, unknown>>): Diagnostic[] {
  const lines = source.split("\n");
  const found: Diagnostic[] = [];
  const placeOf = (name: string) => {
    const index = lines.findIndex((line) =>
      line.startsWith(`${name}:`) || line.startsWith(`"${name}"`)
    );
    return { line: Math.max(index, 1) + 1, column: 1 };
  };
  for (const [name, value] of Object.entries(fields)) {
    const wanted = Object.hasOwn(FIELDS, name) ? FIELDS[name]! : undefined;
    if (wanted === undefined) {
      // Pages may have fields of their own; one that is nearly a known one counts as misspelt.
      const guess = suggestion(name, COMMON.filter((known) => !Object.hasOwn(fields, known)));
      if (!COMMON.includes(name) && isMisspelt(name)) {
        found.push({
          ...diagnostic("frontmatter-value", `Unknown field "${name}". ${guess}`, placeOf(name)),
          severity: "warning",
        });
      }
      continue;
    }
    if (value === null || value === undefined || fits(value, wanted)) continue;
    const must = typeof wanted === "string" ? wanted : `one of ${wanted.join(", ")}`;
    found.push(
      diagnostic(
        "frontmatter-value",
        `"${name}" has to be ${must}, not ${shown(value)}`,
        placeOf(name),
      ),
    );
  }
  return found;
}

/** One letter too many, too few or two swapped, in a word long enough to tell. */
function isMisspelt(name: string): boolean {
  return COMMON.some((known) => known.length > 3 && known !== name && isOneEditAway(name, known));
}

function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return restA.slice(1) === restB || restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}

function fits(value: unknown, wanted: (typeof FIELDS)[string]): boolean {
  if (wanted === "boolean") return typeof value === "boolean";
  if (typeof wanted === "string") return typeof value === "string";
  return wanted.includes(String(value));
}

function shown(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** Makes sure that the front matter is not too long to be read. */
function requireShort(source: string): void {
  if (!source.startsWith("---") || source.length <= LONGEST) return;
  const end = source.indexOf("\n---", 3);
  if (end > LONGEST) throw new Error(`it has more than ${LONGEST} characters`);
}

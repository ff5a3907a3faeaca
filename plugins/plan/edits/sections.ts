/**
 * Whole sections of an entity: replaced, added where the template has them, or
 * added to.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { linesOf } from "../../../src/project/entities.ts";
import type { EditOutcome } from "../edits.ts";
import type { Outline, Section, Splice } from "../outline.ts";
import { safeText } from "../safe_text.ts";

/** Names what stands between the title and the first section. */
export const DESCRIPTION = "description";

/**
 * The order of sections by type: that of the plugin's templates, and of the sections
 * that its parser knows beside them. What is in no list comes after, and the resolution last.
 */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  work: [
    "acceptance criteria",
    "dependencies",
    "blocked by",
    "blocks",
    "approach",
    "edge cases",
    "verification",
    "references",
  ],
  bug: ["steps to reproduce", "expected", "actual", "environment"],
  decision: ["context", "options considered", "decision", "rationale", "consequences"],
  spec: ["overview"],
};

/** Replaces a section, or adds it; with an empty text it removes one. */
export function setSection(
  { heading, text }: { readonly heading: string; readonly text: string },
  source: string,
  outline: Outline,
): EditOutcome {
  const content = contentOf(heading, text);
  if (isDescription(heading, outline)) return setDescription(content, source, outline);
  const section = findSection(outline, heading);
  if (section === undefined) {
    return content === ""
      ? { splices: [], changes: [] }
      : addSection(heading, content, source, outline);
  }
  const old = source.slice(section.bodyStart, section.end);
  const change = { field: "section", old: sizeOf(section.heading, old) };
  if (content === "") {
    return {
      splices: [{ start: section.start, end: section.end, text: "" }],
      changes: [{ ...change, new: "" }],
    };
  }
  const gap = /^[ \t]*\n/.test(old) ? "\n" : "";
  return {
    splices: [{
      start: section.bodyStart,
      end: section.end,
      text: `${lineBreakAt(source, section.bodyStart)}${gap}${content}\n\n`,
    }],
    changes: [{ ...change, new: sizeOf(section.heading, content) }],
  };
}

/** Adds to the end of a section, or adds the section. */
export function appendToSection(
  { heading, text }: { readonly heading: string; readonly text: string },
  source: string,
  outline: Outline,
): EditOutcome {
  const content = contentOf(heading, text);
  if (content === "") {
    throw new RefraktError("INVALID_ARGS", `"append": nothing to add to "${heading}"`, {
      hint: "Give the text that is to be added.",
    });
  }
  const section = isDescription(heading, outline)
    ? descriptionOf(outline)
    : findSection(outline, heading);
  if (section === undefined) return addSection(heading, content, source, outline);
  const old = withoutEmptyEnd(source.slice(section.bodyStart, section.end));
  const at = section.bodyStart + old.length;
  const isList = isItem(old.slice(old.lastIndexOf("\n") + 1)) && isItem(content);
  const before = old === "" ? lineBreakAt(source, section.bodyStart) : isList ? "\n" : "\n\n";
  const after = old === "" && section.end > at ? "\n" : "";
  return {
    splices: [{ start: at, end: at, text: `${before}${content}${after}` }],
    changes: [{
      field: "section",
      old: sizeOf(section.heading, old),
      new: sizeOf(section.heading, `${old}${before}${content}`),
    }],
  };
}

/** A text without the empty lines at its end; the last line keeps its white space. */
export function withoutEmptyEnd(text: string): string {
  const { length } = text.trimEnd();
  return length === 0 ? "" : text.slice(0, length) + /^[^\n]*/.exec(text.slice(length))![0];
}

/** Replaces all that stands below the title. */
export function setBody(
  { text }: { readonly text: string },
  source: string,
  { title, bodyStart, bodyEnd }: Outline,
): EditOutcome {
  const content = safeText(text, '"body"').trim();
  refuseHeadings(content, 1, '"body" may not hold a heading of the first level: that is the title');
  const start = title === undefined ? bodyStart : afterLine(source, title.end);
  return {
    splices: [{
      start,
      end: bodyEnd,
      text: `${lineBreakAt(source, start)}\n${content}${content === "" ? "" : "\n\n"}`,
    }],
    changes: [{
      field: "body",
      old: sizeOf("", source.slice(start, bodyEnd)),
      new: sizeOf("", content),
    }],
  };
}

/** The section of a heading, in any case. */
export function findSection({ sections }: Outline, heading: string): Section | undefined {
  const wanted = keyOf(heading);
  return sections.find((section) => section.heading === heading.trim()) ??
    sections.find((section) => keyOf(section.heading) === wanted);
}

/** Adds a section before the first one that comes after it in the template's order. */
export function addSection(
  heading: string,
  content: string,
  source: string,
  { type, sections, bodyEnd }: Outline,
): EditOutcome {
  const rank = rankOf(type, heading);
  const next = sections.find((section) => rankOf(type, section.heading) > rank);
  const at = next?.start ?? bodyEnd;
  const before = at === 0 || source.slice(0, at).endsWith("\n\n")
    ? ""
    : source[at - 1] === "\n"
    ? "\n"
    : "\n\n";
  return {
    splices: [{ start: at, end: at, text: `${before}## ${heading.trim()}\n${content}\n\n` }],
    changes: [{ field: "section", old: "", new: sizeOf(heading.trim(), content) }],
  };
}

function rankOf(type: string, heading: string): number {
  const key = keyOf(heading);
  if (key === "resolution") return 1000;
  const place = ORDER[type]?.indexOf(key) ?? -1;
  return place === -1 ? 999 : place;
}

function isDescription(heading: string, outline: Outline): boolean {
  return keyOf(heading) === DESCRIPTION && findSection(outline, heading) === undefined;
}

/** What stands between the title and the first section. */
function descriptionOf({ title, headings, sections, bodyStart, bodyEnd }: Outline): Section {
  const after = headings.find((heading) => heading !== title && heading.level <= 2);
  return {
    heading: DESCRIPTION,
    start: title?.end ?? bodyStart,
    bodyStart: title?.end ?? bodyStart,
    end: sections[0]?.start ?? after?.start ?? bodyEnd,
  };
}

function setDescription(content: string, source: string, outline: Outline): EditOutcome {
  const { bodyStart: start, end } = descriptionOf(outline);
  const splice: Splice = {
    start,
    end,
    text: content === "" ? "\n\n" : `\n\n${content}\n\n`,
  };
  return {
    splices: [splice],
    changes: [{
      field: DESCRIPTION,
      old: sizeOf("", source.slice(start, end)),
      new: sizeOf("", content),
    }],
  };
}

/** The text of a section: safe, without the heading that it is for, and without others of its level. */
function contentOf(heading: string, text: string): string {
  const name = heading.trim();
  if (name === "" || name.length > 120 || /[\n\r]|\{%|%\}|^#/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not a heading: ${JSON.stringify(name.slice(0, 80))}`, {
      hint: "Give the heading's words alone, as Approach.",
    });
  }
  const content = safeText(text, `The section "${name}"`).trim();
  const [first, ...rest] = content.split("\n");
  const own = /^##\s+(.+)$/.exec(first!)?.[1];
  const without = own !== undefined && keyOf(own) === keyOf(name)
    ? rest.join("\n").trim()
    : content;
  refuseHeadings(
    without,
    2,
    `The section "${name}" may not hold headings of the first or second level`,
  );
  return without;
}

function refuseHeadings(content: string, level: number, message: string): void {
  const heading = new RegExp(`^ {0,3}#{1,${level}}(?:[ \\t]|$)`);
  const underline = level === 1 ? /^ {0,3}=+[ \t]*$/ : /^ {0,3}(?:=+|-{2,})[ \t]*$/;
  let before = "";
  for (const { text, isFenced } of linesOf(content)) {
    const isUnderline = !isFenced && /\S/.test(before) && underline.test(text);
    if (!isFenced && heading.test(text) || isUnderline) {
      throw new RefraktError("VALIDATION_ERROR", message, {
        hint: "Use headings of a lower level (###), or give each section by its own name.",
      });
    }
    before = isFenced || /^\s*(?:[-*+>|]|\d+\.)/.test(text) ? "" : text;
  }
}

/** A heading as two are compared. */
function keyOf(heading: string): string {
  return heading.trim().normalize("NFC").toLowerCase().replace(/\s+/g, " ");
}

function sizeOf(heading: string, text: string): string {
  return `${heading} (${text.trim().length} characters)`.trim();
}

function isItem(line: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(line);
}

/** A line break where the text ends without one. */
function lineBreakAt(source: string, at: number): string {
  return at > 0 && source[at - 1] !== "\n" ? "\n" : "";
}

function afterLine(source: string, end: number): number {
  const newline = source.indexOf("\n", end);
  return newline === -1 ? source.length : newline + 1;
}

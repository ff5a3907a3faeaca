/**
 * Whole sections of an entity: replaced, added where the template has them, or
 * added to.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import {
  contentOf,
  DESCRIPTION,
  endsWithItem,
  isItem,
  keyOf,
  type Section,
  sectionNamed,
} from "../document.ts";
import { safeText } from "../safe_text.ts";
import {
  type Addition,
  type Box,
  criteriaIn,
  type Editable,
  type EditOutcome,
  partOf,
  requireUnlocked,
  sectionSize,
  sizeOf,
} from "./outcome.ts";

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

/** The text of a section from a caller. */
interface Content {
  readonly text: string;
  readonly criteria: readonly Box[];
  /** Whether it begins with an item of a list. */
  readonly isList: boolean;
}

/** Replaces a section, or adds it; with an empty text it removes one. */
export function setSection(
  { heading, text }: { readonly heading: string; readonly text: string },
  document: Editable,
): EditOutcome {
  const content = contentFor(heading, text, document.entity.type);
  const section = sectionNamed(document.entity, heading);
  if (section === undefined) {
    if (content.text === "") return { changes: [] };
    const changes = [{ field: "section", old: "", new: sizeOf(heading.trim(), content.text) }];
    return { added: addSection(heading, content, document), changes };
  }
  requireUnlocked(document, section);
  const index = document.entity.sections.indexOf(section);
  const isWhole = section.level === 0;
  const change = {
    field: isWhole ? DESCRIPTION : "section",
    old: sectionSize(document, section),
  };
  if (content.text === "" && !isWhole) {
    const previous = document.entity.sections[index - 1];
    const before = previous === undefined ? "" : contentOf(document, previous.content);
    const end = endAfter(before, section.end, document);
    return {
      splices: [{ start: section.start, end, text: "" }],
      sections: new Map([[index, undefined]]),
      changes: [{ ...change, new: "" }],
    };
  }
  const splices = [{
    start: section.body.start,
    end: endAfter(content.text, section.end, document),
    text: replacement(content.text, section, document),
  }];
  return {
    splices,
    sections: new Map([[index, partOf(document, index, splices, content.criteria)]]),
    changes: [{ ...change, new: sizeOf(isWhole ? "" : section.name, content.text) }],
  };
}

/** Adds to the end of a section, or adds the section. */
export function appendToSection(
  { heading, text }: { readonly heading: string; readonly text: string },
  document: Editable,
): EditOutcome {
  const content = contentFor(heading, text, document.entity.type);
  if (content.text === "") {
    throw new RefraktError("INVALID_ARGS", `"append": nothing to add to "${heading}"`, {
      hint: "Give the text that is to be added.",
    });
  }
  const section = sectionNamed(document.entity, heading);
  if (section === undefined) {
    const changes = [{ field: "section", old: "", new: sizeOf(heading.trim(), content.text) }];
    return { added: addSection(heading, content, document), changes };
  }
  requireUnlocked(document, section);
  const index = document.entity.sections.indexOf(section);
  const criteria = [...criteriaIn(document, index), ...content.criteria];
  const { splices, sections, put } = appendTo(section, content, document, criteria);
  const old = contentOf(document, section.content);
  const name = section.level === 0 ? "" : section.name;
  return {
    splices,
    sections,
    changes: [{
      field: "section",
      old: sectionSize(document, section),
      new: sizeOf(name, old + put),
    }],
  };
}

/** Puts a text at the end of a section. */
export function appendTo(
  section: Section,
  { text, isList }: Pick<Content, "text" | "isList">,
  document: Editable,
  criteria: readonly Box[],
) {
  const index = document.entity.sections.indexOf(section);
  const isEmpty = section.content.start === section.content.end;
  const put = isEmpty
    ? replacement(text, section, document)
    : `${isList && endsWithItem(document, section) ? "\n" : "\n\n"}${text}`;
  const at = section.content.end;
  // White space at the end of the last line goes: it would be shown within the text.
  const lineEnd = lineEndAfter(document.text, at);
  const end = endAfter(text, section.end, document);
  const after = end === section.end ? "" : document.text.slice(lineEnd, section.end);
  const splices = [
    isEmpty
      ? { start: section.body.start, end, text: put }
      : { start: at, end: after === "" ? lineEnd : end, text: put + after.replaceAll("\r", "") },
  ];
  const sections = new Map([[index, partOf(document, index, splices, criteria)]]);
  return { splices, sections, put };
}

/** Replaces all that stands below the title. */
export function setBody(
  { text }: { readonly text: string },
  document: Editable,
): EditOutcome {
  requireUnlocked(document);
  const { title, body, sections, type } = document.entity;
  const fragment = safeText(text, '"body"', type);
  if (fragment.sections.some(({ level }) => level === 1)) {
    throw refusedHeadings('"body" may not hold a heading of the first level: that is the title');
  }
  const content = fragment.text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  const start = title === undefined ? body.start : title.line.end;
  const replaced = sections.flatMap((section, index) => section.start >= start ? [index] : []);
  return {
    sections: new Map(replaced.map((index) => [index, undefined])),
    added: {
      before: sections.length,
      rank: 0,
      splice: {
        start,
        end: body.end,
        text: `${breakAt(document.text, start)}\n${content}${content === "" ? "" : "\n\n"}`,
      },
      parts: fragment.sections.map(({ level, whole, criteria }) => ({
        level,
        text: whole,
        criteria,
      })),
    },
    changes: [{
      field: "body",
      old: sizeOf("", document.text.slice(start, body.end)),
      new: sizeOf("", content),
    }],
  };
}

/** Adds a section before the first one that comes after it in the template's order. */
export function addSection(
  heading: string,
  { text, criteria }: Pick<Content, "text" | "criteria">,
  document: Editable,
): Addition {
  const name = heading.trim();
  if (name === "" || name.length > 120 || /[\n\r]|\{%|%\}|^#/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not a heading: ${JSON.stringify(name.slice(0, 80))}`, {
      hint: "Give the heading's words alone, as Approach.",
    });
  }
  requireUnlocked(document);
  const { type, sections, body } = document.entity;
  const rank = rankOf(type, name);
  const found = sections.findIndex(({ level, name }) => level === 2 && rankOf(type, name) > rank);
  const before = found === -1 ? sections.length : found;
  const at = sections[before]?.start ?? body.end;
  const part = `## ${name}\n${text}`;
  return {
    before,
    rank,
    splice: {
      start: at,
      end: endAfter(text, at, document),
      text: `${blankBefore(document.text, at)}${part}\n\n`,
    },
    parts: [{ level: 2, text: part, criteria }],
  };
}

function rankOf(type: string, heading: string): number {
  const key = keyOf(heading);
  if (key === "resolution") return 1000;
  const place = ORDER[type]?.indexOf(key) ?? -1;
  return place === -1 ? 999 : place;
}

/**
 * Where a change ends that puts a text before an offset: there, or after the white space that
 * follows. A heading or a tag that is indented would belong to a list that the text ends with.
 */
function endAfter(put: string, at: number, { text }: Editable): number {
  const last = put.split("\n").findLast((line) => /^\S/.test(line)) ?? "";
  if (!isItem(last)) return at;
  let end = at;
  while (text[end] === " " || text[end] === "\t") end++;
  return end;
}

/** What replaces a section's body: with a blank line before the text where there was one. */
function replacement(put: string, { body, content, level }: Section, { text }: Editable): string {
  const firstLine = text.slice(body.start, lineEndAfter(text, body.start));
  const hadGap = content.start < content.end && firstLine.trim() === "";
  const gap = level === 0 || hadGap ? "\n" : "";
  return `${breakAt(text, body.start)}${gap}${put}${put === "" ? "" : "\n\n"}`;
}

/** A caller's text: safe, without the heading that it is for, and without others of its level. */
function contentFor(heading: string, given: string, type: EntityType): Content {
  const name = heading.trim();
  const what = `The section "${name.slice(0, 120)}"`;
  const { sections, criteria } = safeText(given, what, type);
  const filled = sections.filter(({ whole }) => whole !== "");
  const [first] = filled;
  const isOwn = first !== undefined && first.level === 2 && keyOf(first.name) === keyOf(name);
  if (filled.length > 1 || first !== undefined && first.level > 0 && !isOwn) {
    throw refusedHeadings(`${what} may not hold headings of the first or second level`);
  }
  const content = first?.text ?? "";
  return { text: content, criteria, isList: isItem(content.split("\n", 1)[0]!) };
}

function refusedHeadings(message: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, {
    hint: "Use headings of a lower level (###), or give each section by its own name.",
  });
}

/** A line break where a line has no end. */
function breakAt(text: string, at: number): string {
  return at > 0 && !isLineEnd(text[at - 1]) ? "\n" : "";
}

/** What makes a blank line before an offset, where there is none. */
function blankBefore(text: string, at: number): string {
  if (at === 0) return "";
  if (!isLineEnd(text[at - 1])) return "\n\n";
  const { length } = text.slice(0, at).trimEnd();
  return length === 0 || text.slice(lineEndAfter(text, length), at).split("\n").length > 2
    ? ""
    : "\n";
}

function lineEndAfter(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineEnd(text[at])) at++;
  return at;
}

function isLineEnd(char: string | undefined): boolean {
  return char === "\n" || char === "\r";
}

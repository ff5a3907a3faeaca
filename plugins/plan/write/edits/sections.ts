/** Replaces, adds and extends sections of an entity. */

import { quoted, requireVisible, withBytesOf } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import type { EntityType } from "../../entity/types.ts";
import { isTask } from "../../entity/lifecycle.ts";
import {
  contentOf,
  DESCRIPTION,
  keyOf,
  type Section,
  sectionNamed,
} from "../../entity/document.ts";
import { type SafeText, safeText } from "../../entity/safe_text.ts";
import {
  type Change,
  type Editable,
  type EditOutcome,
  requireUnlocked,
  sectionSize,
  sizeOf,
  type Splice,
} from "./splices.ts";

/**
 * The order of sections by type: the plugin's templates, plus the sections that its parser knows.
 * Unlisted sections come after these, and then {@linkcode LAST}.
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

const UNLISTED = 1000;
/** What stands last, where the order of the type does not say otherwise. */
const LAST = ["acceptance criteria", "references", "resolution"];

/** A section, and the headings of those that it should stand before. */
interface NewSection {
  readonly heading: string;
  readonly text: string;
  readonly before?: readonly string[];
}

/** Replaces or adds a section; an empty text removes it. */
export function setSection(
  { heading, text, before: next = [] }: NewSection,
  document: Editable,
): EditOutcome {
  const { sections, type } = document.entity;
  const section = sectionNamed(document.entity, heading);
  const before = section === undefined ? "" : contentOf(document, section.content);
  const content = withBytesOf(before, contentFor(heading, text, type));
  if (section === undefined) {
    requireUnlocked(document);
    return content === ""
      ? { splices: [], changes: [] }
      : addSection(heading.trim(), content, document, next);
  }
  requireUnlocked(document, section);
  const { level, name, start, end, body } = section;
  const field = level === 0 ? DESCRIPTION : "section";
  const old = sectionSize(document, section);
  if (content === "" && level > 0) {
    const previous = sections[sections.indexOf(section) - 1];
    const above = previous === undefined ? "" : contentOf(document, previous.content);
    return {
      splices: [{ start, end: endAfter(above, end, document), text: "" }],
      changes: [{ field, old, new: "" }],
    };
  }
  const put = replacement(content, section, document);
  return {
    splices: [{ start: body.start, end: endAfter(content, end, document), text: put }],
    changes: [{ field, old, new: sizeOf(level === 0 ? "" : name, content) }],
  };
}

/** Adds text to the end of a section, or adds the section. */
export function appendToSection(
  { heading, text }: { readonly heading: string; readonly text: string },
  document: Editable,
): EditOutcome {
  const content = contentFor(heading, text, document.entity.type);
  if (content === "") {
    throw new RefraktError("INVALID_ARGS", `"append": nothing to add to ${quoted(heading)}`, {
      hint: "Pass the text to add.",
    });
  }
  const section = sectionNamed(document.entity, heading);
  if (section === undefined) return addSection(heading.trim(), content, document);
  requireUnlocked(document, section);
  return {
    splices: appendTo(section, content, document),
    changes: [{
      field: "section",
      old: sectionSize(document, section),
      new: sectionSize(document, section, `\n${content}`),
    }],
  };
}

/** Puts text at the end of a section; a list item directly follows the last one. */
function appendTo(section: Section, content: string, document: Editable): Splice[] {
  const end = endAfter(content, section.end, document);
  if (section.content.start === section.content.end) {
    const text = replacement(content, section, document);
    return [{ start: section.body.start, end, text }];
  }
  const isList = isItem(content) &&
    isItem(contentOf(document, section.content).split("\n").at(-1)!);
  // Remove white space at the end of the last line: it would be shown within the text.
  const start = section.content.end;
  const added = { start, end: lineEndAfter(document.text, start) };
  return [
    { ...added, text: `${isList ? "\n" : "\n\n"}${content}` },
    { start: section.end, end, text: "" },
  ];
}

/** Replaces everything below the title. */
export function setBody({ text }: { readonly text: string }, document: Editable): EditOutcome {
  requireUnlocked(document);
  const { title, body, type } = document.entity;
  const fragment = safeText(text, '"body"', type);
  if (fragment.sections.some(({ level }) => level === 1)) {
    throw headingError('"body" must not contain a level-1 heading: that is the title');
  }
  const start = title === undefined ? body.start : title.line.end;
  const content = withBytesOf(
    document.text.slice(start, body.end),
    fragment.text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd(),
  );
  const put = `${breakAt(document.text, start)}\n${content}${content === "" ? "" : "\n\n"}`;
  return {
    splices: [{ start, end: body.end, text: put }],
    levels: levelsOf(fragment),
    changes: [{
      field: "body",
      old: sizeOf("", document.text.slice(start, body.end)),
      new: sizeOf("", content),
    }],
  };
}

/**
 * Inserts a section according to the template's order.
 *
 * @param before The headings of sections before which one stands that the template does not know.
 */
function addSection(
  name: string,
  content: string,
  document: Editable,
  before: readonly string[] = [],
): EditOutcome {
  if (name === "" || name.length > 120 || /[\n\r]|\{%|%\}|^#/.test(name)) {
    throw new RefraktError("INVALID_ARGS", `Not a heading: ${quoted(name)}`, {
      hint: "Pass only the heading's text, such as Approach.",
    });
  }
  requireVisible("A heading", name);
  requireUnlocked(document);
  const { type, sections, body } = document.entity;
  const rank = rankOf(type, name);
  const next = new Set(rank === UNLISTED ? before.map(keyOf) : []);
  const found = sections.findIndex(({ level, name }) =>
    level === 2 && (rankOf(type, name) > rank || next.has(keyOf(name)))
  );
  const start = sections[found]?.start ?? body.end;
  const text = `${blankBefore(document.text, start)}## ${name}\n${content}\n\n`;
  return {
    splices: [{ start, end: endAfter(content, start, document), text }],
    levels: [2],
    changes: [{ field: "section", old: "", new: sizeOf(name, content) }],
  };
}

/** Adds a resolution, or extends the existing one. */
export function resolve({ text }: { readonly text: string }, document: Editable): EditOutcome {
  const { type, body, resolution, unclosed } = document.entity;
  if (!isTask({ type })) {
    const message = `Resolution sections are only supported on work and bug items, not ${type}`;
    throw new RefraktError("VALIDATION_ERROR", message, {
      hint: "Put the text into another section.",
    });
  }
  if (text.trim() === "") {
    throw new RefraktError("INVALID_ARGS", '"resolve": must not be empty', {
      hint: "Describe what was done, or omit it.",
    });
  }
  // Even with an unclosed tag it is clear where the entity ends.
  if (unclosed?.kind !== "entity" && unclosed?.kind !== "tag") requireUnlocked(document);
  const fragment = safeText(text, '"resolve"', type);
  // Headings in the text begin sections: the plugin, too, ends a resolution at the next heading.
  const levels = levelsOf(fragment);
  const content = `Completed: ${new Date().toISOString().slice(0, 10)}\n\n${fragment.text}`
    .trimEnd();
  const at = resolution === undefined ? body.end : resolution.end;
  const isLast = at === document.text.length;
  // Like the plugin, write a blank line first if there is no closing tag.
  const gap = resolution === undefined ? (isLast ? "\n" : "") + "## Resolution\n" : "\n---\n";
  const change: Omit<Change, "field"> = resolution === undefined
    ? { old: "", new: "added" }
    : { old: "(appended)", new: "updated" };
  return {
    splices: [{
      start: at,
      end: at,
      text: `${breakAt(document.text, at)}${gap}\n${content}\n${isLast ? "" : "\n"}`,
    }],
    levels: resolution === undefined ? [2, ...levels] : levels,
    changes: [{ field: "resolution", ...change }],
  };
}

function levelsOf({ sections }: SafeText): number[] {
  return sections.flatMap(({ level }) => level === 0 ? [] : level);
}

function isItem(text: string): boolean {
  return /^[^\S\n]*(?:[-*+]|\d+[.)])\s/.test(text);
}

function rankOf(type: string, heading: string): number {
  const key = keyOf(heading);
  const place = ORDER[type]?.indexOf(key) ?? -1;
  return place !== -1 ? place : UNLISTED + LAST.indexOf(key) + 1;
}

/**
 * Returns where a replacement before an offset ends: there, or after the white space that
 * follows, because an indented heading or tag would belong to a list at the end of the text.
 */
function endAfter(put: string, at: number, { text }: Editable): number {
  const last = put.split("\n").findLast((line) => /^\S/.test(line)) ?? "";
  if (!isItem(last)) return at;
  let end = at;
  while (text[end] === " " || text[end] === "\t") end++;
  return end;
}

/** The replacement of a section's body; keeps a blank line before the text. */
function replacement(put: string, { body, content, level }: Section, { text }: Editable): string {
  const firstLine = text.slice(body.start, lineEndAfter(text, body.start));
  const hadGap = content.start < content.end && firstLine.trim() === "";
  const gap = level === 0 || hadGap ? "\n" : "";
  return `${breakAt(text, body.start)}${gap}${put}${put === "" ? "" : "\n\n"}`;
}

/** Makes a caller's text safe, without its own heading; rejects other headings of that level. */
function contentFor(heading: string, given: string, type: EntityType): string {
  const what = `The section ${quoted(heading.trim())}`;
  const [first, ...others] = safeText(given, what, type).sections;
  const isOwn = first?.level === 2 && keyOf(first.name) === keyOf(heading);
  if (others.length > 0 || first !== undefined && first.level > 0 && !isOwn) {
    throw headingError(`${what} must not contain level-1 or level-2 headings`);
  }
  return first?.text ?? "";
}

function headingError(message: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", message, {
    hint: "Use ### or deeper headings, or pass each section under its own name.",
  });
}

/** A line break, unless the line has ended. */
function breakAt(text: string, at: number): string {
  return at > 0 && text[at - 1] !== "\n" ? "\n" : "";
}

/** The line breaks that a blank line before an offset needs. */
function blankBefore(text: string, at: number): string {
  const before = text.slice(0, at);
  if (before.trim() === "" || /\n[^\S\n]*\n$/.test(before)) return "";
  return before.endsWith("\n") ? "\n" : "\n\n";
}

function lineEndAfter(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

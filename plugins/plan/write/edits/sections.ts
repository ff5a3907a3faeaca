/** Replaces, adds and extends sections of an entity. */

import { quoted, requireVisible, withBytesOf } from "../../../../src/plain_text.ts";
import { RefraktError } from "../../../../src/errors.ts";
import { dayOf, zonedDate } from "../../entity/durations.ts";
import type { EntityType } from "../../entity/types.ts";
import { isTask } from "../../entity/lifecycle.ts";
import { contentOf, keyOf, plainOf, type Section, sectionNamed } from "../../entity/document.ts";
import { invalidArguments, safeText, validationError } from "../../entity/values.ts";
import {
  type Edit,
  type Editable,
  type EditOutcome,
  requireUnlocked,
  UNCHANGED,
} from "../edits.ts";

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
/** The last sections, unless the order of the type has them elsewhere. */
const LAST = ["acceptance criteria", "references", "resolution"];

/** An edit for each text by its heading; new sections that no template knows keep their order. */
export function sectionEdits(texts: Readonly<Record<string, string>>): Edit[] {
  const headings = Object.keys(texts);
  // The last one first, so that the others find what they stand before.
  return headings.map((heading, at) => setSection(heading, texts[heading]!, headings.slice(at + 1)))
    .reverse();
}

/**
 * Replaces or adds a section; an empty text removes it.
 *
 * @param next The headings of sections before which one stands that the template does not know.
 */
export const setSection =
  (heading: string, text: string, next: readonly string[] = []): Edit => (document) => {
    const { sections, type } = document.entity;
    const section = sectionNamed(document.entity, heading);
    const before = section === undefined ? "" : contentOf(document, section.content);
    const content = withBytesOf(before, contentFor(heading, text, type));
    requireUnlocked(document, section);
    if (content === before && (content !== "" || section === undefined)) return UNCHANGED;
    if (section === undefined) return addSection(heading.trim(), content, document, next);
    const { level, start, end, body } = section;
    if (content === "" && level > 0) {
      const previous = sections[sections.indexOf(section) - 1];
      const above = previous === undefined ? "" : contentOf(document, previous.content);
      return { splices: [{ start, end: endAfter(above, end, document), text: "" }] };
    }
    const put = replacement(content, section, document);
    return { splices: [{ start: body.start, end: endAfter(content, end, document), text: put }] };
  };

/** Replaces a passage of a section. */
export const replacePassage = (
  { section: heading, old, new: text }: Readonly<Record<"section" | "old" | "new", string>>,
): Edit =>
(document) => {
  const section = sectionNamed(document.entity, heading);
  const content = section === undefined ? "" : contentOf(document, section.content);
  const [before = "", after, ...others] = content.split(plainOf(old));
  if (old !== "" && after !== undefined && others.length === 0) {
    return setSection(heading, `${before}${plainOf(text)}${after}`)(document);
  }
  const where = `the section ${quoted(heading.trim())}`;
  const count = old === "" || after === undefined
    ? "is not in"
    : `occurs ${others.length + 1} times in`;
  throw validationError(
    `${quoted(old)} ${count} ${where}`,
    section === undefined
      ? `The sections are ${document.entity.sections.map(({ name }) => quoted(name)).join(", ")}.`
      : "Quote a passage that occurs once, with its marks, as plan_get shows it.",
  );
};

/** Adds text to the end of a section, or adds the section; a list item directly follows the last one. */
export const appendToSection = (heading: string, text: string): Edit => (document) => {
  const content = contentFor(heading, text, document.entity.type);
  if (content === "") {
    const hint = "Pass the text to add.";
    throw invalidArguments(`"append": nothing to add to ${quoted(heading)}`, hint);
  }
  const section = sectionNamed(document.entity, heading);
  const { start: from, end: to } = section?.content ?? { start: 0, end: 0 };
  if (section === undefined || from === to) return setSection(heading, text)(document);
  requireUnlocked(document, section);
  const end = endAfter(content, section.end, document);
  const isList = isItem(content) &&
    isItem(contentOf(document, section.content).split("\n").at(-1)!);
  return {
    splices: [
      // Without white space at the end of the last line: it would be shown within the text.
      {
        start: to,
        end: lineEndAfter(document.text, to),
        text: `${isList ? "\n" : "\n\n"}${content}`,
      },
      { start: section.end, end, text: "" },
    ],
  };
};

/** Replaces everything below the title. */
export const setBody = (text: string): Edit => (document) => {
  requireUnlocked(document);
  const { title, body, type } = document.entity;
  const fragment = safeText(text, '"body"', type);
  if (fragment.sections.some(({ level }) => level === 1)) {
    throw headingError('"body" must not contain a level-1 heading: that is the title');
  }
  const start = title === undefined ? body.start : title.line.end;
  const before = document.text.slice(start, body.end);
  const content = withBytesOf(before, fragment.text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd());
  if (content === before.trim()) return UNCHANGED;
  const put = `${breakAt(document.text, start)}\n${content}${content === "" ? "" : "\n\n"}`;
  return { splices: [{ start, end: body.end, text: put }], levels: levelsOf(fragment) };
};

/** Inserts a section according to the template's order. */
function addSection(
  name: string,
  content: string,
  document: Editable,
  before: readonly string[],
): EditOutcome {
  if (name === "" || name.length > 120 || /[\n\r]|\{%|%\}|^#/.test(name)) {
    const hint = "Pass only the heading's text, such as Approach.";
    throw invalidArguments(`Not a heading: ${quoted(name)}`, hint);
  }
  requireVisible("A heading", name);
  requireUnlocked(document);
  const { type, sections, body } = document.entity;
  const rank = sectionRank(type, name);
  const next = new Set(rank === UNLISTED ? before.map(keyOf) : []);
  const nextIndex = sections.findIndex(({ level, name }) =>
    level === 2 && (sectionRank(type, name) > rank || next.has(keyOf(name)))
  );
  const start = sections[nextIndex]?.start ?? body.end;
  const text = `${blankBefore(document.text, start)}## ${name}\n${content}\n\n`;
  return { splices: [{ start, end: endAfter(content, start, document), text }], levels: [2] };
}

/** Adds a resolution, or extends the existing one. */
export const resolve = (text: string): Edit => (document) => {
  const { type, body, resolution, unclosed } = document.entity;
  if (!isTask({ type })) {
    const message = `Resolution sections are only supported on work and bug items, not ${type}`;
    throw validationError(message, "Put the text into another section.");
  }
  if (text.trim() === "") {
    throw invalidArguments('"resolve": must not be empty', "Describe what was done, or omit it.");
  }
  // Even with an unclosed tag it is clear where the entity ends.
  if (unclosed?.kind !== "entity" && unclosed?.kind !== "tag") requireUnlocked(document);
  const fragment = safeText(text, '"resolve"', type);
  // Headings in the text begin sections: the plugin, too, ends a resolution at the next heading.
  const levels = levelsOf(fragment);
  const content = `Completed: ${dayOf(zonedDate())}\n\n${fragment.text}`
    .trimEnd();
  const at = resolution === undefined ? body.end : resolution.end;
  const isLast = at === document.text.length;
  // Like the plugin, write a blank line first if there is no closing tag.
  const gap = resolution === undefined ? (isLast ? "\n" : "") + "## Resolution\n" : "\n---\n";
  const put = `${breakAt(document.text, at)}${gap}\n${content}\n${isLast ? "" : "\n"}`;
  return {
    splices: [{ start: at, end: at, text: put }],
    levels: resolution === undefined ? [2, ...levels] : levels,
  };
};

function levelsOf({ sections }: ReturnType<typeof safeText>): number[] {
  return sections.flatMap(({ level }) => level === 0 ? [] : level);
}

function isItem(text: string): boolean {
  return /^[^\S\n]*(?:[-*+]|\d+[.)])\s/.test(text);
}

function sectionRank(type: string, heading: string): number {
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
function contentFor(heading: string, text: string, type: EntityType): string {
  const subject = `The section ${quoted(heading.trim())}`;
  const [first, ...others] = safeText(text, subject, type).sections;
  const isOwn = first?.level === 2 && keyOf(first.name) === keyOf(heading);
  if (others.length > 0 || first !== undefined && first.level > 0 && !isOwn) {
    throw headingError(`${subject} must not contain level-1 or level-2 headings`);
  }
  return first?.text ?? "";
}

function headingError(message: string): RefraktError {
  const hint = "Use ### or deeper headings, or pass each section under its own name.";
  return validationError(message, hint);
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

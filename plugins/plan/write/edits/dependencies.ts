/** Adds and removes dependencies of an entity, and states that it has none. */

import { quoted, quotedName, word } from "../../../../src/plain_text.ts";
import { validationError } from "../../entity/values.ts";
import { blanked, contentOf, keyOf, sectionNamed, type Span } from "../../entity/document.ts";
import { appendToSection, setSection } from "./sections.ts";
import { type Edit, type Editable, type EditOutcome, UNCHANGED } from "../edits.ts";

/** The headings that every version of the plugin reads as dependencies. */
const DEPENDENCY_HEADINGS = ["Dependencies", "Blocked by", "Depends on", "Deps", "Requires"];

/** The text of a section that lists none. */
const NO_DEPENDENCIES = "None.";

/** The edits that remove dependencies and add others; an empty list of these removes them all. */
export function dependencyEdits(
  added: readonly string[] | undefined,
  removed: readonly string[] = [],
): Edit[] {
  const edits: Edit[] = [];
  if (removed.length > 0) edits.push(independentOf(removed));
  if (added !== undefined) edits.push(dependOn(added));
  return edits;
}

/** Adds ids to the dependencies of an entity; an empty list removes them all. */
const dependOn = (ids: readonly string[]): Edit => (document) => {
  const [section] = DEPENDENCY_HEADINGS.flatMap((name) =>
    sectionNamed(document.entity, name) ?? []
  );
  const heading = section?.name ?? DEPENDENCY_HEADINGS[0]!;
  const content = section === undefined ? "" : contentOf(document, section.content);
  if (ids.length === 0) {
    // Without the section, the plugin before 0.28 counts every other reference.
    const text = hasReferences(document, content) ? NO_DEPENDENCIES : "";
    return content === text ? UNCHANGED : setSection(heading, text)(document);
  }
  const { start = 0, end = 0 } = section?.body ?? {};
  const present = new Set(
    document.entity.refs.filter((ref) => ref.start >= start && ref.start < end).map(({ id }) => id),
  );
  const added = [...new Set(ids)].filter((id) => !present.has(id));
  if (added.length === 0) return UNCHANGED;
  const text = added.map((id) => `- {% ref "${id}" /%}`).join("\n");
  return (content === NO_DEPENDENCIES ? setSection : appendToSection)(heading, text)(document);
};

/** Removes the list items of dependencies. */
const independentOf = (ids: readonly string[]): Edit => (document) => {
  const { text, entity: { id, sections, refs } } = document;
  const headings = DEPENDENCY_HEADINGS.map(keyOf);
  const lists = sections.filter(({ heading }) => headings.includes(keyOf(heading)));
  const within = ({ start, end }: Span) =>
    refs.filter((ref) => ref.start >= start && ref.start < end);
  const listed = lists.flatMap((list) => within(list.body).map((ref) => ({ ...ref, list })));
  const items = ids.flatMap((other) => {
    const references = listed.filter((ref) => ref.id === other);
    if (references.length === 0) {
      const names = [...new Set(listed.map((ref) => ref.id))];
      const message = `${word(id!)} lists no dependency ${quotedName(other)}`;
      throw validationError(
        message,
        names.length === 0 ? "It lists none." : `It lists ${names.map(word).join(", ")}.`,
      );
    }
    return references.map(({ start, list }) => {
      const item = itemAt(text, start, list.body.end);
      if (item !== undefined && within(item).every((ref) => ids.includes(ref.id))) return item;
      const message = `${quotedName(other)} is no list item of its own`;
      const hint = `Pass the whole text without it: "sections": { ${quoted(list.name)}: "…" }.`;
      throw validationError(message, hint);
    });
  });
  const spans = [...new Map(items.map((item) => [item.start, item])).values()]
    .sort((a, b) => a.start - b.start);
  const [list, ...others] = lists;
  const isLast = others.length === 0 && list !== undefined &&
    blanked(text, spans).slice(list.body.start, list.body.end).trim() === "";
  if (isLast) return dependOn([])(document);
  return { splices: spans.map((span) => ({ ...span, text: "" })) };
};

/** The lines of the list item that begins at an offset, with those below it. */
function itemAt(text: string, start: number, end: number): Span | undefined {
  const [first = "", ...others] = text.slice(start, end).split(/(?<=\n)/);
  const depth = /^\s*(?=[-*+] )/.exec(first)?.[0].length;
  if (depth === undefined) return undefined;
  const isBelow = (line: string) =>
    line.trim() !== "" && (line.search(/\S/) > depth || !/^\s*(?:[-*+]|\d+[.)]) /.test(line));
  const next = others.findIndex((line) => !isBelow(line));
  const below = next === -1 ? others : others.slice(0, next);
  return { start, end: start + [first, ...below].join("").length };
}

/** States that an entity has no dependencies if it has references and no section about them. */
export function declareDependencies(document: Editable): EditOutcome {
  const isDeclared = DEPENDENCY_HEADINGS.some((name) =>
    sectionNamed(document.entity, name) !== undefined
  );
  return isDeclared ? UNCHANGED : dependOn([])(document);
}

/** Whether the body has references outside a text. */
function hasReferences({ text, entity: { body } }: Editable, without: string): boolean {
  const rest = text.slice(body.start, body.end);
  return /\{%\s*x?ref\s/.test(without === "" ? rest : rest.replace(without, ""));
}

/** The parsed contents of plan files, as plain data. */

import { shortText } from "../../../src/plain_text.ts";
import {
  blanked,
  type ConflictMarkers,
  type Document,
  idsIn,
  keyOf,
  type ParsedEntity,
  read,
  type Section,
} from "./document.ts";
import { isTask } from "./lifecycle.ts";
import { detached } from "./tag.ts";
import type { EntityType } from "./types.ts";
import { versionIn } from "./version.ts";

/** The sections that a version of the plan plugin knows. */
export interface KnownSections {
  /** By the type of the entity and the canonical name: the headings in lower case. */
  readonly byType: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The meaning of a section's references, by its name: `blocked-by` or `blocks`; from 0.28 on. */
  readonly directions?: Readonly<Record<string, string>> | undefined;
}

/** An entity as its file describes it. */
export type Contents = Readonly<ReturnType<typeof contentsOf>>;

/** The contents of a file: plain data that depends on nothing else. */
export interface ParsedText {
  /** The hash of the text; absent if that was not read. */
  readonly hash?: string | undefined;
  /** The first entity. */
  readonly entity?: Contents | undefined;
  /** Entities after the first one, which are not read. */
  readonly further: readonly { readonly type: EntityType; readonly id?: string | undefined }[];
  readonly conflict?: ConflictMarkers | undefined;
  /** Why the tag of its entity cannot be read. */
  readonly broken?: string | undefined;
}

/** The section of notes. */
export const NOTES = "Notes";

/** How many characters of a title are kept. */
const KEPT_TITLE = 1000;

/**
 * Parses a text, and keeps neither it nor its offsets: they would take most of the memory.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard to parse.
 */
export function parseText(text: string, known: KnownSections): ParsedText {
  const document = read(text);
  const { entity, further, conflict, broken } = document;
  return detached({
    entity: entity && contentsOf(document, entity, known),
    further,
    conflict,
    broken: broken &&
      `the tag in line ${broken.line} is not valid: ${broken.message.replace(/\.$/, "")}`,
  });
}

export function contentsOf(document: Document, entity: ParsedEntity, known: KnownSections) {
  const { type, uncounted, refs, resolution, sections, tag } = entity;
  const version = versionIn(document, entity);
  const headings = sections.filter(({ level }) => level === 2)
    .map(({ heading, start }) => ({ start, section: sectionOf(known, type, heading) }));
  const scoped = refs.map(({ id, start }) => {
    const { name, direction } = headings.findLast((heading) => heading.start <= start)?.section ??
      {};
    return { id, name, direction };
  });
  const directed = scoped
    .flatMap(({ id, direction }) => direction === undefined ? [] : { id, direction });
  const resolutions =
    sections.filter(({ level, heading }) => level === 2 && heading === "Resolution").length;
  return {
    ...version,
    title: shortText(version.title, KEPT_TITLE),
    // Lines that look like check boxes, and do not count.
    uncounted,
    // The ids that it refers to.
    refs: [...new Set(refs.map(({ id }) => id))],
    // The same ids, with the canonical name of their section, if any.
    scopedRefs: unique(scoped.map(({ id, name }) => ({ id, section: name }))),
    // The canonical names of its sections.
    knownSectionsPresent: [...new Set(headings.flatMap(({ section }) => section.name ?? []))],
    // Its dependencies (`blocked-by`) and its dependents (`blocks`), from plugin 0.28 on.
    dependencies: known.directions && unique(directed),
    resolution: resolution && resolutionFields(document, resolution),
    // How many sections are called Resolution, if several are.
    resolutions: resolutions > 1 ? resolutions : undefined,
    ...namedDependencies(document, entity, known),
    note: newestNote(document, sections),
    // Why it is not closed, so that its sections cannot be edited.
    unclosed: entity.unclosed?.message,
    // The distinct ids and versions after the opening tag, and where that ends.
    names: idsIn(document.text.slice(tag.end)),
    bodyStart: tag.end,
  };
}

/** The canonical name of a section, if the version knows it, and what its references mean. */
function sectionOf({ byType, directions }: KnownSections, type: string, heading: string) {
  const sections = Object.entries(byType[type] ?? {});
  const [name] = sections.find(([, headings]) => headings.includes(heading.toLowerCase())) ?? [];
  return { name, direction: name === undefined ? undefined : directions?.[name] };
}

/**
 * The ids in the sections of an item about dependencies that no reference there has, which block
 * nothing; and those in sections about what waits for it.
 */
function namedDependencies(
  document: Document,
  { type, sections, refs }: ParsedEntity,
  known: KnownSections,
) {
  type Names = ReturnType<typeof linesByName>;
  const named: Record<"bareNames" | "blocks", Names> = { bareNames: [], blocks: [] };
  for (const section of isTask({ type }) ? sections : []) {
    const heading = section.level === 2 ? section.heading : "";
    const inType = sectionOf(known, type, heading);
    // Where the plugin knows no such section in bugs, an id without a tag blocks nothing, too.
    const { name, direction } = inType.name ? inType : sectionOf(known, "work", heading);
    // The plugin knows this section from 0.28 on.
    if (direction === "blocks" || name === undefined && heading.toLowerCase() === "blocks") {
      named.blocks.push(...linesByName(document, section));
    } else if (direction !== undefined || name === "Dependencies") {
      const { start, end } = section.body;
      const inSection = refs.filter((ref) => ref.start >= start && ref.start < end);
      const ids = new Set(inSection.map(({ id }) => id));
      named.bareNames.push(...linesByName(document, section).filter(({ name }) => !ids.has(name)));
    }
  }
  return named;
}

/** The ids of a section outside code and comments, with the line that names them first. */
function linesByName(document: Document, { body: { start, end } }: Section) {
  const { text, lines, hidden, comments } = document;
  const names = new Map<string, number>();
  const first = lines.lineAt(start) + 1;
  for (const [index, row] of blanked(text, comments).slice(start, end).split("\n").entries()) {
    if (hidden.has(first - 1 + index)) continue;
    for (const name of idsIn(row)) names.getOrInsert(name, first + index);
  }
  return Array.from(names, ([name, line]) => ({ name, line }));
}

/** The newest item under Notes, without its mark; of one day, the last. */
function newestNote({ text, comments }: Document, sections: readonly Section[]) {
  const section = sections
    .find(({ level, heading }) => level === 2 && keyOf(heading) === keyOf(NOTES));
  const { start, end } = section?.content ?? { start: 0, end: 0 };
  const notes = blanked(text, comments).slice(start, end)
    .matchAll(/^[-*] +(\S.*(?:\n {2,}\S.*)*)/gm);
  const dayOf = (note: string) => /^\d{4}-\d\d-\d\d/.exec(note)?.[0] ?? "";
  return [...notes].map(([, note]) => note!.replace(/\s+/g, " ").trim())
    .sort((a, b) => dayOf(a) < dayOf(b) ? -1 : dayOf(a) > dayOf(b) ? 1 : 0).at(-1);
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Lines of a resolution that have a meaning. */
const RESOLUTION_FIELD = /^(Completed|Branch|PR):\s*(\S.*)$/;

/** The fields of a resolution, the last of a name, and the text without their lines. */
function resolutionFields(document: Document, { body }: Section) {
  const { text, lines, hidden, comments } = document;
  const first = lines.lineAt(body.start);
  const fields: Record<string, string> = {};
  const visible = blanked(text, comments).slice(body.start, body.end);
  const rest = visible.split("\n").filter((line, index) => {
    const [, name, value] = hidden.has(first + index) ? [] : RESOLUTION_FIELD.exec(line) ?? [];
    if (name !== undefined) fields[name] = value!.trim();
    return name === undefined;
  });
  return {
    date: fields["Completed"],
    branch: fields["Branch"]?.replace(/^`|`$/g, ""),
    pr: fields["PR"],
    body: rest.join("\n").trim(),
  };
}

/** What a file says below the head of its entity; read when it is first needed. */

import * as z from "zod";
import { blanked, type Document, idsIn, keyOf, namesIn, type Section } from "./document.ts";
import { isTask } from "./lifecycle.ts";
import type { ParsedEntity } from "./model.ts";
import { detached } from "./tag.ts";
import { ENTITY_TYPES } from "./types.ts";

/** A section that a version of the plan plugin knows by several headings. */
export interface KnownSection {
  readonly name: string;
  /** What its references mean: `blocked-by` or `blocks`. */
  readonly direction?: string | undefined;
}

/** The sections that a version of the plan plugin knows. */
export interface KnownSections {
  /** By the type of the entity, and the heading in lower case. */
  readonly byType: Readonly<Record<string, ReadonlyMap<string, KnownSection>>>;
  /** Whether this version tells what blocks an entity from what it blocks: from 0.28 on. */
  readonly hasDirections: boolean;
}

/** What a file says below the head of its entity, or without one. */
export const contents = z.object({
  criteria: z.array(z.object({ text: z.string(), checked: z.boolean() })),
  /** Lines that look like check boxes, and do not count. */
  uncounted: z.array(z.object({ line: z.int(), text: z.string() })),
  /** The ids that it refers to. */
  refs: z.array(z.string()),
  /** The same ids, with the canonical name of their section, if any. */
  scopedRefs: z.array(z.object({ id: z.string(), section: z.string().optional() })),
  /** The canonical names of its sections. */
  knownSectionsPresent: z.array(z.string()),
  /** The fields of its resolution, and the text without those lines. */
  resolution: z.object({
    date: z.string().optional(),
    branch: z.string().optional(),
    pr: z.string().optional(),
    body: z.string(),
  }).optional(),
  /** What it depends on (`blocked-by`) and what depends on it (`blocks`), from 0.28 on. */
  dependencies: z.array(z.object({ id: z.string(), direction: z.string() })).optional(),
  /** How many sections are called Resolution, if several are. */
  resolutions: z.int().optional(),
  /** Ids in sections about dependencies that no reference there has, which block nothing. */
  bareNames: z.array(z.object({ name: z.string(), line: z.int() })),
  /** Ids in sections about what waits for it. */
  blocks: z.array(z.object({ name: z.string(), line: z.int() })),
  /** The newest line under Notes. */
  note: z.string().optional(),
  /** What leaves it open, so that its sections cannot be edited. */
  unclosed: z.string().optional(),
  /** The distinct ids and versions after the opening tag. */
  names: z.array(z.string()),
  /** The offset after the opening tag; 0 without an entity. */
  bodyStart: z.int().nonnegative(),
  /** Entities after the first one, which are not read. */
  further: z.array(z.object({ type: z.enum(ENTITY_TYPES), id: z.string().optional() })),
  /** The first and the last line of the first conflict. */
  conflict: z.object({ first: z.int(), last: z.int() }).optional(),
});

export type Contents = z.infer<typeof contents>;

export const NO_CONTENTS: Contents = {
  criteria: [],
  uncounted: [],
  bareNames: [],
  blocks: [],
  refs: [],
  scopedRefs: [],
  knownSectionsPresent: [],
  names: [],
  bodyStart: 0,
  further: [],
  conflict: undefined,
};

/** The heading, in lower case, of what waits for an item; the plugin knows it from 0.28 on. */
const BLOCKS = "blocks";

/** The section of notes. */
export const NOTES = "Notes";

/** Reduces a document to what is kept of it: its text and offsets would take most of the memory. */
export function contentsOf(document: Document, known: KnownSections): Contents {
  const { entity, further, conflict } = document;
  const found = entity === undefined ? NO_CONTENTS : bodyOf(document, entity, known);
  return detached({ ...found, further: [...further], conflict, names: namesIn(document) });
}

function bodyOf(
  document: Document,
  entity: ParsedEntity,
  { byType, hasDirections }: KnownSections,
) {
  const { type, criteria, uncounted, refs, resolution, sections, tag } = entity;
  const headings = sections.filter(({ level }) => level === 2)
    .map(({ heading, start }) => ({ start, known: byType[type]?.get(heading.toLowerCase()) }));
  const scoped = refs.map(({ id, start }) => {
    const { name, direction } = headings.findLast((one) => one.start <= start)?.known ?? {};
    return { id, name, direction };
  });
  const resolutions =
    sections.filter(({ level, heading }) => level === 2 && heading === "Resolution").length;
  return {
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    uncounted: [...uncounted],
    refs: [...new Set(refs.map(({ id }) => id))],
    scopedRefs: unique(scoped.map(({ id, name }) => ({ id, section: name }))),
    knownSectionsPresent: [...new Set(headings.flatMap(({ known }) => known?.name ?? []))],
    dependencies: hasDirections
      ? unique(
        scoped.flatMap(({ id, direction }) => direction === undefined ? [] : { id, direction }),
      )
      : undefined,
    resolution: resolution && resolutionOf(document, resolution),
    resolutions: resolutions > 1 ? resolutions : undefined,
    ...namedDependencies(document, entity, byType),
    note: newestNote(document, sections),
    unclosed: entity.unclosed?.message,
    bodyStart: tag.end,
  };
}

/** The ids in the sections of an item about dependencies, apart from references to what it waits for. */
function namedDependencies(
  document: Document,
  { type, sections, refs }: ParsedEntity,
  byType: KnownSections["byType"],
): Pick<Contents, "bareNames" | "blocks"> {
  const named: Pick<Contents, "bareNames" | "blocks"> = { bareNames: [], blocks: [] };
  for (const section of isTask({ type }) ? sections : []) {
    const heading = section.level === 2 ? section.heading.toLowerCase() : "";
    // Where the plugin knows no such section in bugs, an id without a tag blocks nothing, too.
    const { name, direction } = byType[type]?.get(heading) ?? byType["work"]?.get(heading) ?? {};
    const ids = linesByName(document, section);
    if (direction === "blocks" || name === undefined && heading === BLOCKS) {
      named.blocks.push(...ids);
    } else if (direction !== undefined || name === "Dependencies") {
      const { start, end } = section.body;
      const inSection = refs.filter((ref) => ref.start >= start && ref.start < end);
      named.bareNames.push(...ids.filter(({ name }) => inSection.every(({ id }) => id !== name)));
    }
  }
  return named;
}

/** The ids of a section outside code and comments, with the line that names them first. */
function linesByName({ text, hidden, comments }: Document, { body: { start, end } }: Section) {
  const names = new Map<string, number>();
  const first = text.slice(0, start).split("\n").length;
  for (const [index, row] of blanked(text, comments).slice(start, end).split("\n").entries()) {
    if (hidden.has(first - 1 + index)) continue;
    for (const name of idsIn(row)) names.getOrInsert(name, first + index);
  }
  return Array.from(names, ([name, line]) => ({ name, line }));
}

/** The newest item under Notes, without its mark; of one day, the last. */
function newestNote(
  { text, comments }: Document,
  sections: readonly Section[],
): string | undefined {
  const section = sections.find(({ level, heading }) =>
    level === 2 && keyOf(heading) === keyOf(NOTES)
  );
  if (section === undefined) return undefined;
  const { start, end } = section.content;
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
const FIELD = /^(Completed|Branch|PR):\s*(\S.*)$/;

/** The fields of a resolution, the last of a name, and the text without their lines. */
function resolutionOf(document: Document, { body }: Section): Contents["resolution"] {
  const { text, hidden, comments } = document;
  const first = text.slice(0, body.start).split("\n").length - 1;
  const fields: Record<string, string> = {};
  const visible = blanked(text, comments).slice(body.start, body.end);
  const rest = visible.split("\n").filter((line, index) => {
    const [, name, value] = hidden.has(first + index) ? [] : FIELD.exec(line) ?? [];
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

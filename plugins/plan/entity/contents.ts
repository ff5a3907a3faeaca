/** What a file says below the head of its entity; read when it is first needed. */

import { blanked, type Document, keyOf, namesIn, type Section } from "./document.ts";
import type { Criterion, ParsedEntity } from "./model.ts";
import { detached } from "./tag.ts";

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
export interface Contents extends Pick<Document, "further" | "conflict"> {
  readonly criteria: readonly Pick<Criterion, "text" | "checked">[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same ids, with the canonical name of their section, if any. */
  readonly scopedRefs: readonly { readonly id: string; readonly section?: string | undefined }[];
  /** The canonical names of its sections. */
  readonly knownSectionsPresent: readonly string[];
  /** The fields of its resolution, and the text without those lines. */
  readonly resolution?: {
    readonly date?: string | undefined;
    readonly branch?: string | undefined;
    readonly pr?: string | undefined;
    readonly body: string;
  } | undefined;
  /** What it depends on (`blocked-by`) and what depends on it (`blocks`), from 0.28 on. */
  readonly dependencies?:
    | readonly { readonly id: string; readonly direction: string }[]
    | undefined;
  /** How many sections are called Resolution, if several are. */
  readonly resolutions?: number | undefined;
  /** The newest line under Notes. */
  readonly note?: string | undefined;
  /** What leaves it open, so that its sections cannot be edited. */
  readonly unclosed?: string | undefined;
  /** The distinct ids and versions after the opening tag. */
  readonly names: readonly string[];
  /** The offset after the opening tag; 0 without an entity. */
  readonly bodyStart: number;
}

export const NO_CONTENTS: Contents = {
  criteria: [],
  refs: [],
  scopedRefs: [],
  knownSectionsPresent: [],
  names: [],
  bodyStart: 0,
  further: [],
  conflict: undefined,
};

/** The section of notes. */
export const NOTES = "Notes";

/** Reduces a document to what is kept of it: its text and offsets would take most of the memory. */
export function contentsOf(document: Document, known: KnownSections): Contents {
  const { entity, further, conflict } = document;
  const found = entity === undefined ? NO_CONTENTS : bodyOf(document, entity, known);
  return detached({ ...found, further, conflict, names: namesIn(document) });
}

function bodyOf(
  document: Document,
  entity: ParsedEntity,
  { byType, hasDirections }: KnownSections,
) {
  const { type, criteria, refs, resolution, sections, tag } = entity;
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
    note: newestNote(document, sections),
    unclosed: entity.unclosed?.message,
    bodyStart: tag.end,
  };
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

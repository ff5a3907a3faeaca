/**
 * The entities of a plan as text: their types, their opening tag, and which lines
 * stand in a code fence.
 *
 * @module
 */

import { Fences } from "../io/markdown.ts";

/** The types of entities, which are the names of their tags. */
export const ENTITY_TYPES = ["spec", "work", "bug", "decision", "milestone"] as const;

/** The type of an entity. */
export type EntityType = typeof ENTITY_TYPES[number];

/** The names of their tags, for a regular expression. */
export const TAG_NAMES: string = ENTITY_TYPES.join("|");

const OPENING = new RegExp(`^\\{%\\s*(${TAG_NAMES})(?=[\\s%/]|$)`);
/** The longest opening tag that is looked for, in UTF-16 units. */
const MOST_TAG = 16_384;

/** Whether a text is the name of an entity's type. */
export function isEntityType(name: string): name is EntityType {
  return ENTITY_TYPES.some((type) => type === name);
}

/** One line of a text. */
export interface Line {
  /** The line without its end. */
  readonly text: string;
  /** Where it begins. */
  readonly start: number;
  /** Whether it belongs to a code fence. */
  readonly isFenced: boolean;
}

/** The lines of a text, with LF or CRLF. */
export function* linesOf(source: string, from = 0): Generator<Line> {
  // Most texts have none, and looking for them takes most of the time.
  const fences = mayHaveFences(source, from) ? new Fences() : undefined;
  for (let start = from; start <= source.length;) {
    const end = source.indexOf("\n", start);
    const stop = end === -1 ? source.length : end;
    const text = source.slice(start, source[stop - 1] === "\r" && stop > start ? stop - 1 : stop);
    yield { text, start, isFenced: fences?.read(text) ?? false };
    if (end === -1) return;
    start = end + 1;
  }
}

function mayHaveFences(source: string, from: number): boolean {
  return source.includes("```", from) || source.includes("~~~", from);
}

/** The opening tag of an entity. */
export interface EntityTag {
  /** The entity's type. */
  readonly type: EntityType;
  /** Where the tag begins. */
  readonly start: number;
  /** Where it ends, after its `%}`. */
  readonly end: number;
  /** The text between the type and `%}`. */
  readonly attributes: string;
}

/**
 * The first opening tag of an entity that begins a line outside code fences; it may
 * go over several lines. A `%}` in a quoted value does not end it.
 */
export function findEntityTag(source: string): EntityTag | undefined {
  for (const { text, start, isFenced } of linesOf(source)) {
    if (isFenced) continue;
    const indent = text.length - text.trimStart().length;
    const type = OPENING.exec(text.slice(indent))?.[1];
    if (type === undefined || !isEntityType(type)) continue;
    const end = tagEnd(source, start + indent);
    if (end === undefined) continue;
    const names = source.indexOf(type, start) + type.length;
    return {
      type,
      start: start + indent,
      end,
      attributes: source.slice(names, end - 2),
    };
  }
  return undefined;
}

/** Where a tag ends, after its `%}`; `undefined` where it does not. */
export function tagEnd(source: string, start: number): number | undefined {
  let quoted = false;
  const most = Math.min(source.length, start + MOST_TAG);
  for (let index = start + 2; index < most; index++) {
    const char = source[index];
    if (quoted) {
      if (char === "\\") index++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "%" && source[index + 1] === "}") return index + 2;
  }
  return undefined;
}

/**
 * The types of a plan's entities, and whether a text holds one.
 *
 * @module
 */

import { markdownLines } from "../io/markdown.ts";

/** The types of entities, which are the names of their tags. */
export const ENTITY_TYPES = ["spec", "work", "bug", "decision", "milestone"] as const;

/** The type of an entity. */
export type EntityType = typeof ENTITY_TYPES[number];

/** An opening tag that begins a line. A `%}` in a quoted value does not end it. */
const TAG = new RegExp(
  String.raw`^[ \t]*\{%\s*(${ENTITY_TYPES.join("|")})(?=[\s%/])` +
    // A limit, because every opening could search the whole text for its end.
    String.raw`(?:"(?:\\.|[^"\\])*"|[^"%]|%(?!\})){0,16384}%\}`,
  "m",
);

/** Whether a text is the name of an entity's type. */
export function isEntityType(name: string): name is EntityType {
  return ENTITY_TYPES.some((type) => type === name);
}

/** The type of the first entity in a text, outside code and comments. */
export function entityTypeIn(text: string): EntityType | undefined {
  const { lines, kinds } = markdownLines(text);
  const prose = lines.filter((_, at) => kinds[at] === "prose").join("\n");
  const type = TAG.exec(prose)?.[1];
  return type !== undefined && isEntityType(type) ? type : undefined;
}

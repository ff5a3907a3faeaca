/**
 * Entities that nobody reads: the plugin takes the first one of a file, and no other.
 *
 * @module
 */

import { findEntityTag, linesOf, TAG_NAMES } from "../../../src/project/entities.ts";

const ANY_OPENING = new RegExp(`\\{%\\s*(?:${TAG_NAMES})(?=[\\s%])`, "g");
const OPENING = new RegExp(`^[ \\t]*\\{%\\s*(?:${TAG_NAMES})\\s[^%]*?\\b(?:id|name)="([^"]*)"`);
/** How many of a file are named. */
const MOST = 20;

/** The ids of the entities of a text after its first one; what stands in a code fence is none. */
export function furtherIds(source: string): readonly string[] {
  // Nearly every file has one tag alone.
  ANY_OPENING.lastIndex = 0;
  if (!ANY_OPENING.test(source) || !ANY_OPENING.test(source)) return NONE;
  const first = findEntityTag(source);
  if (first === undefined) return NONE;
  const ids: string[] = [];
  for (const { text, isFenced } of linesOf(source, first.end)) {
    const id = isFenced ? undefined : OPENING.exec(text)?.[1];
    if (id !== undefined && id !== "" && ids.length < MOST) ids.push(id);
  }
  return ids.length === 0 ? NONE : JSON.parse(JSON.stringify(ids));
}

const NONE: readonly string[] = [];

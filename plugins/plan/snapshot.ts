/**
 * What of an entity's text the history compares.
 *
 * @module
 */

import { isTooHard } from "../../src/io/markup_limits.ts";
import { contentOf, type Document, read } from "./document.ts";
import type { Criterion } from "./entity.ts";

/** One version of an entity. */
export interface Snapshot {
  /** Its type. */
  readonly type: string;
  /** Its id, or a milestone's name. */
  readonly id: string | undefined;
  /** Its first heading. */
  readonly title: string | undefined;
  /** The attributes of its tag. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its criteria. */
  readonly criteria: readonly Criterion[];
  /** Tells one text of its resolution from another; `undefined` where there is none. */
  readonly resolution?: number;
}

/** Takes what counts from a file's text; `null` where it holds no entity. */
export function snapshotOf(source: string): Snapshot | null {
  const document = readable(source);
  if (document?.entity === undefined) return null;
  const { type, id, title, attributes, criteria, sections, resolution } = document.entity;
  return {
    type,
    id,
    title: title?.text,
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    ...(resolution === undefined
      ? {}
      : { resolution: digest(contentOf(document, sections[resolution.section]!.content)) }),
  };
}

function readable(source: string): Document | undefined {
  try {
    return read(source);
  } catch (error) {
    if (isTooHard(error)) return undefined;
    throw error;
  }
}

/** A number that two texts share by accident once in four thousand million times. */
function digest(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  return hash >>> 0;
}

/** Whether two texts are of one entity: an id may be changed, or a title, but not both at once. */
export function isSameEntity(before: Snapshot, after: Snapshot): boolean {
  return before.id === after.id || before.title === after.title;
}

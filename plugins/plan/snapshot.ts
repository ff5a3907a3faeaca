/**
 * What the history compares of an entity's text.
 *
 * @module
 */

import { isTooHard } from "../../src/io/markup_limits.ts";
import { entityTypeIn } from "../../src/project/entities.ts";
import { read } from "./document.ts";
import type { Criterion } from "./entity.ts";

/** One version of an entity. */
export interface Snapshot {
  readonly type: string;
  /** Its id, or a milestone's name. */
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly attributes: Record<string, string>;
  readonly criteria: readonly Criterion[];
  /** Its resolution as JSON; `undefined` where there is none. */
  readonly resolution?: string;
}

const NOTHING = { id: undefined, title: undefined, attributes: {}, criteria: [] };

/** Takes what counts from a file's text; `null` where it holds no entity. */
export function snapshotOf(text: string): Snapshot | null {
  let found;
  try {
    found = read(text).entity;
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
  if (found === undefined) {
    // A tag that Markdoc cannot parse, such as one with curly quotes, was an entity to its author.
    const type = entityTypeIn(text);
    return type === undefined ? null : { ...NOTHING, type };
  }
  const { type, id, title, attributes, criteria, resolution } = found;
  return {
    type,
    id,
    title: title?.text,
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    ...(resolution === undefined ? {} : { resolution: JSON.stringify(resolution) }),
  };
}

/**
 * What the history compares of an entity's text.
 *
 * @module
 */

import { isTooHard } from "../../src/io/markup_limits.ts";
import { contentOf, read } from "./document.ts";
import type { Criterion } from "./entity.ts";

/** One version of an entity. */
export interface Snapshot {
  readonly type: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly criteria: readonly Criterion[];
  /** A hash of its resolution; `undefined` where there is none. */
  readonly resolution?: number;
}

/** Takes what counts from a file's text; `null` where it holds no entity. */
export function snapshotOf(source: string): Snapshot | null {
  let document;
  try {
    document = read(source);
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
  if (document.entity === undefined) return null;
  const { type, id, title, attributes, criteria, resolution } = document.entity;
  return {
    type,
    id,
    title: title?.text,
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    ...(resolution && { resolution: hashOf(contentOf(document, resolution.content)) }),
  };
}

/** A number that two texts share by accident once in four thousand million times. */
function hashOf(text: string): number {
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

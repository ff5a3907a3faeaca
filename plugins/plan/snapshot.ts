import { isTooHard } from "../../src/io/markup_limits.ts";
import { contentOf, read } from "./document.ts";
import type { Criterion } from "./entity.ts";

/** One version of an entity, reduced to what the history compares. */
export interface Snapshot {
  readonly type: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly criteria: readonly Criterion[];
  /** The text of its resolution, if any. */
  readonly resolution?: string;
}

/** Parses a version; returns `null` if it contains no entity. */
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
    ...(resolution && { resolution: contentOf(document, resolution.content) }),
  };
}

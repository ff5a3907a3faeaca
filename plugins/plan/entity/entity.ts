/** Entities as the plugin parses them. */

import { plainText } from "../../../src/plain_text.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import type { Criterion as DocumentCriterion } from "./document.ts";

/** In characters. */
const MAX_TITLE = 1000;

export type Criterion = Pick<DocumentCriterion, "text" | "checked">;

/** The result of the plugin's parser. */
export interface ParsedEntity {
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** The first heading. */
  readonly title: string | undefined;
  /** Relative to the plan. */
  readonly file: string;
  readonly criteria: readonly Criterion[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same ids, with the canonical name of their section, if any. */
  readonly scopedRefs: readonly { readonly id: string; readonly section?: string }[];
  /** The canonical names of its sections. */
  readonly knownSectionsPresent: readonly string[];
  /** The fields of its resolution, and the text without those lines. */
  readonly resolution?: {
    readonly date?: string;
    readonly branch?: string;
    readonly pr?: string;
    readonly body: string;
  } | undefined;
  /** What it depends on (`blocked-by`) and what depends on it (`blocks`), from 0.28 on. */
  readonly dependencies?:
    | readonly { readonly id: string; readonly direction: string }[]
    | undefined;
}

/**
 * Parses a file; returns `null` if it contains no entity.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if parsing takes too long.
 */
export type ParseEntity = (source: string, file: string) => ParsedEntity | null;

export interface PlanEntity extends ParsedEntity {
  /** Its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** When its file was last changed, in milliseconds. */
  readonly mtime: number;
}

/** Converts a parsed entity. Its criteria are read when they are first needed. */
export function planEntity(
  parsed: ParsedEntity,
  mtime: number,
  criteria: () => readonly Criterion[],
): PlanEntity {
  const { criteria: _own, title, ...rest } = parsed;
  const { id, name } = parsed.attributes;
  return {
    ...rest,
    title: title && plainText(title, MAX_TITLE),
    id: id || name || undefined,
    mtime,
    get criteria() {
      return criteria().map(({ text, checked }) => ({ text, checked }));
    },
  };
}

/** An entity with nothing but an id, which marks the id as taken. */
export function nameOnly(id: string, file: string): PlanEntity {
  const lists = { criteria: [], refs: [], scopedRefs: [], knownSectionsPresent: [] };
  const named = { type: "work", attributes: { id }, title: undefined, file } as const;
  return planEntity({ ...named, ...lists }, 0, () => []);
}

/**
 * Entities as the plugin parses them.
 *
 * @module
 */

import { plainText } from "../../src/plain_text.ts";
import type { EntityType } from "../../src/project/entities.ts";
import type { Criterion as DocumentCriterion } from "./document.ts";

/** The most characters of a title. */
const MOST_TITLE = 1000;

/** One criterion of an entity. */
export type Criterion = Pick<DocumentCriterion, "text" | "checked">;

/** What the plugin's parser answers. */
export interface ParsedEntity {
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its first heading. */
  readonly title: string | undefined;
  /** Its file, relative to the plan. */
  readonly file: string;
  readonly criteria: readonly Criterion[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same, with the canonical name of the section where that has one. */
  readonly scopedRefs: readonly { readonly id: string; readonly section?: string }[];
  /** The canonical names of the sections that it has. */
  readonly knownSectionsPresent: readonly string[];
  /** Its resolution: lines of it, and the text without those. */
  readonly resolution?: {
    readonly date?: string;
    readonly branch?: string;
    readonly pr?: string;
    readonly body: string;
  } | undefined;
  /** What it depends on (`blocked-by`), and what depends on it (`blocks`), from 0.28 on. */
  readonly dependencies?:
    | readonly { readonly id: string; readonly direction: string }[]
    | undefined;
}

/**
 * Parses a file's text; `null` where it holds no entity.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that takes too long.
 */
export type ParseEntity = (source: string, file: string) => ParsedEntity | null;

/** An entity of a plan. */
export interface PlanEntity extends ParsedEntity {
  /** The name that it goes by: its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** When its file was last changed, in milliseconds. */
  readonly mtime: number;
}

/**
 * An entity of a plan from what the plugin parsed.
 *
 * @param criteria The criteria of its document, asked for when they are first needed.
 */
export function planEntity(
  parsed: ParsedEntity,
  mtime: number,
  criteria: () => readonly Criterion[],
): PlanEntity {
  const { criteria: _own, title, ...rest } = parsed;
  const { id, name } = parsed.attributes;
  return {
    ...rest,
    title: title && plainText(title, MOST_TITLE),
    id: id || name || undefined,
    mtime,
    get criteria() {
      return criteria().map(({ text, checked }) => ({ text, checked }));
    },
  };
}

/** An entity of which only the name is known, for code that asks which names are taken. */
export function nameOnly(id: string, file: string): PlanEntity {
  const lists = { criteria: [], refs: [], scopedRefs: [], knownSectionsPresent: [] };
  const named = { type: "work", attributes: { id }, title: undefined, file } as const;
  return planEntity({ ...named, ...lists }, 0, () => []);
}

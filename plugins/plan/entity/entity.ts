/** Entities as the plugin parses them. */

import { shortText } from "../../../src/plain_text.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import type { Criterion as DocumentCriterion, Document } from "./document.ts";

/** In characters. */
const MAX_TITLE = 1000;

export type Criterion = Pick<DocumentCriterion, "text" | "checked">;

/** What the first lines of most files say. */
export interface Head {
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** The first heading. */
  readonly title: string | undefined;
}

/** What the plugin's parser reads in the body. */
export interface Details {
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

/** The result of the plugin's parser. */
export type ParsedEntity = Head & Details;

/**
 * Parses a file with both parsers; `parsed` is `null` if it contains no entity.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` if parsing takes too long.
 */
export type ParseFile = (
  source: string,
  file: string,
) => { readonly document: Document; readonly parsed: ParsedEntity | null };

export interface PlanEntity extends ParsedEntity {
  /** Relative to the plan. */
  readonly file: string;
  /** Its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** When its file was last changed, in milliseconds. */
  readonly mtime: number;
  readonly criteria: readonly Criterion[];
}

/** What is read when it is first needed. */
export type Contents = Details & { readonly criteria: readonly Criterion[] };

export const NO_CONTENTS: Contents = {
  criteria: [],
  refs: [],
  scopedRefs: [],
  knownSectionsPresent: [],
};

export function planEntity(
  { type, attributes, title }: Head,
  file: string,
  mtime: number,
  contents: () => Contents,
): PlanEntity {
  return {
    file,
    type,
    attributes,
    title: title && shortText(title, MAX_TITLE),
    id: attributes["id"] || attributes["name"] || undefined,
    mtime,
    get criteria() {
      return contents().criteria;
    },
    get refs() {
      return contents().refs;
    },
    get scopedRefs() {
      return contents().scopedRefs;
    },
    get knownSectionsPresent() {
      return contents().knownSectionsPresent;
    },
    get resolution() {
      return contents().resolution;
    },
    get dependencies() {
      return contents().dependencies;
    },
  };
}

/** An entity with nothing but an id, which marks the id as taken. */
export function nameOnly(id: string, file: string): PlanEntity {
  const head = { type: "work", attributes: { id }, title: undefined } as const;
  return planEntity(head, file, 0, () => NO_CONTENTS);
}

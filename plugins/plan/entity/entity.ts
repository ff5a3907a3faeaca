/**
 * The shapes of an entity, from the text to an answer:
 *
 * - `Entity` of `model.ts` has offsets, for edits; it lasts as long as the text is at hand.
 * - {@linkcode Head} is what the first lines of a file say.
 * - {@linkcode Contents} is what the rest of the file says, without offsets.
 * - {@linkcode PlanEntity} joins both with the file's name; the plugin's commands get it, too.
 * - `Item` of `queries/access.ts` is an entity with what follows from the plan and the vocabulary.
 * - `Named` of `queries/access.ts` is a reference to an entity in an answer.
 *
 * Beside these, `Snapshot` of `git/renames.ts` is what a commit's version has, `Card` of
 * `queries/board.ts` what the board draws, and `StateElsewhere` an `Item` with its place.
 */

import { shortText } from "../../../src/plain_text.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import type { Criterion, Document } from "./model.ts";

/** In characters. */
const MAX_TITLE = 1000;

/** What the first lines of most files say. */
export interface Head {
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** The first heading. */
  readonly title: string | undefined;
}

/** What a file says below the head of its entity, or without one. */
export interface Contents extends Pick<Document, "further" | "conflict"> {
  readonly criteria: readonly Pick<Criterion, "text" | "checked">[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same ids, with the canonical name of their section, if any. */
  readonly scopedRefs: readonly { readonly id: string; readonly section?: string | undefined }[];
  /** The canonical names of its sections. */
  readonly knownSectionsPresent: readonly string[];
  /** The fields of its resolution, and the text without those lines. */
  readonly resolution?: {
    readonly date?: string | undefined;
    readonly branch?: string | undefined;
    readonly pr?: string | undefined;
    readonly body: string;
  } | undefined;
  /** What it depends on (`blocked-by`) and what depends on it (`blocks`), from 0.28 on. */
  readonly dependencies?:
    | readonly { readonly id: string; readonly direction: string }[]
    | undefined;
  /** The distinct ids and versions after the opening tag. */
  readonly names: readonly string[];
  /** The offset after the opening tag; 0 without an entity. */
  readonly bodyStart: number;
}

export const NO_CONTENTS: Contents = {
  criteria: [],
  refs: [],
  scopedRefs: [],
  knownSectionsPresent: [],
  names: [],
  bodyStart: 0,
  further: [],
  conflict: undefined,
};

export interface PlanEntity
  extends Head, Omit<Contents, "further" | "conflict" | "names" | "bodyStart"> {
  /** Relative to the plan. */
  readonly file: string;
  /** Its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** When its file was last changed, in milliseconds. */
  readonly mtime: number;
}

/** @param contents Called when a property is needed that the head does not have. */
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

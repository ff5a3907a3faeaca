/**
 * The shapes of an entity, from the text to an answer. Each of the others is a view (`Pick`) of one.
 *
 * - `Entity` of `model.ts` has offsets, for edits; it lasts as long as the text is at hand.
 * - {@linkcode Contents} is what a file says below its first lines, without offsets.
 * - {@linkcode PlanEntity} is what the plugin's commands get: it joins the first lines, its view
 *   {@linkcode Head}, with the contents and the file's name.
 * - `Item` of `queries/access.ts` is an entity with what follows from the plan and the vocabulary; its
 *   view `Named` is a reference to it in an answer.
 * - `Snapshot` of `git/renames.ts` is what a commit's version has, as far as history compares it.
 * - `Card` of `queries/board.ts` is what the board draws.
 */

import { shortText } from "../../../src/plain_text.ts";
import type { Criterion, Document, Entity } from "./model.ts";

/** In characters. */
const MAX_TITLE = 1000;

/** What the first lines of most files say. */
export type Head = Pick<PlanEntity, "type" | "attributes" | "title">;

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
  /** The newest line under Notes. */
  readonly note?: string | undefined;
  /** What leaves it open, so that its sections cannot be edited. */
  readonly unclosed?: string | undefined;
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
  extends
    Pick<Entity, "type" | "id" | "attributes">,
    Omit<Contents, "further" | "conflict" | "names" | "note" | "unclosed" | "bodyStart"> {
  /** The first heading. */
  readonly title: string | undefined;
  /** Relative to the plan. */
  readonly file: string;
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

/**
 * Entities as the plugin parses them.
 *
 * @module
 */

import { plainText } from "../../src/plain_text.ts";
import type { EntityType } from "../../src/project/entities.ts";

/** The most characters of a title. */
const MOST_TITLE = 1000;

/** One criterion of an entity. */
export interface Criterion {
  /** Its text. */
  readonly text: string;
  /** Whether it is ticked. */
  readonly checked: boolean;
}

/** A reference, and the known section that it stands in. */
export interface ScopedRef {
  /** The id that is referred to. */
  readonly id: string;
  /** The section's canonical name, where it has one. */
  readonly section?: string;
}

/** A resolution. */
export interface Resolution {
  /** When it was written, as its text says. */
  readonly date?: string;
  /** The branch, as its text says. */
  readonly branch?: string;
  /** The pull request, as its text says. */
  readonly pr?: string;
  /** The text without those lines. */
  readonly body: string;
}

/** A dependency with its direction. */
export interface Dependency {
  /** The id of the other entity. */
  readonly id: string;
  /** `blocked-by` or `blocks`. */
  readonly direction: string;
}

/** What the plugin's parser answers. */
export interface ParsedEntity {
  /** Its type. */
  readonly type: EntityType;
  /** The attributes of its tag. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Its first heading. */
  readonly title: string | undefined;
  /** Its file, relative to the plan. */
  readonly file: string;
  /** Its check boxes. */
  readonly criteria: readonly Criterion[];
  /** The ids that it refers to. */
  readonly refs: readonly string[];
  /** The same with their sections. */
  readonly scopedRefs: readonly ScopedRef[];
  /** The canonical names of the sections that it has. */
  readonly knownSectionsPresent: readonly string[];
  /** Its resolution. */
  readonly resolution?: Resolution | undefined;
  /** What it depends on, and what depends on it, where the plugin tells them apart (0.28). */
  readonly dependencies?: readonly Dependency[] | undefined;
}

/** An entity of a plan. */
export interface PlanEntity extends ParsedEntity {
  /** The name that it goes by: its `id`, or a milestone's `name`. */
  readonly id: string | undefined;
  /** When its file was last changed, in milliseconds. */
  readonly mtime: number;
}

/** The name that attributes give an entity: its `id`, or a milestone's `name`. */
export function idOf(attributes: Readonly<Record<string, string>>): string | undefined {
  return attributes["id"] || attributes["name"] || undefined;
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
  const { criteria: _own, ...rest } = parsed;
  const title = parsed.title && plainText(parsed.title, MOST_TITLE);
  return {
    ...rest,
    title,
    id: idOf(parsed.attributes),
    mtime,
    get criteria() {
      return criteria().map(({ text, checked }) => ({ text, checked }));
    },
  };
}

/** An entity of which only the name is known, for code that asks which names are taken. */
export function nameOnly(id: string, file: string): PlanEntity {
  return {
    id,
    file,
    type: "work",
    attributes: { id },
    title: undefined,
    mtime: 0,
    criteria: [],
    refs: [],
    scopedRefs: [],
    knownSectionsPresent: [],
  };
}

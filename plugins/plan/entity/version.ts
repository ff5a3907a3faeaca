/** What versions of an entity are compared by. */

import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { contentOf, type Document, read, type Span } from "./document.ts";
import type { Criterion, ParsedEntity } from "./model.ts";
import { detached } from "./tag.ts";
import type { EntityType } from "./types.ts";

/** What versions of an entity are compared by. */
export interface Version {
  readonly type: EntityType;
  /** Its `id`, or a milestone's name. */
  readonly id?: string | undefined;
  /** Empty without one. */
  readonly title: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly criteria: readonly { readonly text: string; readonly checked: boolean }[];
  readonly texts: {
    /** Differ with the texts of sections, by name; criteria and the resolution are not part of them. */
    readonly sections: Readonly<Record<string, number>>;
    /** The text of its resolution, if any. */
    readonly resolution?: string | undefined;
  };
}

/** Parses a version; returns `null` if the text has no entity. */
export function versionOf(text: string): Version | null {
  try {
    const document = read(text);
    return document.entity === undefined ? null : detached(versionIn(document, document.entity));
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
}

/** The version in a parsed document. */
export function versionIn(document: Document, entity: ParsedEntity): Version {
  const { type, id, title, attributes, criteria, resolution, sections } = entity;
  const hashes = sections.flatMap((section, index) => {
    if (section === resolution) return [];
    const inside = criteria.filter((criterion) => criterion.section === index);
    return [[section.name, textHash(document, section.content, inside)]];
  });
  return {
    type,
    id,
    title: title?.text ?? "",
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    texts: {
      sections: Object.fromEntries(hashes),
      resolution: resolution && contentOf(document, resolution.content),
    },
  };
}

const CRITERIA = /^\s*[-*+] \[[ xX]\].*$/gm;

/** Hashes a part of the text without the criteria in it. */
function textHash(
  { text }: Document,
  { start, end }: Span,
  criteria: readonly Criterion[],
): number {
  let rest = "";
  let at = start;
  for (const { words } of criteria) {
    rest += text.slice(at, words.start);
    at = words.end;
  }
  rest += text.slice(at, end);
  const words = rest.replace(CRITERIA, () => "").trim();
  let hash = 0;
  for (let at = 0; at < words.length; at++) hash = Math.imul(hash, 31) + words.charCodeAt(at) | 0;
  return hash;
}

/** What versions of an entity are compared by. */

import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { contentOf, type Document, read, type Span } from "./document.ts";
import type { ParsedEntity } from "./model.ts";
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
    /** Differs with the rest of the body; criteria are not part of it. */
    readonly rest: number;
    /** The same for each section, by its name. */
    readonly sections: Readonly<Record<string, number>>;
    /** The text of its resolution, if any. */
    readonly resolution?: string | undefined;
  };
}

/** Parses a version; returns `null` if the text has no entity. */
export function versionOf(text: string): Version | null {
  try {
    const document = read(text);
    return document.entity === undefined ? null : versionIn(document, document.entity);
  } catch (error) {
    if (isTooHard(error)) return null;
    throw error;
  }
}

/** The version in a parsed document. */
export function versionIn(document: Document, entity: ParsedEntity): Version {
  const { type, id, title, attributes, criteria, resolution, body, sections } = entity;
  const excluded = criteria.map(({ words }): Span => words);
  if (resolution !== undefined) excluded.push(resolution);
  const hashes = sections.map((section) => {
    const within = ({ start, end }: Span) => start < section.end && end > section.start;
    return [section.name, textHash(document, section.content, excluded.filter(within))];
  });
  return {
    type,
    id,
    title: title?.text ?? "",
    attributes,
    criteria: criteria.map(({ text, checked }) => ({ text, checked })),
    texts: {
      rest: textHash(document, body, excluded),
      sections: Object.fromEntries(hashes),
      resolution: resolution && contentOf(document, resolution.content),
    },
  };
}

const CRITERIA = /^\s*[-*+] \[[ xX]\].*$/gm;

/** Hashes a part of the text without what is compared by itself. */
function textHash({ text }: Document, { start, end }: Span, excluded: readonly Span[]): number {
  let rest = "";
  let at = start;
  for (const span of excluded.toSorted((a, b) => a.start - b.start)) {
    rest += text.slice(at, Math.max(at, span.start));
    at = Math.max(at, span.end);
  }
  rest += text.slice(at, end);
  const words = rest.replace(CRITERIA, () => "").trim();
  let hash = 0;
  for (let at = 0; at < words.length; at++) hash = hash * 31 + words.charCodeAt(at) | 0;
  return hash;
}

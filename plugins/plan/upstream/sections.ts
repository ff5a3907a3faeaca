/**
 * The sections that the installed plugin knows. Their names differ between versions, and it keeps
 * them to itself: its parser is asked about every name that stands in quotes in its source.
 */

import { ENTITY_TYPES } from "../entity/types.ts";
import type { Contents, KnownSections } from "../entity/contents.ts";

/** The plugin's parser, as far as it is asked. */
export type Parse = (
  source: string,
  file: string,
) => Pick<Contents, "scopedRefs" | "dependencies"> | null;

/** A name in quotes, such as `Acceptance Criteria` or `trade-offs`. */
const QUOTED = /(["'`])(\p{L}[\p{L}\p{N} &/-]*)\1/gu;

/**
 * Asks the plugin's parser.
 *
 * @param source The parser's source. It only suggests names: the parser decides.
 * @throws {TypeError} If this version does not tell.
 */
export function readSections(parse: Parse, source: string): KnownSections {
  const names = new Set(Array.from(source.matchAll(QUOTED), ([, , name]) => name!.toLowerCase()));
  let directions: Record<string, string> | undefined;
  const all = ENTITY_TYPES.map((type) => {
    const sections: Record<string, string[]> = {};
    const { scopedRefs, dependencies } = parsed(parse, type, [...names]);
    if (dependencies !== undefined) directions ??= {};
    for (const { id, section } of scopedRefs) {
      if (section === undefined) continue;
      (sections[section] ??= []).push(id);
      const direction = dependencies?.find((dependency) => dependency.id === id)?.direction;
      if (direction !== undefined) directions![section] = direction;
    }
    return [type, sections] as const;
  });
  if (all.every(([, sections]) => Object.keys(sections).length === 0)) {
    throw new TypeError("it has no sections");
  }
  const byType = Object.fromEntries(all);
  return directions === undefined ? { byType } : { byType, directions };
}

/** Parses an entity whose sections each refer to their own name. */
function parsed(parse: Parse, type: string, names: readonly string[]) {
  const sections = names.map((name) => `## ${name}\n\n{% ref ${JSON.stringify(name)} /%}\n\n`);
  const answer = parse(`{% ${type} id="X" %}\n\n${sections.join("")}{% /${type} %}\n`, "");
  if (answer === null) throw new TypeError("it finds no entity");
  return answer;
}

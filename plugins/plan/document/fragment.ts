/**
 * A caller's text that is to become a part of an entity, read as it will be read there.
 *
 * @module
 */

import type { EntityType } from "../../../src/project/entities.ts";
import type { Section } from "./model.ts";
import { readStrictly } from "./read.ts";

/** A text as a part of an entity. */
export interface Fragment {
  /** The text, in which every `{%` that opens or closes nothing has a backslash before it. */
  readonly text: string;
  /** What is left to say against it, as `the code fence that opens in line 2 is not closed`. */
  readonly problem: string | undefined;
  /** Whether it has the tag of an entity. */
  readonly hasEntityTag: boolean;
  /** Its parts that are not empty; the first one may come before its first heading. */
  readonly sections: readonly FragmentSection[];
}

/** A part of a fragment. */
export interface FragmentSection extends Pick<Section, "name" | "level"> {
  /** What stands below the heading. */
  readonly text: string;
}

/** So many times tags without a partner are looked for: escaping one may free another. */
const MOST_ROUNDS = 20;

/**
 * Reads a text with LF line ends as the body of an entity.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for a text that would keep the parser long.
 */
export function readFragment(given: string, type: EntityType): Fragment {
  const before = `{% ${type} id="X" %}\n\n# Title\n\n`;
  const lines = before.split("\n").length - 1;
  let text = given;
  for (let round = 0;; round++) {
    const { document, entityTags, openFence } = readStrictly(
      `${before}${text}\n\n{% /${type} %}\n`,
    );
    const { unclosed, errors, sections } = document.entity!;
    const places = unclosed?.kind === "tag" ? [unclosed.start] : [];
    places.push(...errors.map(({ start }) => start));
    const inside = places.map((at) => at - before.length)
      .filter((at) => at >= 0 && at < text.length && text.startsWith("{%", at));
    const hasEntityTag = entityTags > 2;
    if (inside.length === 0 || hasEntityTag || round === MOST_ROUNDS) {
      const problem = unclosed?.message ?? openFence?.message ?? errors[0]?.message ??
        (document.conflict === undefined ? undefined : "It has merge conflict markers");
      return {
        text,
        problem: problem?.replace(/in line (\d+)/, (_all, line) => `in its line ${line - lines}`),
        hasEntityTag,
        sections: sections.map(({ name, level, content: { start, end } }) => ({
          name,
          level,
          text: document.text.slice(start, end),
        })).filter(({ level, text }) => level > 0 || text !== ""),
      };
    }
    for (const at of [...new Set(inside)].sort((a, b) => b - a)) {
      text = `${text.slice(0, at)}\\${text.slice(at)}`;
    }
  }
}

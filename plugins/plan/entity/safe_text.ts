/**
 * Checks text from a caller before it goes into an entity: it must not end the entity, contain
 * control characters, or leave a tag, comment or code fence open.
 */

import { RefraktError } from "../../../src/errors.ts";
import type { EntityType } from "./types.ts";
import { read, type Section } from "./document.ts";

const MAX_TEXT = 256 * 1024;

/** How often unmatched tags are escaped: escaping one may unmatch another. */
const MAX_ROUNDS = 20;

export interface SafeText {
  /** With LF line ends, and a backslash before every `{%` of an unmatched tag. */
  readonly text: string;
  /** The non-empty parts; the first may come before the first heading. */
  readonly sections: readonly (Pick<Section, "name" | "level"> & {
    /** The text below the heading. */
    readonly text: string;
  })[];
}

/**
 * Makes a text safe to insert into an entity, by parsing it in place.
 *
 * @param what The text's name in errors, such as `"resolve"`.
 * @param type The type of the entity.
 * @throws {RefraktError} `VALIDATION_ERROR` if it cannot be inserted.
 */
export function safeText(source: string, what: string, type: EntityType): SafeText {
  const reject = (message: string, hint: string) =>
    new RefraktError("VALIDATION_ERROR", `${what} ${message}`, { hint });
  let text = source.replace(/\r\n?/g, "\n");
  if (text.length > MAX_TEXT) {
    throw reject(
      `is longer than ${MAX_TEXT} characters`,
      "Shorten it, or move the text to a separate file.",
    );
  }
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw reject("must not contain control characters", "Pass plain text.");
  }
  const before = `{% ${type} id="X" %}\n\n# Title\n\n`;
  const lines = before.split("\n").length - 1;
  for (let round = 0;; round++) {
    const document = read(`${before}${text}\n\n{% /${type} %}\n`);
    const { unclosed, errors, sections } = document.entity!;
    if (document.entityTags > 2) {
      throw reject(
        "must not contain tags of plan entities: they would break the file",
        'Refer to another entity with {% ref "WORK-001" /%}, or by its bare id.',
      );
    }
    const places = [...unclosed?.kind === "tag" ? [unclosed] : [], ...errors]
      .map(({ start }) => start - before.length)
      .filter((at) => at >= 0 && at < text.length && text.startsWith("{%", at));
    if (places.length === 0 || round === MAX_ROUNDS) {
      const problem = unclosed?.message ?? document.openFence?.message ?? errors[0]?.message ??
        (document.conflict === undefined ? undefined : "It has merge conflict markers");
      if (problem !== undefined) {
        throw reject(
          "cannot be written: " +
            problem.replace(/in line (\d+)/, (_all, line) => `in its line ${line - lines}`),
          "Close what it opens, or put it between backquotes as code.",
        );
      }
      const parts = sections.map(({ name, level, content: { start, end } }) => ({
        name,
        level,
        text: document.text.slice(start, end),
      }));
      return { text, sections: parts.filter(({ level, text }) => level > 0 || text !== "") };
    }
    for (const at of [...new Set(places)].sort((a, b) => b - a)) {
      text = `${text.slice(0, at)}\\${text.slice(at)}`;
    }
  }
}

/**
 * Text from a caller that goes into an entity: it may not end the entity, open a tag, a comment
 * or a code fence that it does not close, or hold control characters.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { EntityType } from "../../src/project/entities.ts";
import { read, type Section } from "./document.ts";

const MOST_TEXT = 256 * 1024;

/** So many times tags without a partner are looked for: escaping one may free another. */
const MOST_ROUNDS = 20;

/** A text as a part of an entity. */
export interface SafeText {
  /** The text with LF line ends, and a backslash before every `{%` that opens or closes nothing. */
  readonly text: string;
  /** Its parts that are not empty; the first one may come before its first heading. */
  readonly sections: readonly (Pick<Section, "name" | "level"> & {
    /** What stands below the heading. */
    readonly text: string;
  })[];
}

/**
 * Makes a text fit for the inside of an entity, by reading it as it will be read there.
 *
 * @param what Names the text in errors, such as `"resolve"`.
 * @param type The type of the entity.
 * @throws {RefraktError} `VALIDATION_ERROR` for what cannot be written.
 */
export function safeText(given: string, what: string, type: EntityType): SafeText {
  const refuse = (message: string, hint: string) =>
    new RefraktError("VALIDATION_ERROR", `${what} ${message}`, { hint });
  let text = given.replace(/\r\n?/g, "\n");
  if (text.length > MOST_TEXT) {
    throw refuse(
      `is longer than ${MOST_TEXT} characters`,
      "Shorten it, or put the text into a file of its own.",
    );
  }
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw refuse("may not hold control characters", "Give plain text.");
  }
  const before = `{% ${type} id="X" %}\n\n# Title\n\n`;
  const lines = before.split("\n").length - 1;
  for (let round = 0;; round++) {
    const document = read(`${before}${text}\n\n{% /${type} %}\n`);
    const { unclosed, errors, sections } = document.entity!;
    if (document.entityTags > 2) {
      throw refuse(
        "may not hold the tags of plan entities: they would break the file",
        'Refer to another entity with {% ref "WORK-001" /%}, or by its bare id.',
      );
    }
    const places = [...unclosed?.kind === "tag" ? [unclosed] : [], ...errors]
      .map(({ start }) => start - before.length)
      .filter((at) => at >= 0 && at < text.length && text.startsWith("{%", at));
    if (places.length === 0 || round === MOST_ROUNDS) {
      const problem = unclosed?.message ?? document.openFence?.message ?? errors[0]?.message ??
        (document.conflict === undefined ? undefined : "It has merge conflict markers");
      if (problem !== undefined) {
        throw refuse(
          "cannot be written: " +
            problem.replace(/in line (\d+)/, (_all, line) => `in its line ${line - lines}`),
          "Close what it opens, or write it as code between back quotes.",
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

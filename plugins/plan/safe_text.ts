/**
 * Text from a caller that goes into an entity: it may not end the entity, open a tag, a comment
 * or a code fence that it does not close, or hold control characters.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import type { EntityType } from "../../src/project/entities.ts";
import { type Fragment, readFragment } from "./document.ts";

const MOST_TEXT = 256 * 1024;

/**
 * Makes a text fit for the inside of an entity: line ends become LF, and every `{%` that opens or
 * closes nothing is escaped, so that it is shown as it stands.
 *
 * @param what Names the text in errors, such as `"resolve"`.
 * @param type The type of the entity.
 * @throws {RefraktError} `VALIDATION_ERROR` for what cannot be written.
 */
export function safeText(given: string, what: string, type: EntityType): Fragment {
  const text = given.replace(/\r\n?/g, "\n");
  if (text.length > MOST_TEXT) {
    throw new RefraktError("VALIDATION_ERROR", `${what} is longer than ${MOST_TEXT} characters`, {
      hint: "Shorten it, or put the text into a file of its own.",
    });
  }
  // deno-lint-ignore no-control-regex -- these are what is looked for
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) {
    throw new RefraktError("VALIDATION_ERROR", `${what} may not hold control characters`, {
      hint: "Give plain text.",
    });
  }
  const fragment = readFragment(text, type);
  if (fragment.hasEntityTag) {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `${what} may not hold the tags of plan entities: they would break the file`,
      { hint: 'Refer to another entity with {% ref "WORK-001" /%}, or by its bare id.' },
    );
  }
  if (fragment.problem !== undefined) {
    throw new RefraktError("VALIDATION_ERROR", `${what} cannot be written: ${fragment.problem}`, {
      hint: "Close what it opens, or write it as code between back quotes.",
    });
  }
  return fragment;
}

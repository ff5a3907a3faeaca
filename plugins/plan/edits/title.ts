/**
 * The title of an entity: its first heading.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { checkTitle } from "../values.ts";
import type { Editable, EditOutcome } from "./outcome.ts";

/** Sets the title. The name before a milestone's title stays. */
export function setTitle(
  { text }: { readonly text: string },
  document: Editable,
): EditOutcome {
  const { type, title, body } = document.entity;
  const old = title?.words === undefined
    ? title?.text ?? ""
    : document.text.slice(title.words.start, title.words.end);
  const name = type === "milestone" ? /^\S+ — /.exec(old)?.[0] ?? "" : "";
  const given = checkTitle(text);
  const wanted = given.startsWith(name) ? given : name + given;
  if (wanted === old) return { splices: [], changes: [] };
  if (title !== undefined && title.words === undefined) {
    throw new RefraktError("VALIDATION_ERROR", "The title cannot be changed", {
      hint: "The first heading stands in a list, a quotation or a tag. Change it by hand.",
    });
  }
  const place = title?.words ?? { start: body.start, end: body.start };
  // A heading without words may lack the space after its mark.
  const space = old === "" && document.text[place.start - 1] === "#" ? " " : "";
  return {
    title: wanted,
    splices: [{ ...place, text: title === undefined ? `\n# ${wanted}\n` : space + wanted }],
    changes: [{ field: "title", old, new: wanted }],
  };
}

/** Notes: dated, signed lines of whoever works on an entity, for whoever goes on with it. */

import { RefraktError } from "../../../../src/errors.ts";
import { NOTES } from "../../entity/contents.ts";
import { appendToSection } from "./sections.ts";
import type { Editable, EditOutcome } from "./splices.ts";

/** In characters. */
const MOST_NOTE = 1000;

/** Adds a line under Notes. */
export function addNote(
  { text, by }: { readonly text: string; readonly by: string },
  document: Editable,
): EditOutcome {
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "" || by.length + line.length > MOST_NOTE) {
    throw new RefraktError("INVALID_ARGS", `A note has 1 to ${MOST_NOTE} characters`, {
      hint: "Say what is done, what was tried, and what is next. Longer texts go into a section.",
    });
  }
  const day = new Date().toISOString().slice(0, 10);
  const signed = `${day} ${[by.replace(/\s+/g, " ").trim(), line].filter(Boolean).join(": ")}`;
  return {
    ...appendToSection({ heading: NOTES, text: `- ${signed}` }, document),
    changes: [{ field: "note", old: "", new: signed }],
  };
}

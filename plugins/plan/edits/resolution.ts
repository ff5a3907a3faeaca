/**
 * The resolution of a work item or a bug.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import type { EditOutcome } from "../edits.ts";
import type { Outline } from "../outline.ts";
import { safeText } from "../safe_text.ts";

/** Adds a resolution, or adds to the one that is there: inside the entity, outside fences. */
export function resolve(
  { text }: { readonly text: string },
  source: string,
  { type, sections, bodyEnd }: Outline,
): EditOutcome {
  if (type !== "work" && type !== "bug") {
    throw new RefraktError(
      "VALIDATION_ERROR",
      `Resolution sections are only supported on work and bug items, not ${type}`,
      { hint: "Put the text into a section of the entity." },
    );
  }
  if (text.trim() === "") {
    throw new RefraktError("INVALID_ARGS", '"resolve": may not be empty', {
      hint: "Say what was done, or leave it out.",
    });
  }
  const today = new Date().toISOString().slice(0, 10);
  const content = `Completed: ${today}\n\n${safeText(text, '"resolve"')}`.trimEnd();
  // The plugin reads no other form of the heading.
  const known = sections.find(({ start, bodyStart }) =>
    /^##\s+Resolution\s*$/.test(source.slice(start, bodyStart))
  );
  const at = known?.end ?? bodyEnd;
  // The last line of a text may lack its end.
  const before = at > 0 && source[at - 1] !== "\n" ? "\n" : "";
  // A text without a closing tag gets a blank line first, as the plugin writes it.
  const gap = known === undefined && at === source.length ? "\n" : "";
  const block = known === undefined
    ? `${gap}## Resolution\n\n${content}\n${at === source.length ? "" : "\n"}`
    : `\n---\n\n${content}\n${at === source.length ? "" : "\n"}`;
  return {
    splices: [{ start: at, end: at, text: before + block }],
    changes: [
      known === undefined
        ? { field: "resolution", old: "", new: "added" }
        : { field: "resolution", old: "(appended)", new: "updated" },
    ],
  };
}

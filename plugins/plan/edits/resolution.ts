/**
 * The resolution of a work item or a bug.
 *
 * @module
 */

import { RefraktError } from "../../../src/errors.ts";
import { safeText } from "../safe_text.ts";
import { type Editable, type EditOutcome, requireUnlocked } from "./outcome.ts";

/** Adds a resolution, or adds to the one that is there. */
export function resolve({ text }: { readonly text: string }, document: Editable): EditOutcome {
  const { type, sections, body, resolution, unclosed } = document.entity;
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
  // A tag that is not closed, be it the entity's own, leaves no doubt about where the entity ends.
  if (unclosed?.kind !== "entity" && unclosed?.kind !== "tag") requireUnlocked(document);
  const fragment = safeText(text, '"resolve"', type);
  // Headings in the text begin sections of their own, as the plugin's resolutions end with the next.
  const levels = fragment.sections.map(({ level }) => level).filter((level) => level > 0);
  const today = new Date().toISOString().slice(0, 10);
  const content = `Completed: ${today}\n\n${fragment.text}`.trimEnd();
  const known = resolution && sections[resolution.section];
  const at = known?.end ?? body.end;
  // The last line of a text may lack its end.
  const before = at > 0 && document.text[at - 1] !== "\n" ? "\n" : "";
  const after = at === document.text.length ? "" : "\n";
  if (resolution !== undefined) {
    return {
      splices: [{ start: at, end: at, text: `${before}\n---\n\n${content}\n${after}` }],
      touched: [resolution.section],
      added: { before: resolution.section + 1, levels },
      changes: [{ field: "resolution", old: "(appended)", new: "updated" }],
    };
  }
  // A text without a closing tag gets a blank line first, as the plugin writes it.
  const gap = at === document.text.length ? "\n" : "";
  const block = `${before}${gap}## Resolution\n\n${content}\n${after}`;
  return {
    splices: [{ start: at, end: at, text: block }],
    added: { before: sections.length, levels: [2, ...levels] },
    changes: [{ field: "resolution", old: "", new: "added" }],
  };
}

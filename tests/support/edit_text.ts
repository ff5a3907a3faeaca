/** Edits a text with the functions of `plan.update`. */

import { read } from "../../plugins/plan/document.ts";
import { type Edit, editDocument } from "../../plugins/plan/edits.ts";
import type { Change } from "../../plugins/plan/edits/splices.ts";

/** The edited text and the list of changes. */
export function editText(
  source: string,
  attributes: Readonly<Record<string, string>>,
  edits: readonly Edit[],
): { text: string; changes: readonly Change[] } {
  const { document, changes } = editDocument(read(source), attributes, edits);
  return { text: document.source, changes };
}

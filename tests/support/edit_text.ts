/** Edits a text with the functions of `plan_update`. */

import { read } from "../../plugins/plan/entity/document.ts";
import { type Edit, editDocument } from "../../plugins/plan/write/edits.ts";
import { setAttributes } from "../../plugins/plan/write/edits/tag.ts";

/** The edited text. */
export function editText(
  source: string,
  attributes: Readonly<Record<string, string>>,
  edits: readonly Edit[],
): { text: string } {
  const document = editDocument(read(source), [
    setAttributes(attributes),
    ...edits,
  ]);
  return { text: document.source };
}

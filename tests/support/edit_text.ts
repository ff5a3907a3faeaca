/** Edits a text with the functions of `plan_update`. */

import { read } from "../../plugins/plan/entity/document.ts";
import { type Edit, editDocument } from "../../plugins/plan/write/edits.ts";

/** The edited text. */
export function editText(
  source: string,
  attributes: Readonly<Record<string, string>>,
  edits: readonly Edit[],
): { text: string } {
  const document = editDocument(read(source), [
    { kind: "attributes", values: attributes },
    ...edits,
  ]);
  return { text: document.source };
}

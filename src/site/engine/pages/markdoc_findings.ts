/**
 * What Markdoc finds wrong: each finding has an id, but names what it is about in its message
 * alone. As of Markdoc 0.4; a test has it say each of them.
 *
 * @module
 */

import type { ValidationError } from "../shapes.ts";
import type { DiagnosticCode } from "./diagnostics.ts";

/** The codes of Markdoc's findings. */
const CODES: Readonly<Record<string, DiagnosticCode>> = {
  "tag-undefined": "rune-unknown",
  "missing-closing": "rune-unclosed",
  "missing-opening": "rune-unclosed",
  "tag-placement-invalid": "rune-placement",
  "tag-selfclosing-has-children": "rune-placement",
  "child-invalid": "rune-placement",
  "slot-undefined": "rune-placement",
  "slot-missing-required": "content-missing",
  "attribute-undefined": "attribute-unknown",
  "attribute-value-invalid": "attribute-value",
  "attribute-type-invalid": "attribute-type",
  "attribute-missing-required": "attribute-missing",
  "duplicate-attribute": "syntax",
  "no-inline-annotations": "syntax",
  "parse-error": "syntax",
  "fence-tag-error": "syntax",
  "function-undefined": "function-unknown",
  "parameter-undefined": "function-unknown",
  "parameter-missing-required": "function-unknown",
  "parameter-type-invalid": "function-unknown",
  "variable-undefined": "variable-unknown",
};

/** The name in a message: of an attribute, a variable, a function or a parameter. */
const NAMED = /'([^']*)'/;

/** The code of a finding. */
export function codeOf({ id }: Pick<ValidationError, "id">): DiagnosticCode {
  return CODES[id] ?? "syntax";
}

/** The name of what a finding is about; `undefined` where it names nothing. */
export function namedIn({ message }: Pick<ValidationError, "message">): string | undefined {
  return NAMED.exec(message)?.[1];
}

/** An error breaks the page or a link; a hint needs the build to decide. */
export type Severity = "error" | "warning" | "hint";

/** The codes of findings with their severity and meaning. */
export const DIAGNOSTIC_CODES = {
  "rune-unknown": ["error", "No rune of the site has this name."],
  "rune-unclosed": ["error", "A rune is opened and not closed, or closed and not opened."],
  "rune-placement": ["error", "A rune or element stands where its parent does not take it."],
  "attribute-unknown": ["error", "The rune has no attribute of this name."],
  "attribute-value": ["error", "The attribute does not take this value."],
  "attribute-type": ["error", "The value of the attribute has the wrong type."],
  "attribute-missing": ["error", "The rune needs an attribute that is not there."],
  "function-unknown": ["error", "No function of the site has this name, or it is called wrongly."],
  "variable-unknown": ["warning", "No variable of the page has this name; the build may pass it."],
  "partial-missing": ["error", "The partial is not in _partials or a file root."],
  "partial-cycle": ["error", "The partial includes itself, directly or through others."],
  "icon-unknown": ["warning", "Neither the theme nor the site has an icon of this name."],
  "tint-unknown": ["warning", "Neither the theme nor the site has a tint of this name."],
  "background-unknown": ["warning", "Neither the theme nor the site has this background."],
  "layout-unknown": ["error", "The theme has no layout of this name."],
  "sandbox-missing": ["error", "The folder of examples has no such source for a sandbox."],
  "date-invalid": ["warning", "There is no such date."],
  "id-duplicate": ["warning", "Two elements of the page have the same id."],
  "syntax": ["error", "Markdoc cannot read this tag."],
  "content-missing": ["warning", "The rune lacks content that it is made for."],
  "content-ignored": [
    "warning",
    "The rune leaves this content out: its content model has no place for it.",
  ],
  "frontmatter-syntax": ["error", "The front matter is not YAML, or is not closed."],
  "frontmatter-value": [
    "error",
    "A field of the front matter has a value that the build cannot use.",
  ],
  "link-broken": ["error", "The link leads to no page and no file of the site."],
  "anchor-broken": ["warning", "The page has no heading with this id."],
  "image-missing": ["error", "The image is not among the files of the site."],
  "image-alt": ["warning", "The image has no text for those who do not see it."],
  "heading-second": ["warning", "The page has more than one first-level heading."],
  "heading-jump": ["warning", "The heading is more than one level below the one before it."],
  "page-empty": ["warning", "The page has no content."],
  "page-title": [
    "warning",
    "The page has neither a title in its front matter nor a first-level heading.",
  ],
  "route-duplicate": ["error", "Another page has the same address; one of them is not reachable."],
  "build-message": [
    "warning",
    "The build says so: a reference, an entity, a file or a navigation entry was not found.",
  ],
  "render-failed": ["error", "The page could not be rendered."],
} as const satisfies Record<string, readonly [Severity, string]>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;

export interface Diagnostic {
  /** From 1; absent if the finding is about the whole page. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  /** Present if exactly one correction is possible. */
  readonly fix?: Fix;
}

/** Replaces `length` characters at a place. */
export interface Fix extends Place {
  /** In UTF-16 units, all in one line. */
  readonly length: number;
  readonly text: string;
}

/** Line and column, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export function diagnostic(
  code: DiagnosticCode,
  message: string,
  place?: Place,
): Diagnostic {
  return { ...place, severity: DIAGNOSTIC_CODES[code][0], code, message };
}

/** Findings about the whole page come first. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) ||
    a.code.localeCompare(b.code);
}

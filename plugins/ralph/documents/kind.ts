/** The type that declares the document of a phase. */

/** How the document of a phase is written. */
export interface DocumentKind {
  /** The role of the model: method, rules, self-check. */
  readonly role: string;
  /** The headings below the title. */
  readonly template: string;
  /** The step that asks the user; quick mode skips it. */
  readonly question?: string;
  /** The step after writing. */
  readonly check?: string;
}

/** How the document of a phase is written. */
export interface DocumentKind {
  /** The role in which it is written: method, rules, self-check. */
  readonly role: string;
  /** Its headings, in order, with `{{spec}}`, `{{date}}` and `{{generated}}` to be filled in. */
  readonly template: string;
  /** What to do before it is written. */
  readonly actions: readonly string[];
  /** What the user is asked meanwhile, where somebody may be asked. */
  readonly question?: string;
  /** What to do when it is written. */
  readonly check?: string;
}

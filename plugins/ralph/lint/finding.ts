/** A problem that the linter found. */
export interface Finding {
  /** The document. */
  readonly file: string;
  /** The line, from 1; 0 for the whole document. */
  readonly line: number;
  readonly severity: "error" | "warning";
  /** The stable name of the rule. */
  readonly rule: string;
  readonly message: string;
}

/** One thing that the linter has to say. */
export interface Finding {
  /** The document. */
  readonly file: string;
  /** The line, from one; zero for the document as a whole. */
  readonly line: number;
  /** How bad it is. */
  readonly severity: "error" | "warning";
  /** A stable name of the rule. */
  readonly rule: string;
  /** What is wrong. */
  readonly message: string;
}

/** A finding about a spec's document. */

export interface Finding {
  readonly file: string;
  /** The line, from 1; 0 for the whole document. */
  readonly line: number;
  readonly severity: "error" | "warning";
  /** The stable name of the rule. */
  readonly rule: string;
  readonly message: string;
}

/** A finding in the document that a rule is about. */
export type Found = Omit<Finding, "file">;

export function errorAt(line: number, rule: string, message: string): Found {
  return { line, severity: "error", rule, message };
}

export function warningAt(line: number, rule: string, message: string): Found {
  return { line, severity: "warning", rule, message };
}

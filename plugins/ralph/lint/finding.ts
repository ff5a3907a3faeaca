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

export function errorAt(file: string, line: number, rule: string, message: string): Finding {
  return { file, line, severity: "error", rule, message };
}

export function warningAt(file: string, line: number, rule: string, message: string): Finding {
  return { file, line, severity: "warning", rule, message };
}

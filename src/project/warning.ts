/** Warnings: problems that do not stop the server. */

import type { WarningCode } from "../errors.ts";

/** A problem that does not stop the server. */
export interface Warning {
  /** A stable code; docs/errors.md lists them. */
  readonly code: WarningCode;
  /** What is wrong. */
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string;
  /** The affected package. */
  readonly package?: string;
  /** Whether the server retries by itself. */
  readonly retry?: true;
}

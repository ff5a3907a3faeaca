/**
 * What a lint finds, and how it looks into values of any shape.
 *
 * @module
 */

import type { Finding } from "./shapes.ts";

/** Errors and warnings as they are found. */
export interface Findings {
  /** What a package must not be published with. */
  readonly errors: Finding[];
  /** What it had better not be published with. */
  readonly warnings: Finding[];
}

/** Notes what has to be mended. */
export function error(found: Findings, path: string, message: string): void {
  found.errors.push({ path, message });
}

/** Notes what had better be mended. */
export function warning(found: Findings, path: string, message: string): void {
  found.warnings.push({ path, message });
}

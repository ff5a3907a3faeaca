/**
 * Warnings: what users should know and the server can live with.
 *
 * @module
 */

import type { WarningCode } from "../errors.ts";
import { withEscapes } from "../plain_text.ts";

/** Something that the user should know, and the server can live with. */
export interface Warning {
  /** A stable code; docs/errors.md lists them. */
  readonly code: WarningCode;
  /** What is wrong. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The package that it is about. */
  readonly package?: string;
  /** Whether the server tries again by itself. */
  readonly retry?: true;
}

/** A warning in which nothing is hidden: names of the repository stand in it. */
export function plainWarning(warning: Warning): Warning {
  const { message, hint, package: name } = warning;
  return {
    ...warning,
    message: withEscapes(message),
    ...(hint === undefined ? {} : { hint: withEscapes(hint) }),
    ...(name === undefined ? {} : { package: withEscapes(name) }),
  };
}

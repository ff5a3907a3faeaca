/** Why a plugin of npm is not loaded. */

import { messageOf, RefraktError } from "../errors.ts";
import { word } from "../plain_text.ts";
import type { Project } from "../plugin/project.ts";
import { refusalIn } from "./gate.ts";

/** The error for a plugin that is not loaded: `CODE_NOT_TRUSTED` or `PLUGIN_LOAD_FAILED`. */
export function pluginFailure(project: Project, name: string, error: unknown): RefraktError {
  const refused = refusalIn(error, name, project.shell.trust());
  if (refused !== undefined) return refused;
  const message = `Plugin ${word(name)} is not available: ${messageOf(error)}`;
  const hint = error instanceof RefraktError ? error.hint : undefined;
  return new RefraktError("PLUGIN_LOAD_FAILED", message, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

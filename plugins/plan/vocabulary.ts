/**
 * The values that the installed plugin's handlers accept. Its schemas lag behind
 * them: some refuse valid statuses, and offer a severity that does not exist.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import { messageOf } from "../../src/errors.ts";
import { isTextList } from "../../src/io/json.ts";
import type { Warning } from "../../src/project/project.ts";

/** The plugin's own lists. */
export interface Vocabulary {
  /** Statuses by type. */
  readonly status: Readonly<Record<string, readonly string[]>>;
  /** Values by attribute, for those that are the same for every type. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Attributes by type. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
}

/** The lists of version 0.29, the newest known one, for what is listed before the plugin is loaded. */
export const USUAL: Pick<Vocabulary, "status" | "values"> = {
  status: {
    spec: ["draft", "review", "accepted", "implemented", "shipped", "superseded", "deprecated"],
    work: [
      "draft",
      "ready",
      "in-progress",
      "review",
      "done",
      "blocked",
      "pending",
      "cancelled",
      "superseded",
    ],
    bug: ["reported", "confirmed", "in-progress", "fixed", "wontfix", "duplicate"],
    decision: ["proposed", "accepted", "rejected", "superseded", "deprecated"],
    milestone: ["planning", "active", "complete"],
  },
  values: {
    priority: ["critical", "high", "medium", "low"],
    severity: ["critical", "major", "minor", "cosmetic"],
    complexity: ["trivial", "simple", "moderate", "complex", "unknown"],
  },
};

/**
 * Reads the lists from a private module of the plugin, `dist/commands/enums.js`, which
 * 0.25 has.
 *
 * @param base The folder of the package, with a slash at the end.
 * @param version Its version, for the warning.
 * @param warnings Gets one where this version keeps its lists elsewhere.
 */
export async function readVocabulary(
  base: string | undefined,
  version: string,
  warnings: Warning[],
): Promise<Vocabulary | undefined> {
  try {
    const enums = await import(new URL("dist/commands/enums.js", base).href);
    const { VALID_STATUS, VALID_PRIORITY, VALID_SEVERITY, VALID_COMPLEXITY, ALLOWED_ATTRS } = enums;
    if (!isListByType(VALID_STATUS)) throw new TypeError("VALID_STATUS is no list by type");
    return {
      status: VALID_STATUS,
      values: Object.fromEntries(
        Object.entries({
          priority: VALID_PRIORITY,
          severity: VALID_SEVERITY,
          complexity: VALID_COMPLEXITY,
        }).filter((entry): entry is [string, string[]] => isTextList(entry[1])),
      ),
      attributes: isListByType(ALLOWED_ATTRS) ? ALLOWED_ATTRS : {},
    };
  } catch (error) {
    warnings.push({
      code: "PLUGIN_UNFAMILIAR",
      message: `${PLAN_PACKAGE} ${version} keeps its lists of valid values elsewhere than 0.25: ` +
        messageOf(error).split("\n")[0],
      hint: "plan.update takes any status and any other value: see plan.validate afterwards.",
    });
    return undefined;
  }
}

function isListByType(value: unknown): value is Record<string, readonly string[]> {
  return typeof value === "object" && value !== null && Object.values(value).every(isTextList);
}

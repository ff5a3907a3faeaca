/**
 * The values that the installed plugin's handlers accept. Its schemas are outdated: some reject
 * valid statuses, or offer a severity that does not exist.
 */

import { quoted } from "../../../src/plain_text.ts";
import { importModule } from "../../../src/npm/load.ts";
import { PLAN_PACKAGE } from "../../../src/npm/names.ts";
import type { PackageVersion } from "../../../src/npm/package.ts";
import { errorsIn, messageOf, RefraktError, throwJoined } from "../../../src/errors.ts";
import { isTextList } from "../../../src/io/json.ts";
import type { Warning } from "../../../src/project/project.ts";

type Lists = Readonly<Record<string, readonly string[]>>;

export interface Vocabulary {
  readonly status: Lists;
  /** Values of attributes that are the same for every type. */
  readonly values: Lists;
  readonly attributes: Lists;
}

/** The values in schemas: version 0.29, the newest known one. The loaded version validates. */
export const LISTED = {
  status: [
    ...["draft", "ready", "in-progress", "review", "done", "blocked", "pending", "cancelled"],
    ...["superseded", "reported", "confirmed", "fixed", "wontfix", "duplicate", "accepted"],
    ...["implemented", "shipped", "deprecated", "proposed", "rejected"],
    ...["planning", "active", "complete"],
  ],
  priority: ["critical", "high", "medium", "low"],
  severity: ["critical", "major", "minor", "cosmetic"],
  complexity: ["trivial", "simple", "moderate", "complex", "unknown"],
};

/**
 * Reads the lists from a private module of the plugin, `dist/commands/enums.js`.
 *
 * @param base The folder of the package, with a trailing slash.
 * @param version The package, for the warning and for what the user trusts.
 * @param warnings Receives a warning if this version keeps its lists elsewhere.
 */
export async function readVocabulary(
  base: string | undefined,
  { version, code }: PackageVersion,
  warnings: Warning[],
): Promise<Vocabulary | undefined> {
  try {
    const enums = await importModule(new URL("dist/commands/enums.js", base).href, code);
    const { VALID_STATUS, VALID_PRIORITY, VALID_SEVERITY, VALID_COMPLEXITY, ALLOWED_ATTRS } = enums;
    if (!isLists(VALID_STATUS)) throw new TypeError("VALID_STATUS is not an object of lists");
    const values = {
      priority: VALID_PRIORITY,
      severity: VALID_SEVERITY,
      complexity: VALID_COMPLEXITY,
    };
    return {
      status: VALID_STATUS,
      values: isLists(values) ? values : {},
      attributes: isLists(ALLOWED_ATTRS) ? ALLOWED_ATTRS : {},
    };
  } catch (error) {
    warnings.push({
      code: "PLUGIN_UNFAMILIAR",
      message: `${PLAN_PACKAGE} ${version} does not export its valid values like 0.25: ` +
        messageOf(error).split("\n")[0],
      hint: "plan_update accepts any value: call plan_validate afterwards.",
    });
    return undefined;
  }
}

function isLists(value: unknown): value is Lists {
  return typeof value === "object" && value !== null && Object.values(value).every(isTextList);
}

/** Attributes of every version of the plugin. */
const ATTRIBUTES = ["id", "name", "assignee", "milestone", ...Object.keys(LISTED)];

/** Whether entities of any type have an attribute of this name. */
export function isAttribute(name: string, vocabulary: Vocabulary | undefined): boolean {
  return ATTRIBUTES.includes(name) ||
    Object.values(vocabulary?.attributes ?? {}).some((names) => names.includes(name));
}

/**
 * Rejects what the plugin would reject, with its messages. Allows everything without its lists.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` with the valid values.
 */
export function checkVocabulary(
  type: string,
  attributes: Readonly<Record<string, string>>,
  vocabulary: Vocabulary | undefined,
): void {
  const allowed = vocabulary?.attributes[type];
  const check = ([name, value]: readonly [string, string]) => {
    if (allowed !== undefined && !allowed.includes(name)) {
      throw invalidValue(`Unknown attribute ${quoted(name)} for ${type} rune.`, allowed);
    }
    const values = name === "status" ? vocabulary?.status[type] : vocabulary?.values[name];
    // An empty value removes the attribute.
    if (value === "" || values === undefined || values.includes(value)) return;
    throw invalidValue(`Invalid ${name} ${quoted(value)} for ${type} rune.`, values);
  };
  throwJoined(errorsIn(Object.entries(attributes).map((one) => () => check(one))));
}

function invalidValue(what: string, valid: readonly string[]): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `${what} Valid: ${valid.join(", ")}`, {
    hint: `Use one of: ${valid.join(", ")}.`,
  });
}

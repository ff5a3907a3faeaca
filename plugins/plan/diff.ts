/**
 * The plugin's pure comparison functions, from its public `diff` export.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { isMissingExport } from "../../src/npm/failures.ts";
import { importVersion } from "../../src/npm/load.ts";
import type { LoadingPackage } from "../../src/tools/adapter.ts";
import type { Criterion } from "./entity.ts";

/** What `@refrakt-md/plan/diff` exports from 0.25 to 0.29, as far as it is used. */
interface DiffModule {
  /** What changed between two sets of attributes. */
  diffAttributes(
    before: Readonly<Record<string, string>>,
    after: Readonly<Record<string, string>>,
  ): { field: string; from: string | null; to: string | null }[];
  /** What changed between two lists of check boxes. */
  diffCriteria(
    before: readonly Criterion[],
    after: readonly Criterion[],
  ): { text: string; action: string }[];
}

/** The functions of a loaded version. */
export interface PlanDiff extends DiffModule {
  /** Whether it has them all; those that it lacks fail when they are called. */
  readonly isComplete: boolean;
}

const NAMES = [
  "diffAttributes",
  "diffCriteria",
] as const;

/** The functions of a version. */
export async function planDiff(version: LoadingPackage): Promise<PlanDiff> {
  const module = await importVersion<DiffModule>(version, "diff").catch((error) => {
    // Only that the export is missing says something about the version.
    if (!isMissingExport(error)) throw error;
    return undefined;
  });
  const lacking = NAMES.filter((name) => typeof module?.[name] !== "function");
  const fail = () => {
    throw new RefraktError(
      "TOOL_FAILED",
      `${version.name} ${version.version} cannot compare versions of an entity`,
      { hint: `Its diff export lacks ${lacking.join(", ")}. Use a version that has it.` },
    );
  };
  const failing = {
    diffAttributes: fail,
    diffCriteria: fail,
  };
  return lacking.length === 0 && module !== undefined
    ? { ...module, isComplete: true }
    : { ...failing, isComplete: false };
}

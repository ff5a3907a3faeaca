/**
 * The plugin's pure comparison functions, from its public `diff` export.
 *
 * @module
 */

import { importVersion } from "../../src/npm/load.ts";
import type { LoadingPackage } from "../../src/tools/adapter.ts";
import type { Criterion } from "./entity.ts";

/** What `@refrakt-md/plan/diff` exports, as far as it is used. */
export interface PlanDiff {
  /** The check boxes of a text. */
  parseCheckboxes(text: string): Criterion[];
  /** Whether a text has a resolution. */
  hasResolutionSection(text: string): boolean;
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

/** The functions of a version. */
export async function planDiff(version: LoadingPackage): Promise<PlanDiff> {
  return await importVersion<PlanDiff>(version, "diff");
}

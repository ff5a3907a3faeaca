/**
 * The plugin's pure comparison functions, from its public `diff` export.
 *
 * @module
 */

import { importVersion } from "../../src/packages/load.ts";
import type { LoadingPackage } from "../../src/surface/adapter.ts";
import type { Criterion } from "./scanner.ts";

/** What `@refrakt-md/plan/diff` exports, as far as it is used. */
export interface PlanDiff {
  /** The check boxes of a text. */
  parseCheckboxes(text: string): Criterion[];
  /** Whether a text has a resolution. */
  hasResolutionSection(text: string): boolean;
  /** What changed between two sets of attributes. */
  diffAttributes(
    before: Record<string, string>,
    after: Record<string, string>,
  ): { field: string; from: string | null; to: string | null }[];
  /** What changed between two lists of check boxes. */
  diffCriteria(
    before: readonly Criterion[],
    after: readonly Criterion[],
  ): { text: string; action: string }[];
}

let version: LoadingPackage | undefined;

/** Remembers which version of the plugin is loaded. */
export function usePlanVersion(found: LoadingPackage): void {
  version = found;
}

/** The functions of the version that is loaded. */
export async function loadedPlanDiff(): Promise<PlanDiff> {
  if (version === undefined) throw new TypeError("The plan plugin is not loaded");
  return await importVersion<PlanDiff>(version, "diff");
}

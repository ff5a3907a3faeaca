/**
 * What the status block of a diary says in each situation.
 *
 * @module
 */

import { type Phase, PHASE_TOOLS } from "./phases.ts";
import type { ProgressStatus } from "./progress.ts";

/** The status of a spec at work. */
export function statusOf(
  phase: Phase | "complete" | "cancelled",
  done: number,
  total: number,
  objective: string,
): ProgressStatus {
  const next = phase === "complete" || phase === "cancelled" ? "ralph_start" : PHASE_TOOLS[phase];
  const finished = phase === "execution" && total > 0 && done === total;
  return { phase, done, total, objective, next: finished ? "ralph_complete_phase" : next };
}

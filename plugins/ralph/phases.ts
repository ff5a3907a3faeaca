/**
 * The phases of a spec, in order, and what belongs to each.
 *
 * @module
 */

/** A phase of a spec. */
export type Phase = "research" | "requirements" | "design" | "tasks" | "execution";

/** A phase that ends with a document. */
export type DocumentPhase = Exclude<Phase, "execution">;

/** All phases, in order. */
export const PHASES: readonly [Phase, ...Phase[]] = [
  "research",
  "requirements",
  "design",
  "tasks",
  "execution",
];

/** The document that a phase ends with. */
export const ARTIFACTS: Readonly<Record<DocumentPhase, string>> = {
  research: "research.md",
  requirements: "requirements.md",
  design: "design.md",
  tasks: "tasks.md",
};

/** The tool that works on a phase. */
export const PHASE_TOOLS: Readonly<Record<Phase, string>> = {
  research: "ralph_research",
  requirements: "ralph_requirements",
  design: "ralph_design",
  tasks: "ralph_tasks",
  execution: "ralph_implement",
};

/** Whether a value names a phase. */
export function isPhase(value: unknown): value is Phase {
  return typeof value === "string" && (PHASES as readonly string[]).includes(value);
}

/** The phase after this one; execution is the last. */
export function phaseAfter(phase: Phase): Phase {
  return PHASES[Math.min(PHASES.indexOf(phase) + 1, PHASES.length - 1)]!;
}

/** Whether one phase comes before another. */
export function isBefore(one: Phase, other: Phase): boolean {
  return PHASES.indexOf(one) < PHASES.indexOf(other);
}

/** The phase with a capital, for headings. */
export function titleOf(phase: Phase): string {
  return phase[0]!.toUpperCase() + phase.slice(1);
}

/** The phases of a spec, with the document and the tool of each. */

/** A phase of a spec. */
export type Phase = "research" | "requirements" | "design" | "tasks" | "execution";

/** A phase that ends with a document. */
export type DocumentPhase = Exclude<Phase, "execution">;

/** The phases that end with a document, in order. */
export const DOCUMENT_PHASES: readonly DocumentPhase[] = [
  "research",
  "requirements",
  "design",
  "tasks",
];

/** All phases, in order. */
export const PHASES: readonly Phase[] = [...DOCUMENT_PHASES, "execution"];

/** The file name of a phase's document. */
export function documentOf(phase: DocumentPhase): string {
  return `${phase}.md`;
}

/** The tool of a phase. */
export function toolOf(phase: Phase): string {
  return phase === "execution" ? "ralph_implement" : `ralph_${phase}`;
}

/** Whether a value names a phase. */
export function isPhase(value: unknown): value is Phase {
  return PHASES.some((phase) => phase === value);
}

/** Whether a value names a phase that ends with a document. */
export function isDocumentPhase(value: unknown): value is DocumentPhase {
  return isPhase(value) && value !== "execution";
}

/** The next phase; execution is the last. */
export function phaseAfter(phase: Phase): Phase {
  return PHASES[Math.min(PHASES.indexOf(phase) + 1, PHASES.length - 1)]!;
}

/** Whether one phase comes before another. */
export function isBefore(one: Phase, other: Phase): boolean {
  return PHASES.indexOf(one) < PHASES.indexOf(other);
}

/** The capitalised name of a phase. */
export function titleOf(phase: Phase): string {
  return phase[0]!.toUpperCase() + phase.slice(1);
}

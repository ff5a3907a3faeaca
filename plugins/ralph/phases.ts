/** The phases of a spec, with the document and the tool of each. */

export const DOCUMENT_PHASES = ["research", "requirements", "design", "tasks"] as const;

export const PHASES = [...DOCUMENT_PHASES, "execution"] as const;

export type DocumentPhase = typeof DOCUMENT_PHASES[number];

export type Phase = typeof PHASES[number];

export function documentOf(phase: DocumentPhase): `${DocumentPhase}.md` {
  return `${phase}.md`;
}

export function toolOf(phase: Phase): string {
  return phase === "execution" ? "ralph_implement" : `ralph_${phase}`;
}

/** The next phase; execution is the last. */
export function phaseAfter(phase: Phase): Phase {
  return PHASES[Math.min(PHASES.indexOf(phase) + 1, PHASES.length - 1)]!;
}

export function isBefore(phase: Phase, other: Phase): boolean {
  return PHASES.indexOf(phase) < PHASES.indexOf(other);
}

export function titleOf(phase: Phase): string {
  return phase[0]!.toUpperCase() + phase.slice(1);
}

/**
 * The templates of the documents, filled in for a spec.
 *
 * @module
 */

import { shownName } from "../names.ts";
import type { DocumentPhase } from "../phases.ts";
import { designTemplate } from "./design.ts";
import { requirementsTemplate } from "./requirements.ts";
import { researchTemplate } from "./research.ts";
import { tasksTemplate } from "./tasks.ts";

const TEMPLATES: Readonly<Record<DocumentPhase, string>> = {
  research: researchTemplate,
  requirements: requirementsTemplate,
  design: designTemplate,
  tasks: tasksTemplate,
};

/** The template of a phase's document. */
export function templateFor(
  phase: DocumentPhase,
  spec: string,
  quick: boolean,
  now: Date = new Date(),
): string {
  const values: Readonly<Record<string, string>> = {
    spec: shownName(spec),
    date: now.toISOString(),
    generated: quick ? "\ngenerated: auto" : "",
  };
  return TEMPLATES[phase].replace(/\{\{(\w+)\}\}/g, (all, key: string) => values[key] ?? all);
}

/** Whether a document is still the template, its front matter aside. */
export function isUntouched(phase: DocumentPhase, spec: string, text: string): boolean {
  return body(text) === body(templateFor(phase, spec, false));
}

function body(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, "").trim();
}

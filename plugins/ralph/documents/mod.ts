/** The documents of a spec: how each is written, and its template filled in. */

import { shownName } from "../names.ts";
import { type DocumentPhase, titleOf } from "../phases.ts";
import { design } from "./design.ts";
import type { DocumentKind } from "./kind.ts";
import { requirements } from "./requirements.ts";
import { research } from "./research.ts";
import { tasks } from "./tasks.ts";

export const DOCUMENTS: Readonly<Record<DocumentPhase, DocumentKind>> = {
  research,
  requirements,
  design,
  tasks,
};

export function templateFor(phase: DocumentPhase, spec: string, quick: boolean): string {
  const frontMatter = [
    `spec: ${shownName(spec)}`,
    `phase: ${phase}`,
    `created: ${new Date().toISOString()}`,
    ...(phase === "tasks" ? ["total_tasks: <number>"] : []),
    ...(quick ? ["generated: auto"] : []),
  ];
  const title = `# ${titleOf(phase)}: ${shownName(spec)}`;
  return ["---", ...frontMatter, "---", "", title, "", DOCUMENTS[phase].template].join("\n");
}

/** Whether a document is still the template, its front matter aside. */
export function isUntouched(phase: DocumentPhase, spec: string, text: string): boolean {
  return body(text) === body(templateFor(phase, spec, false));
}

function body(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/^\uFEFF?---\n[\s\S]*?\n---\n/, "").trim();
}

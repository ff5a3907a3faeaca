/**
 * The answer of an instruction tool: what to do, in which role, with which
 * template and material, and what to call when it is done.
 *
 * @module
 */

import { type ContextFile, type ContextMode, fenced, renderContext } from "./context.ts";
import { ARTIFACTS, type DocumentPhase, PHASE_TOOLS, phaseAfter, titleOf } from "./phases.ts";
import { readGoal } from "./overview.ts";
import { PROGRESS_FILE } from "./progress.ts";
import { architect } from "./prompts/architect.ts";
import { planner } from "./prompts/planner.ts";
import { productManager } from "./prompts/product_manager.ts";
import { researcher } from "./prompts/researcher.ts";
import {
  GRANULARITIES,
  type Granularity,
  type Workflow,
  workflowFor,
  WORKFLOWS,
} from "./prompts/workflows.ts";
import { relatedSpecs } from "./related.ts";
import { type Spec, specFile, specPath } from "./specs.ts";
import { lstatIfExists } from "./files.ts";
import { type State, textField } from "./state.ts";
import { templateFor } from "./templates/mod.ts";

/** How long the whole text may get; the material takes what the rest leaves. */
export const MAX_TEXT = 10_900;

/** The least room for the material. */
const LEAST_CONTEXT = 1_500;

const ROLES: Readonly<Record<DocumentPhase, string>> = {
  research: researcher,
  requirements: productManager,
  design: architect,
  tasks: planner,
};

/** What each phase is given, and what it cannot well do without. */
const CONTEXTS: Readonly<Record<DocumentPhase, readonly ContextFile[]>> = {
  research: [{ file: PROGRESS_FILE, weight: 1 }],
  requirements: [
    { file: PROGRESS_FILE, weight: 1 },
    { file: ARTIFACTS.research, weight: 3, absent: "the research was skipped or not written" },
  ],
  design: [
    { file: PROGRESS_FILE, weight: 1 },
    { file: ARTIFACTS.research, weight: 1 },
    {
      file: ARTIFACTS.requirements,
      weight: 3,
      absent: "the requirements were skipped or not written",
    },
  ],
  tasks: [
    { file: PROGRESS_FILE, weight: 1 },
    { file: ARTIFACTS.research, weight: 1 },
    { file: ARTIFACTS.requirements, weight: 2 },
    { file: ARTIFACTS.design, weight: 3, absent: "the design was skipped or not written" },
  ],
};

/** The rendered instructions. */
export interface Instructions {
  /** The whole text. */
  readonly text: string;
  /** What is missing. */
  readonly warnings: string[];
  /** The files to read, as paths. */
  readonly files: string[];
  /** Where the document goes. */
  readonly artifact: string;
  /** Whether the document is there already and is to be revised. */
  readonly revise: boolean;
}

/** Renders the instructions of a phase that ends with a document. It reads, and changes nothing. */
export function phaseInstructions(
  spec: Spec,
  state: State,
  phase: DocumentPhase,
  options: { mode: ContextMode; redo: boolean },
): Instructions {
  const file = ARTIFACTS[phase];
  const artifact = specPath(spec, file);
  const revise = (lstatIfExists(specFile(spec, file))?.size ?? 0) > 0;
  const name = JSON.stringify(spec.name);
  const goal = readGoal(spec, state);
  const after = options.redo ? state.phase : phaseAfter(phase);
  const call = `\`${PHASE_TOOLS[after]}\` with spec_name: ${name}`;
  const before = [
    `## ${titleOf(phase)} Phase for ${name}`,
    "",
    "### Your Task",
    `${revise ? "Revise" : "Write"} ${artifact} for the goal below.${
      revise
        ? ` It exists already: keep what is right${
          phase === "tasks" ? " (ticked boxes stay ticked)" : ""
        }, change what is not.`
        : ""
    }`,
    "",
    fenced("the goal", goal.length > 1_500 ? `${goal.slice(0, 1_500)} …` : goal),
    ...modeLines(state, phase, goal),
    "",
    "### Agent Instructions",
    ROLES[phase],
    "",
    `### Template for ${artifact}`,
    "Keep these headings, in this order; replace the rest.",
    "~~~~markdown",
    templateFor(phase, spec.name, state.quick).trimEnd(),
    "~~~~",
    "",
    "### Context",
  ].join("\n");
  const related = phase === "research" ? relatedLines(spec, goal) : "";
  const afterwards = [
    "",
    "### Expected Actions",
    ...numbered([
      options.mode === "paths"
        ? "Read the files named above"
        : "Read the material above; open the files where parts were left out",
      ...ACTIONS[phase],
      `Write ${artifact}`,
      `Add what later phases need to know to the Learnings of ${
        specPath(spec, PROGRESS_FILE)
      }; leave its status block alone`,
    ]),
    "",
    "### When Complete",
    `Call \`ralph_complete_phase\` with:`,
    `- spec_name: ${name}`,
    `- phase: "${phase}"`,
    `- summary: <two or three sentences on what was decided>`,
    state.quick
      ? `Then call ${call} at once.`
      : `Then show the user the summary and the open questions. Call ${call} when they approve; if they ask for changes, make them first.`,
  ].join("\n");
  const files = [...CONTEXTS[phase]];
  if (revise) files.push({ file, weight: 3 });
  const room = MAX_TEXT - before.length - afterwards.length - related.length - 200 * files.length;
  const context = renderContext(spec, files, options.mode, Math.max(room, LEAST_CONTEXT));
  return {
    text: [before, context.text, related, afterwards].filter((part) => part !== "").join("\n"),
    warnings: context.warnings,
    files: context.files,
    artifact,
    revise,
  };
}

const ACTIONS: Readonly<Record<DocumentPhase, readonly string[]>> = {
  research: [
    "Search outside if you can, then the code; delegate parts if your client can",
    "Find the project's real commands",
  ],
  requirements: [
    "Ask the user what only they can decide",
    "Number stories, criteria and requirements",
  ],
  design: ["Read the code that is touched", "Check the design against every requirement"],
  tasks: ["Check that every file of the design and every requirement has a task"],
};

/** The workflow of a spec: as chosen, or as the goal suggests. */
export function workflowOf(state: State, goal: string): Workflow {
  const chosen = textField(state, "workflow");
  return chosen === "poc" || chosen === "tdd" || chosen === "bugfix" ? chosen : workflowFor(goal);
}

/** The size of tasks of a spec. */
export function granularityOf(state: State): Granularity {
  const chosen = textField(state, "granularity");
  return chosen === "fine" || chosen === "coarse" ? chosen : "auto";
}

function modeLines(state: State, phase: DocumentPhase, goal: string): string[] {
  const lines: string[] = [];
  if (state.quick) {
    lines.push(
      "",
      "Quick mode: ask nothing, make opinionated choices and record them, keep the front matter's `generated: auto`, and go on without waiting for approval.",
    );
  }
  if (phase === "tasks") {
    lines.push("", WORKFLOWS[workflowOf(state, goal)], "", GRANULARITIES[granularityOf(state)]);
  }
  return lines;
}

function relatedLines(spec: Spec, goal: string): string {
  const related = relatedSpecs(spec, goal);
  if (related.length === 0) return "";
  const lines = related.map((other) =>
    `- ${other.name} (${other.relevance}, ${other.score} shared words): ${other.goal}`
  );
  return `\n${fenced("related specs, below specs/", lines.join("\n"))}`;
}

function numbered(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index + 1}. ${line}`);
}

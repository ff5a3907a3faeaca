/**
 * The end of a phase that ends with a document, or of a revision of one.
 *
 * @module
 */

import { count, few } from "./failures.ts";
import { isWorkTree } from "./gitignore.ts";
import { lintSpec } from "./lint/mod.ts";
import { shownCoverage } from "./lint/coverage.ts";
import { nextStep } from "./next.ts";
import { documentOf, type DocumentPhase, phaseAfter, titleOf, toolOf } from "./phases.ts";
import { withRecord } from "./progress.ts";
import { specPath } from "./specs.ts";
import { doneCount, parseTasks } from "./tasks.ts";
import type { Answer } from "./tool.ts";
import { save } from "./save.ts";
import { notWritten, readDocument, type SoundView } from "./view.ts";
import { walkthroughOf } from "./walkthrough.ts";

/** Completes a phase, or the revision of an earlier one. The caller holds the lock. */
export function completeDocument(
  view: SoundView,
  phase: DocumentPhase,
  summary: string,
  notes: string[],
): Answer {
  const { spec, state } = view;
  const text = documentText(view, phase, notes);
  const redo = state.phase !== phase;
  const now = redo ? state.phase : phaseAfter(phase);
  const redoing = state.redoing.filter((other) => other !== phase);
  if (view.progressFile.text === null) {
    notes.push("The progress file was missing and was written anew.");
  }
  const list = phase === "tasks" && text !== null ? parseTasks(text) : null;
  const after = save(view, {
    progress: (progress) =>
      withRecord(
        progress,
        `${titleOf(phase)} Phase ${redo ? "Revised" : "Complete"} (${today()})`,
        summary,
      ),
    state: {
      phase: now,
      redoPhases: redoing.length > 0 ? redoing : undefined,
      awaitingApproval: !state.quick,
      approvalFor: state.quick ? undefined : phase,
      ...(list === null ? {} : { totalTasks: list.tasks.length, taskIndex: doneCount(list) }),
    },
  });
  const plan = phase === "tasks" ? checkedPlan(after, notes) : null;
  const { counts, openQuestions } = walkthroughOf(text ?? "");
  const held = counts.map(([number, noun]) => count(number, noun)).join(", ");
  const tool = toolOf(now);
  const then = redo
    ? `The spec stays in the ${now} phase; check whether later documents need the same change (redo: true on their tools)`
    : "";
  return {
    spec,
    message: redo
      ? `${titleOf(phase)} phase revised. ${then}`
      : state.quick
      ? `${titleOf(phase)} complete. Run ${tool}`
      : `${titleOf(phase)} complete. Run ${tool} when the user approves`,
    facts: [
      `Completed: ${phase}`,
      `Phase: ${now}`,
      ...(held === "" ? [] : [`Holds: ${held}`]),
      ...(plan === null ? [] : [`Coverage: ${plan}`]),
      `Summary: ${summary}`,
      ...openQuestions.map((question) => `Open question: ${question}`),
    ],
    body: [
      ...(state.quick ? [] : [
        `Show the user the summary, the numbers and the open questions, and ask whether to go on. If they ask for changes, call ${
          toolOf(phase)
        } with redo: true.`,
      ]),
      ...(isWorkTree(spec.cwd)
        ? [
          `${state.quick ? "Commit" : "When they approve, commit"} ${
            specPath(spec)
          } (\`docs(${spec.name}): ${phase}\`).`,
        ]
        : []),
    ].join("\n"),
    step: nextStep(after),
    warnings: notes,
    data: {
      phase: now,
      complete: false,
      awaitingApproval: !state.quick,
      coverage: plan,
    },
  };
}

/** The text of the phase's document; why there is none becomes a note. */
function documentText({ spec }: SoundView, phase: DocumentPhase, notes: string[]): string | null {
  const path = specPath(spec, documentOf(phase));
  const { text, problem } = readDocument(spec, documentOf(phase));
  if (problem !== null) notes.push(problem.message);
  else if (text === null) notes.push(`${path} is missing; the phase is completed without it.`);
  else {
    const reason = notWritten(phase, spec.name, text);
    if (reason !== null) notes.push(`${path}: it is ${reason}.`);
  }
  return text;
}

/** The day, as records are dated. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** What the plan covers; what is wrong with it becomes warnings. */
function checkedPlan(view: SoundView, notes: string[]): string | null {
  const { findings, coverage } = lintSpec(view);
  const errors = findings.filter(({ file, severity, rule }) =>
    file === documentOf("tasks") && severity === "error" && rule !== "not-written"
  );
  for (const warning of view.list?.warnings ?? []) notes.push(warning);
  const others = errors.filter(({ rule }) => rule !== "structure");
  if (others.length > 0) {
    notes.push(
      `ralph_check finds ${count(others.length, "error")} in the plan: ${
        few(others.map(({ message }) => message), 5)
      }`,
    );
  }
  return shownCoverage(coverage);
}

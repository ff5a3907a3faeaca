/**
 * `ralph_complete_phase`: records that a phase is finished and moves on.
 *
 * @module
 */

import { z } from "zod";
import { messageOf } from "../../../src/errors.ts";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { missing, phaseMismatch } from "../failures.ts";
import { readInside } from "../files.ts";
import { wholeFinding } from "../lint/mod.ts";
import { hasVerify } from "../lint/tasks.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { callOf, readGoal } from "../overview.ts";
import {
  ARTIFACTS,
  type DocumentPhase,
  type Phase,
  PHASE_TOOLS,
  phaseAfter,
  titleOf,
} from "../phases.ts";
import {
  newProgress,
  PROGRESS_FILE,
  readProgress,
  withRecord,
  withStatus,
  writeProgress,
} from "../progress.ts";
import { follow, phase as phaseSchema, phaseName, specName } from "../schemas.ts";
import { resolveSpec, type Spec, specFile, specPath } from "../specs.ts";
import { requireLocked, requireState, type State, writeState } from "../state.ts";
import { statusOf } from "../status_block.ts";
import { doneCount, few, isVerification, openTasks, parseTasks, type TaskList } from "../tasks.ts";
import { type Walkthrough, walkthroughOf } from "../walkthrough.ts";
import { redoneBy } from "../prerequisites.ts";

/** The longest summary that is kept, in characters. */
const MAX_SUMMARY = 4 * 1024;

const Input = z.strictObject({
  spec_name: specName,
  phase: phaseSchema.describe("Phase being completed"),
  summary: z.string().min(1).describe("What was done and decided, in two or three sentences"),
  force: z.boolean().default(false)
    .describe("Complete the execution although tasks are open; only if the user wants that"),
});

const Output = z.object({
  message: z.string(),
  name: z.string(),
  completed: phaseName,
  phase: phaseName,
  summary: z.string(),
  complete: z.boolean(),
  awaitingApproval: z.boolean(),
  instructions: z.string(),
  ...follow,
});

type CompleteInput = z.output<typeof Input>;

/** The tool. */
export const completePhase: CliPluginCommand = {
  name: "complete_phase",
  toolName: "ralph_complete_phase",
  title: "Complete a phase",
  description:
    "Records that the current phase is finished, with a summary, and moves the spec to the next one.",
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: run,
};

async function run(input: CompleteInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  // Wrong phases and broken states fail alike where nothing can be locked.
  checkDue(spec, await requireState(spec, context.signal), input.phase);
  return await withLock(cwd, context.signal, () => {
    const state = requireLocked(spec);
    checkDue(spec, state, input.phase);
    const result = input.phase === "execution"
      ? completeExecution(spec, state, input)
      : completeDocument(spec, state, input.phase, input);
    context.log("info", "Phase completed", { spec: spec.name, phase: input.phase });
    return result;
  });
}

function checkDue(spec: Spec, state: State, phase: Phase): void {
  if (state.phase === phase || redoneBy(state).includes(phase)) return;
  throw phaseMismatch(spec.name, state.phase, phase, phase !== "execution");
}

function completeDocument(
  spec: Spec,
  state: State,
  phase: DocumentPhase,
  input: CompleteInput,
): TextResult {
  const notes: string[] = [];
  const text = documentOf(spec, phase, notes);
  const list = phase === "tasks" && text !== null ? parseTasks(text) : null;
  if (list !== null) notes.push(...planWarnings(list));
  const redo = state.phase !== phase;
  const now = redo ? state.phase : phaseAfter(phase);
  const walkthrough = walkthroughOf(text ?? "");
  const approval = !state.quick && !redo;
  const summary = shorten(input.summary, notes);
  const done = list === null ? state.counters.taskIndex ?? 0 : doneCount(list);
  const total = list === null ? state.counters.totalTasks ?? 0 : list.tasks.length;
  const redoing = redoneBy(state).filter((other) => other !== phase);
  save(spec, state, {
    heading: `${titleOf(phase)} Phase ${redo ? "Revised" : "Complete"}`,
    summary,
    status: statusOf(
      now,
      Math.min(done, total),
      total,
      approval ? "Waiting for approval" : `Work on ${now}`,
    ),
    changes: {
      phase: now,
      redoPhases: redoing.length > 0 ? redoing : undefined,
      ...(redo ? {} : { awaitingApproval: approval }),
      ...(list === null ? {} : { totalTasks: list.tasks.length }),
    },
  }, notes);
  const tool = PHASE_TOOLS[now];
  const instructions = redo
    ? `The revision of ${phase} is recorded; the spec stays in the ${now} phase. Check whether later documents need the same change (redo: true on their tools), then call ${tool}.`
    : state.quick
    ? `Quick mode: call ${tool} now, without waiting for approval.`
    : `Show the user this summary, the numbers and the open questions, and ask whether to go on. When they approve, call ${tool}. If they ask for changes, make them in the document, or call ${
      PHASE_TOOLS[phase]
    } with redo: true.`;
  const message = redo
    ? `${titleOf(phase)} phase revised; the spec stays in ${now}`
    : `${titleOf(phase)} complete. Run ${tool}.`;
  return answer(spec, phase, now, {
    message,
    summary,
    walkthrough,
    awaitingApproval: approval,
    complete: false,
    alreadyComplete: false,
    instructions,
    next: tool,
    nextArgs: input.spec_name === undefined ? {} : { spec_name: spec.name },
    notes,
  });
}

function completeExecution(spec: Spec, state: State, input: CompleteInput): TextResult {
  const notes: string[] = [];
  const file = readInside(spec.cwd, specFile(spec, ARTIFACTS.tasks));
  const list = file === null ? null : parseTasks(file.text);
  const open = list === null ? [] : openTasks(list);
  const path = specPath(spec, ARTIFACTS.tasks);
  const again = state.completedAt !== null && state.raw["openAtCompletion"] === open.length;
  if (!again && (open.length > 0 || file?.cut === true) && !input.force) {
    throw missing(
      file?.cut === true && open.length === 0
        ? `${path} is too large to read whole, so open tasks cannot be ruled out`
        : `${open.length} of ${list!.tasks.length} tasks are open: ${
          few(open.map((task) => task.id))
        }`,
      "Call ralph_implement for the next task. If the user wants to end the spec all the same, call ralph_complete_phase with force: true.",
      { open: open.slice(0, 50).map(({ id, title }) => ({ id, title })) },
    );
  }
  if (list === null) notes.push(`${path} is missing, so no task could be checked.`);
  else if (list.tasks.length === 0) notes.push(`${path} has no recognised tasks.`);
  if (open.length > 0) notes.push(`Completed with ${open.length} open tasks, by force.`);
  if (list !== null && list.unnumbered.open > 0) {
    notes.push(`${list.unnumbered.open} open boxes without a task number are left in ${path}.`);
  }
  const summary = shorten(input.summary, notes);
  const total = list?.tasks.length ?? state.counters.totalTasks ?? 0;
  if (!again) {
    save(spec, state, {
      heading: "Execution Phase Complete",
      summary,
      status: statusOf("complete", total - open.length, total, "Everything is done"),
      changes: {
        completedAt: new Date().toISOString(),
        openAtCompletion: open.length,
        awaitingApproval: false,
        ...(list === null ? {} : { totalTasks: total, taskIndex: total - open.length }),
      },
    }, notes);
  }
  return answer(spec, "execution", "execution", {
    message: again
      ? `Spec '${shownName(spec.name)}' is already complete, since ${state.completedAt}`
      : "Execution complete. All phases are complete.",
    summary,
    walkthrough: { tasks: total, openQuestions: [] },
    awaitingApproval: false,
    complete: true,
    alreadyComplete: again,
    instructions:
      "Tell the user that the spec is complete, and what was learnt. ralph_start begins another one.",
    next: "ralph_start",
    nextArgs: {},
    notes,
  });
}

/** Writes the diary and then the state; where the state fails, the diary is put back. */
function save(
  spec: Spec,
  state: State,
  what: {
    heading: string;
    summary: string;
    status: ReturnType<typeof statusOf>;
    changes: Record<string, unknown>;
  },
  notes: string[],
): void {
  const before = readProgress(spec);
  if (before === null) {
    notes.push(`${specPath(spec, PROGRESS_FILE)} was missing and was written anew.`);
  }
  const text = before ?? newProgress(spec.name, readGoal(spec, state), what.status);
  const day = new Date().toISOString().slice(0, 10);
  writeProgress(
    spec,
    withRecord(withStatus(text, what.status), `${what.heading} (${day})`, what.summary),
  );
  try {
    writeState(spec, state.raw, what.changes);
  } catch (error) {
    if (before !== null) writeProgress(spec, before);
    throw error;
  }
}

function documentOf(spec: Spec, phase: DocumentPhase, notes: string[]): string | null {
  const path = specPath(spec, ARTIFACTS[phase]);
  try {
    const text = readInside(spec.cwd, specFile(spec, ARTIFACTS[phase]))?.text ?? null;
    if (text === null) {
      notes.push(`${path} is missing; the phase is completed without it.`);
      return null;
    }
    const whole = wholeFinding(phase, spec.name, text);
    if (whole !== null) notes.push(`${path}: ${whole}.`);
    return text;
  } catch (error) {
    notes.push(messageOf(error));
    return null;
  }
}

function planWarnings(list: TaskList): string[] {
  const notes = [...list.warnings];
  if (list.tasks.length === 0) {
    notes.push("tasks.md has no recognised tasks; a task is a line such as: - [ ] 1.1 Title");
  }
  const unverified = list.tasks.filter((task) => !hasVerify(task) && !isVerification(task));
  if (unverified.length > 0) {
    notes.push(`Tasks without Verify: ${few(unverified.map((task) => task.id))}`);
  }
  if (list.unnumbered.open > 0) {
    notes.push(`${list.unnumbered.open} open boxes have no task number and are never handed out.`);
  }
  return notes;
}

function shorten(summary: string, notes: string[]): string {
  const text = summary.trim() === "" ? "(no summary)" : summary.trim();
  if (text.length <= MAX_SUMMARY) return text;
  notes.push(`The summary was cut to ${MAX_SUMMARY} characters.`);
  return `${text.slice(0, MAX_SUMMARY)} …`;
}

function answer(
  spec: Spec,
  completed: Phase,
  phase: Phase,
  what: {
    message: string;
    summary: string;
    walkthrough: Walkthrough;
    awaitingApproval: boolean;
    complete: boolean;
    alreadyComplete: boolean;
    instructions: string;
    next: string;
    nextArgs: Record<string, unknown>;
    notes: string[];
  },
): TextResult {
  const { openQuestions, ...numbers } = what.walkthrough;
  const counts = Object.entries(numbers).map(([key, value]) => `${value} ${key}`).join(", ");
  const text = [
    what.message,
    "",
    `- Spec: ${shownName(spec.name)}`,
    `- Completed: ${completed}`,
    `- Phase: ${phase}`,
    ...(counts === "" ? [] : [`- Holds: ${counts}`]),
    `- Summary: ${what.summary}`,
    ...openQuestions.map((question) => `- Open question: ${question}`),
    ...what.notes.map((note) => `- Note: ${note}`),
    "",
    what.instructions,
    "",
    `Next: ${callOf(what.next, what.nextArgs)}`,
  ].join("\n");
  return withText(text, {
    message: what.message,
    name: spec.name,
    completed,
    phase,
    summary: what.summary,
    alreadyComplete: what.alreadyComplete,
    complete: what.complete,
    awaitingApproval: what.awaitingApproval,
    walkthrough: what.walkthrough,
    instructions: what.instructions,
    next: what.next,
    nextArgs: what.nextArgs,
    warnings: what.notes,
  });
}

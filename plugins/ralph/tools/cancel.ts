/** `ralph_cancel`: cancels a spec; on request, and after a question, it deletes its folder. */

import * as z from "zod";
import type { CallContext } from "../../../src/tools/context.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callOf, invalid } from "../failures.ts";
import { readFolder, removeFile, removeTree, replaceTexts, withLock } from "../files.ts";
import { shownName } from "../names.ts";
import { nextStep, type Step, userStep } from "../next.ts";
import { PROGRESS_FILE, withRecord } from "../progress.ts";
import { rowOf, type SpecRow, withoutCurrent } from "../rows.ts";
import { progressText } from "../save.ts";
import {
  clearPointer,
  findSpec,
  listSpecs,
  namesOf,
  readPointer,
  resolveSpec,
  specFile,
  specPath,
  writePointer,
} from "../specs.ts";
import { STATE_FILE } from "../state.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { keepBackup, look, type View, viewOf } from "../view.ts";

const Input = z.strictObject({
  spec_name: specName,
  delete_files: z.boolean().optional().describe("Also delete its folder, after a confirmation"),
  confirm: z.string().optional().describe("The value that the first answer asks for"),
});

type CancelInput = z.output<typeof Input>;

interface Outcome {
  readonly message: string;
  readonly cancelled: boolean;
  readonly deleted: boolean;
  readonly was: SpecRow;
  readonly notes?: readonly string[];
  /** The next step; by default that of the current spec. */
  readonly step?: Step;
}

export const cancel: Tool = ralphTool({
  name: "cancel",
  title: "Cancel a spec",
  description: "Cancels a spec and keeps its documents, or deletes its folder.",
  effect: "destroys",
  input: Input,
  output: {
    cancelled: z.boolean(),
    deleted: z.boolean(),
    current: z.string().nullable(),
    was: z.object({ phase: z.string(), done: z.int(), total: z.int() }),
  },
  run: async (input, context) => {
    const { project: { cwd }, signal, log } = context;
    const { name } = resolveSpec(cwd, input.spec_name);
    const question = input.delete_files ? await askToDelete(input, name, context) : null;
    const outcome = question ?? await withLock(cwd, signal, () =>
      // The question to the user took time, so everything is read again.
      input.delete_files ? deleteSpec(cwd, name) : cancelSpec(cwd, name));
    if (outcome.cancelled) log("info", "Spec cancelled", { spec: name, deleted: outcome.deleted });
    return answerFor(cwd, name, outcome);
  },
});

function deleteSpec(cwd: string, name: string): Outcome {
  const { spec, was, isCurrent } = findForCancel(cwd, name);
  removeTree(cwd, spec.dir);
  const notes: string[] = [];
  const [only, ...others] = listSpecs(cwd);
  if (isCurrent && only !== undefined && others.length === 0) {
    writePointer(cwd, only.name);
    notes.push(`'${shownName(only.name)}', the only spec left, is now the current one.`);
  } else if (isCurrent) {
    clearPointer(cwd);
    if (only !== undefined) notes.push("No spec is current now. Call ralph_switch to choose one.");
  }
  const message = `Cancelled spec '${shownName(name)}' and deleted ${specPath(spec)}`;
  return { message, cancelled: true, deleted: true, was, notes };
}

function cancelSpec(cwd: string, name: string): Outcome {
  const { spec, view, was, isCurrent } = findForCancel(cwd, name);
  const notes: string[] = [];
  if (was.status === "cancelled") notes.push("The spec had been cancelled before.");
  else recordCancellation(view, was);
  keepBackup(view, notes);
  removeFile(cwd, specFile(spec, STATE_FILE));
  if (isCurrent) clearPointer(cwd);
  const resume = callOf("ralph_start", { name, resume: true });
  const message = `Cancelled spec '${
    shownName(name)
  }'; its documents are kept. ${resume} resumes it`;
  return { message, cancelled: true, deleted: false, was, notes };
}

function findForCancel(cwd: string, name: string) {
  const specs = listSpecs(cwd);
  const spec = findSpec(specs, name);
  const view = look(spec, true);
  const isCurrent = readPointer(cwd, specs).spec?.name === name;
  return { spec, view, was: rowOf(view, isCurrent), isCurrent };
}

/** Asks whether to delete a folder: `null` for yes, else the answer of the call. */
async function askToDelete(
  { confirm }: CancelInput,
  name: string,
  context: CallContext,
): Promise<Outcome | null> {
  const { spec, view, was } = findForCancel(context.project.cwd, name);
  if (!looksLikeSpec(view)) {
    throw invalid(
      `${specPath(spec)} does not look like a spec, and was not deleted`,
      "Delete the folder by hand if you mean it; call ralph_status to see the specs.",
    );
  }
  const tasks = was.total > 0 ? `, ${was.done} of ${was.total} tasks done` : "";
  const question = `Delete ${specPath(spec)} with all its documents (phase ${was.phase}${tasks})`;
  const kept = { cancelled: false, deleted: false, was };
  if (context.confirm !== undefined) {
    if (await context.confirm(`${question}?`)) return null;
    return { ...kept, message: `The user declined: '${shownName(name)}' was not deleted` };
  }
  if (confirm === name) return null;
  const call = callOf("ralph_cancel", { spec_name: name, delete_files: true, confirm: name });
  return {
    ...kept,
    message: `Nothing was deleted yet. Ask the user: ${question}`,
    step: userStep("active", `the user decides; if they agree, call ${call}`),
  };
}

/** Whether a folder is empty or contains files of a spec. */
function looksLikeSpec({ spec, written }: View): boolean {
  const names = readFolder(spec.cwd, spec.dir).map((entry) => entry.name);
  return names.length === 0 || written.size > 0 ||
    names.some((name) => name.startsWith(STATE_FILE) || [PROGRESS_FILE, "tasks.md"].includes(name));
}

/** Writes the cancellation into the progress file, so that the spec does not look broken. */
function recordCancellation(view: View, was: SpecRow): void {
  const { spec, progressFile } = view;
  const tasks = was.total > 0 ? `, ${was.done}/${was.total} tasks done` : "";
  const line = `Cancelled in phase ${was.phase}${tasks}.`;
  const noState = { kind: "cancelled", reason: "", backup: null } as const;
  const text = progressText(
    viewOf({ ...view, state: null, noState }),
    (text) => withRecord(text, "Cancelled", line),
  );
  const path = specFile(spec, PROGRESS_FILE);
  replaceTexts(spec.cwd, [{ path, old: progressFile.text, text }]);
}

function answerFor(cwd: string, name: string, outcome: Outcome): Answer {
  const { message, cancelled, deleted, was, notes = [] } = outcome;
  const specs = listSpecs(cwd);
  const current = readPointer(cwd, specs).spec;
  const others = namesOf(specs).filter((other) => other !== name);
  const step = outcome.step ??
    (current === null ? withoutCurrent(others) : nextStep(look(current, false)));
  return {
    spec: { name },
    message,
    facts: [
      `Phase: ${was.phase}, ${was.done}/${was.total} tasks done`,
      `Current spec: ${current === null ? "(none)" : shownName(current.name)}`,
    ],
    step,
    warnings: notes,
    data: {
      cancelled,
      deleted,
      current: current?.name ?? null,
      was: { phase: was.phase, done: was.done, total: was.total },
    },
  };
}

/** `ralph_cancel`: cancels a spec; on request, and once confirmed, it deletes its folder. */

import * as z from "zod";
import { removeFolder, removeIfThere } from "../../../src/io/files.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callOf, invalid } from "../failures.ts";
import { readFolder, replaceTexts, specsFolder, withLock } from "../files.ts";
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
} from "../specs.ts";
import { STATE_FILE } from "../state.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { keepBackup, look, type View, viewOf } from "../view.ts";

const Input = z.strictObject({
  spec_name: specName,
  delete_files: z.boolean().optional().describe("Also delete its folder; requires confirm"),
  confirm: z.boolean().optional().describe("true once the user has agreed to the deletion"),
});

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
    const { cwd } = context.project;
    const { name } = resolveSpec(cwd, input.spec_name);
    const outcome = input.delete_files && input.confirm !== true
      ? askToDelete(cwd, name)
      : await withLock(context, () =>
        input.delete_files ? deleteSpec(cwd, name) : cancelSpec(cwd, name));
    return answerFor(cwd, name, outcome);
  },
});

function deleteSpec(cwd: string, name: string): Outcome {
  const { spec, view, was, isCurrent } = findForCancel(cwd, name);
  checkIsSpec(view);
  removeFolder(specsFolder(cwd), spec.dir);
  if (isCurrent) clearPointer(cwd);
  const message = `Cancelled spec '${shownName(name)}' and deleted ${specPath(spec)}`;
  return { message, cancelled: true, deleted: true, was };
}

function cancelSpec(cwd: string, name: string): Outcome {
  const { spec, view, was, isCurrent } = findForCancel(cwd, name);
  const notes: string[] = [];
  if (was.status === "cancelled") notes.push("The spec had been cancelled before.");
  else recordCancellation(view, was);
  keepBackup(view, notes);
  removeIfThere(specsFolder(cwd), specFile(spec, STATE_FILE));
  if (isCurrent) clearPointer(cwd);
  const resume = callOf("ralph_start", { name, resume: true });
  const kept = `its documents are kept. ${resume} resumes it`;
  const message = `Cancelled spec '${shownName(name)}'; ${kept}`;
  return { message, cancelled: true, deleted: false, was, notes };
}

function findForCancel(cwd: string, name: string) {
  const specs = listSpecs(cwd);
  const spec = findSpec(specs, name);
  const view = look(spec, true);
  const isCurrent = readPointer(cwd, specs).spec?.name === name;
  return { spec, view, was: rowOf(view, isCurrent), isCurrent };
}

/** What a deletion would remove, and how to confirm it. */
function askToDelete(cwd: string, name: string): Outcome {
  const { spec, view, was } = findForCancel(cwd, name);
  checkIsSpec(view);
  const tasks = was.total > 0 ? `, ${was.done} of ${was.total} tasks done` : "";
  const question = `Delete ${specPath(spec)} with all its documents (phase ${was.phase}${tasks})`;
  const call = callOf("ralph_cancel", { spec_name: name, delete_files: true, confirm: true });
  return {
    message: `Nothing was deleted yet. Ask the user: ${question}`,
    cancelled: false,
    deleted: false,
    was,
    step: userStep("active", `the user decides; if they agree, call ${call}`),
  };
}

/** @throws {RefraktError} `VALIDATION_ERROR` for a folder with other files than those of a spec. */
function checkIsSpec({ spec, written }: View): void {
  const names = readFolder(spec.cwd, spec.dir).map((entry) => entry.name);
  const isOfSpec = (name: string) =>
    name.startsWith(STATE_FILE) || name === PROGRESS_FILE || name === "tasks.md";
  if (names.length === 0 || written.size > 0 || names.some(isOfSpec)) return;
  throw invalid(
    `${specPath(spec)} does not look like a spec, and was not deleted`,
    "Delete the folder by hand if you mean it; call ralph_status to see the specs.",
  );
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
  replaceTexts(specsFolder(spec.cwd), [{ path, old: progressFile.text, text }]);
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

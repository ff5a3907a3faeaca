/** `ralph_cancel`: cancels a spec; on request, and once confirmed, it deletes its folder. */

import * as z from "zod";
import { removeFolder } from "../../../src/io/files.ts";
import { exists } from "../../../src/io/paths.ts";
import { word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { callOf, invalid, resumeCall } from "../failures.ts";
import { readFolder, specsFolder, withLock } from "../files.ts";
import { clearPointer, findFolder, listFolders, readPointer, specPath } from "../folders.ts";
import { type Step, userStep } from "../next.ts";
import { PROGRESS_FILE, withRecord } from "../progress.ts";
import { overview, rowOf, type SpecRow } from "./status.ts";
import { saveCancelled } from "../save.ts";
import { readSpec, type Spec, withBackup } from "../spec.ts";
import { backupNotes, STATE_FILE } from "../state.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";

export const cancelTool: Tool = ralphTool({
  name: "cancel",
  title: "Cancel a spec",
  description: "Cancels a spec and keeps its documents, or deletes its folder.",
  effect: "destroys",
  input: z.strictObject({
    spec_name: specName,
    delete_files: z.boolean().optional().describe("Also delete its folder"),
    confirm: z.boolean().optional().describe("The user has agreed to delete it"),
  }),
  output: {
    cancelled: z.boolean(),
    deleted: z.boolean(),
    current: z.string().nullable(),
    was: z.object({ phase: z.string(), done: z.int(), total: z.int() }),
  },
  run: async ({ spec_name, delete_files = false, confirm = false }, context) => {
    const { cwd } = context.project;
    const { name } = findFolder(cwd, spec_name);
    const run = () => {
      const spec = readSpec(findFolder(cwd, name), true);
      const was = rowOf(spec, false);
      if (delete_files) checkIsSpec(spec);
      if (delete_files && !confirm) return cancelAnswer(spec, was, askToDelete(spec, was));
      const isCurrent = readPointer(cwd, listFolders(cwd)).folder?.name === name;
      const outcome = delete_files ? deleteSpec(spec) : cancelSpec(spec, was);
      if (isCurrent) clearPointer(cwd);
      return cancelAnswer(spec, was, outcome);
    };
    return delete_files && !confirm ? run() : await withLock(context, run);
  },
});

interface Outcome {
  readonly message: string;
  readonly warnings?: readonly string[];
  /** What the user has to confirm; by default, the next step is that of the current spec. */
  readonly step?: Step;
}

function deleteSpec(spec: Spec): Outcome {
  removeFolder(specsFolder(spec.cwd), spec.dir);
  return { message: `Cancelled spec '${word(spec.name)}' and deleted ${specPath(spec)}` };
}

/** Removes the state, and writes a record, so that the spec does not look broken. */
function cancelSpec(spec: Spec, was: SpecRow): Outcome {
  const before = withBackup(spec);
  const warnings = backupNotes(before, before.noState?.backup);
  const record = `Cancelled in phase ${phaseIn(was)}.`;
  if (was.status === "cancelled") warnings.unshift("The spec had been cancelled before.");
  else saveCancelled(before, (text) => withRecord(text, "Cancelled", record));
  const resume = resumeCall(spec.name);
  return {
    message: `Cancelled spec '${word(spec.name)}'; its documents are kept. ${resume} resumes it`,
    warnings,
  };
}

/** What a deletion would remove, and how to confirm it. */
function askToDelete(spec: Spec, was: SpecRow): Outcome {
  const question = `Delete ${specPath(spec)} with all its documents (phase ${phaseIn(was)})`;
  const args = { spec_name: spec.name, delete_files: true, confirm: true };
  const todo = `the user decides; if they agree, call ${callOf("ralph_cancel", args)}`;
  return {
    message: `Nothing was deleted yet. Ask the user: ${question}`,
    step: userStep("active", todo),
  };
}

/** @throws {RefraktError} `VALIDATION_ERROR` for a folder with other files than those of a spec. */
function checkIsSpec(spec: Spec): void {
  const names = readFolder(spec.cwd, spec.dir).map((entry) => entry.name);
  const isOfSpec = (name: string) =>
    name.startsWith(STATE_FILE) || name === PROGRESS_FILE || name === "tasks.md";
  if (names.length === 0 || spec.written.size > 0 || names.some(isOfSpec)) return;
  throw invalid(
    `${specPath(spec)} does not look like a spec, and was not deleted`,
    "Delete the folder by hand if you mean it; call ralph_status to see the specs.",
  );
}

const phaseIn = ({ phase, done, total }: SpecRow) =>
  total > 0 ? `${phase}, ${done}/${total} tasks done` : phase;

function cancelAnswer({ cwd, name, dir }: Spec, was: SpecRow, outcome: Outcome): Answer {
  const { message, warnings = [] } = outcome;
  const { phase, done, total } = was;
  const { current, step } = overview(cwd);
  return {
    spec: { name },
    message,
    facts: [
      `Phase: ${phaseIn(was)}`,
      `Current spec: ${current === null ? "(none)" : word(current)}`,
    ],
    step: outcome.step ?? step,
    warnings,
    data: {
      cancelled: outcome.step === undefined,
      deleted: !exists(dir),
      current,
      was: { phase, done, total },
    },
  };
}

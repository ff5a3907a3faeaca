/**
 * `ralph_cancel`: gives a spec up; on request, and after a question, its files too.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { today } from "../complete_document.ts";
import { callOf, invalid } from "../failures.ts";
import { lstatIfExists, replaceText } from "../files.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { nextStep, type Step } from "../next.ts";
import { newProgress, PROGRESS_FILE, withRecord, withStatus } from "../progress.ts";
import { rowOf, type SpecRow, withoutCurrent } from "../rows.ts";
import {
  clearPointer,
  findSpec,
  listSpecs,
  namesOf,
  readPointer,
  resolveSpec,
  type Spec,
  specFile,
  specPath,
  writePointer,
} from "../specs.ts";
import { backUp, newestBackup, removeState, STATE_FILE } from "../state.ts";
import { type Answer, ralphTool, specName } from "../tool.ts";
import { removeSpec, statusBlock } from "../save.ts";
import { look, type View } from "../view.ts";

const Input = z.strictObject({
  spec_name: specName,
  delete_files: z.boolean().optional().describe("Delete its folder, after a question"),
  confirm: z.string().optional().describe("What the first answer asks for"),
});

type CancelInput = z.output<typeof Input>;

/** The tool. */
export const cancel: CliPluginCommand = ralphTool({
  name: "cancel",
  title: "Cancel a spec",
  description: "Gives a spec up and keeps its documents, or deletes its folder.",
  effect: "destroys",
  input: Input,
  output: { cancelled: "boolean", deleted: "boolean", current: "string?" },
  run,
});

async function run(input: CancelInput, context: McpHandlerContext): Promise<Answer> {
  const { cwd, signal, log } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  if (input.delete_files) {
    const refused = await askToDelete(input, spec, context);
    if (refused !== null) return answer(cwd, spec, refused);
  }
  return await withLock(cwd, signal, () => {
    // While the user was asked, somebody else may have been faster.
    const specs = listSpecs(cwd);
    const again = findSpec(specs, spec.name);
    const view = look(again, true);
    const was = rowOf(view, false);
    const current = readPointer(cwd, specs).spec?.name === again.name;
    const notes: string[] = [];
    if (input.delete_files) {
      removeSpec(again);
      if (current) repoint(cwd, again.name, notes);
      log("warning", "Spec deleted", { spec: again.name });
      const message = `Cancelled spec '${shownName(again.name)}' and deleted ${specPath(again)}`;
      return answer(cwd, again, { message, cancelled: true, deleted: true, was, notes });
    }
    giveUp(view, was, notes);
    if (current) clearPointer(cwd);
    log("info", "Spec cancelled", { spec: again.name });
    const resume = callOf("ralph_start", { name: again.name, resume: true });
    return answer(cwd, again, {
      message: `Cancelled spec '${
        shownName(again.name)
      }'; its documents are kept. ${resume} takes it up again`,
      cancelled: true,
      deleted: false,
      was,
      notes,
    });
  });
}

/** What became of a cancellation. */
interface Outcome {
  readonly message: string;
  readonly cancelled: boolean;
  readonly deleted: boolean;
  readonly was: SpecRow;
  readonly notes: readonly string[];
  /** What is next; by default what follows from the specs that are left. */
  readonly step?: Step;
}

/** Asks whether a folder is to be deleted: `null` for yes, else the answer to give. */
async function askToDelete(
  input: CancelInput,
  spec: Spec,
  context: McpHandlerContext,
): Promise<Outcome | null> {
  if (!looksLikeSpec(spec)) {
    throw invalid(
      `${specPath(spec)} does not look like a spec, and is not deleted`,
      "Delete the folder by hand if that is meant; call ralph_status to see the specs.",
    );
  }
  const was = rowOf(look(spec, true), false);
  const tasks = was.total > 0 ? `, ${was.done} of ${was.total} tasks done` : "";
  const question = `Delete ${specPath(spec)} with all its documents (phase ${was.phase}${tasks})?`;
  const outcome = { cancelled: false, deleted: false, was, notes: [] };
  if (context.confirm !== undefined) {
    if (await context.confirm(question)) return null;
    return { ...outcome, message: `The user declined: '${shownName(spec.name)}' was not deleted` };
  }
  const nextArgs = { spec_name: spec.name, delete_files: true, confirm: spec.name };
  const call = callOf("ralph_cancel", nextArgs);
  if (input.confirm === spec.name) return null;
  if (input.confirm !== undefined) {
    throw invalid(
      `confirm is '${shownName(input.confirm)}', but the spec is '${shownName(spec.name)}'`,
      `Ask the user, then call ${call}.`,
    );
  }
  return {
    ...outcome,
    message: `Nothing was deleted yet. Ask the user: ${question.replace(/\?$/, "")}`,
    step: {
      status: "active",
      next: "user",
      nextArgs: {},
      todo: `the user decides; if they agree, call ${call}`,
    },
  };
}

function looksLikeSpec(spec: Spec): boolean {
  const entries = [...Deno.readDirSync(spec.dir)];
  return entries.length === 0 || look(spec, true).written.size > 0 || newestBackup(spec) !== null ||
    [STATE_FILE, PROGRESS_FILE, "tasks.md"].some((file) =>
      lstatIfExists(specFile(spec, file)) !== null
    );
}

/** Removes the state, and notes it in the progress file: without that the spec would only look broken. */
function giveUp(view: View, was: SpecRow, notes: string[]): void {
  const { spec } = view;
  if (was.status === "cancelled") notes.push("The spec had been cancelled before.");
  else {
    if (view.progressFile.problem !== null) throw view.progressFile.problem;
    const tasks = was.total > 0 ? `, ${was.done}/${was.total} tasks done` : "";
    const line = `Cancelled in phase ${was.phase}${tasks}.`;
    const resume = callOf("ralph_start", { name: spec.name, resume: true });
    const status = { ...statusBlock(view, nextStep(view)), phase: "cancelled" as const };
    const text = withRecord(
      withStatus(view.progressFile.text ?? newProgress(spec.name, view.goal), {
        ...status,
        next: `call ${resume} to take the spec up again`,
      }),
      `Cancelled (${today()})`,
      line,
    );
    replaceText(spec.cwd, specFile(spec, PROGRESS_FILE), view.progressFile.text, text);
  }
  const kept = view.noState?.kind === "corrupt" ? backUp(spec) : null;
  if (kept === null) removeState(spec);
  else notes.push(`The corrupt state file was kept as ${specPath(spec, kept)}.`);
}

/** Moves the pointer away from a spec that is gone, but never to one of several. */
function repoint(cwd: string, gone: string, notes: string[]): void {
  const remaining = listSpecs(cwd);
  if (remaining.length === 1) {
    writePointer(cwd, remaining[0]!.name);
    notes.push(`'${shownName(remaining[0]!.name)}', the only spec left, is now current.`);
    return;
  }
  clearPointer(cwd);
  if (remaining.length > 1) {
    notes.push(
      `'${shownName(gone)}' was current; no spec is now. Call ralph_switch to choose one.`,
    );
  }
}

function answer(cwd: string, spec: Spec, outcome: Outcome): Answer {
  const { message, cancelled, deleted, was, notes } = outcome;
  const specs = listSpecs(cwd);
  const current = readPointer(cwd, specs).spec;
  const remaining = namesOf(specs).filter((name) => name !== spec.name);
  const step = outcome.step ??
    (current === null ? withoutCurrent(remaining) : nextStep(look(current, false)));
  return {
    spec,
    message,
    facts: [
      `It ${cancelled ? "was" : "is"} in phase ${was.phase}, ${was.done}/${was.total} tasks done`,
      `Current spec: ${current === null ? "(none)" : shownName(current.name)}`,
    ],
    step,
    warnings: notes,
    data: {
      cancelled,
      deleted,
      current: current?.name ?? null,
    },
  };
}

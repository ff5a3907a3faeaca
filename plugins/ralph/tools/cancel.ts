/**
 * `ralph_cancel`: gives a spec up; on request, its files too.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { fileOperation, invalid } from "../failures.ts";
import { lstatIfExists } from "../files.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { artifactsOf, callOf, describeSpec, readGoal, type SpecRow } from "../overview.ts";
import {
  newProgress,
  PROGRESS_FILE,
  readProgress,
  withRecord,
  withStatus,
  writeProgress,
} from "../progress.ts";
import { follow } from "../schemas.ts";
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
import { backUp, newestBackup, readState, removeState, STATE_FILE } from "../state.ts";
import { statusOf } from "../status_block.ts";

const Input = z.strictObject({
  spec_name: z.string().min(1).optional().describe("Spec name (defaults to the current spec)"),
  delete_files: z.boolean().default(false).describe("Delete the spec's folder entirely"),
  confirm: z.string().optional()
    .describe("The spec's name again, to delete one whose tasks are partly done"),
});

const Output = z.object({
  message: z.string(),
  name: z.string(),
  cancelled: z.boolean(),
  deleted: z.boolean(),
  current: z.string().nullable(),
  remaining: z.array(z.string()),
  ...follow,
});

type CancelInput = z.output<typeof Input>;

/** The tool. */
export const cancel: CliPluginCommand = {
  name: "cancel",
  toolName: "ralph_cancel",
  title: "Cancel a spec",
  description:
    "Cancels a spec: removes its state and keeps its documents, or deletes its folder with delete_files.",
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: run,
};

async function run(input: CancelInput, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  const spec = resolveSpec(cwd, input.spec_name);
  if (input.delete_files) {
    const row = describeSpec(spec, null);
    if (!looksLikeSpec(spec)) {
      throw invalid(
        `${specPath(spec)} does not look like a spec, and is not deleted`,
        "Delete the folder by hand if that is meant; call ralph_status to see the specs.",
      );
    }
    if (!await isConfirmed(input, spec, row, context)) {
      const message = `The user declined: '${shownName(spec.name)}' was not deleted`;
      return answer(cwd, spec, row, { message, cancelled: false, deleted: false, notes: [] });
    }
  }
  return await withLock(cwd, context.signal, () => {
    // While the user was asked, somebody else may have been faster.
    const specs = listSpecs(cwd);
    const again = findSpec(specs, spec.name);
    const row = describeSpec(again, null);
    const pointer = readPointer(cwd, specs);
    const wasCurrent = pointer.spec?.name === again.name;
    const notes: string[] = [];
    if (input.delete_files) {
      fileOperation(
        cwd,
        "remove",
        specPath(again),
        () => Deno.removeSync(again.dir, { recursive: true }),
      );
      if (wasCurrent) repoint(cwd, again.name, notes);
      context.log("warning", "Spec deleted", { spec: again.name });
      return answer(cwd, again, row, {
        message: `Cancelled spec '${shownName(again.name)}' and deleted ${specPath(again)}`,
        cancelled: true,
        deleted: true,
        notes,
      });
    }
    record(again, row, notes);
    const kept = readState(again).kind === "corrupt" ? backUp(again) : null;
    if (kept === null) removeState(again);
    else notes.push(`The corrupt state file was kept as ${specPath(again, kept)}.`);
    if (wasCurrent) clearPointer(cwd);
    context.log("info", "Spec cancelled", { spec: again.name });
    return answer(cwd, again, row, {
      message: `Cancelled spec '${shownName(again.name)}'; its documents are kept. ${
        callOf("ralph_start", { name: again.name, resume: true })
      } takes it up again`,
      cancelled: true,
      deleted: false,
      notes,
    });
  });
}

async function isConfirmed(
  input: CancelInput,
  spec: Spec,
  row: SpecRow,
  context: McpHandlerContext,
): Promise<boolean> {
  if (input.confirm === spec.name) return true;
  if (input.confirm !== undefined) {
    throw invalid(
      `confirm is '${shownName(input.confirm)}', but the spec is '${shownName(spec.name)}'`,
      `Ask the user, then call ${callOf("ralph_cancel", confirmArgs(spec))}.`,
    );
  }
  if (context.confirm !== undefined) {
    const tasks = row.total > 0 ? `, ${row.done} of ${row.total} tasks done` : "";
    return await context.confirm(
      `Delete ${specPath(spec)} with all its documents (phase ${row.phase}${tasks})?`,
    );
  }
  if (row.done > 0 && row.done < row.total) {
    throw invalid(
      `'${
        shownName(spec.name)
      }' is partly done (${row.done}/${row.total} tasks), so deleting it has to be confirmed`,
      `Ask the user, then call ${callOf("ralph_cancel", confirmArgs(spec))}.`,
      { done: row.done, total: row.total },
    );
  }
  return true;
}

function confirmArgs(spec: Spec): Record<string, unknown> {
  return { spec_name: spec.name, delete_files: true, confirm: spec.name };
}

function looksLikeSpec(spec: Spec): boolean {
  const entries = [...Deno.readDirSync(spec.dir)];
  return entries.length === 0 || artifactsOf(spec).length > 0 || newestBackup(spec) !== null ||
    [STATE_FILE, PROGRESS_FILE].some((file) => lstatIfExists(specFile(spec, file)) !== null);
}

/** Notes the cancellation in the diary; without it the spec would only look broken. */
function record(spec: Spec, row: SpecRow, notes: string[]): void {
  if (row.status === "cancelled") {
    notes.push("The spec had been cancelled before.");
    return;
  }
  const tasks = row.total > 0 ? `, ${row.done}/${row.total} tasks done` : "";
  const day = new Date().toISOString().slice(0, 10);
  const line = `Cancelled in phase ${row.phase}${tasks}.`;
  const status = statusOf("cancelled", row.done, row.total, line);
  const text = readProgress(spec) ?? newProgress(spec.name, readGoal(spec, null), status);
  writeProgress(spec, withRecord(withStatus(text, status), `Cancelled (${day})`, line));
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

function answer(
  cwd: string,
  spec: Spec,
  row: SpecRow,
  what: { message: string; cancelled: boolean; deleted: boolean; notes: string[] },
): TextResult {
  const specs = listSpecs(cwd);
  const current = readPointer(cwd, specs).spec?.name ?? null;
  const remaining = namesOf(specs).filter((name) => name !== spec.name);
  const after = current !== null
    ? { next: "ralph_status", nextArgs: {} }
    : remaining.length > 0
    ? { next: "ralph_switch", nextArgs: { name: remaining[0]! } }
    : { next: "ralph_start", nextArgs: {} };
  const text = [
    `${what.message}.`,
    "",
    `- It was in phase ${row.phase}, ${row.done}/${row.total} tasks done`,
    `- Current spec: ${current === null ? "(none)" : shownName(current)}`,
    ...what.notes.map((note) => `- Note: ${note}`),
    "",
    `Next: ${callOf(after.next, after.nextArgs)}`,
  ].join("\n");
  return withText(text, {
    message: what.message,
    name: spec.name,
    cancelled: what.cancelled,
    deleted: what.deleted,
    phase: row.phase,
    done: row.done,
    total: row.total,
    current,
    remaining: remaining.slice(0, 50),
    ...after,
    warnings: what.notes,
  });
}

/**
 * `plan.migrate`: updates files to newer conventions. The plugin reports success even if it could
 * not move some files; here that is an error.
 *
 * @module
 */

import { z } from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { mayWrite } from "../../../src/io/permissions.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../commands.ts";
import { few } from "../failures.ts";
import { type Migration, refusePluginGit, renameWithGit } from "../migrate_git.ts";
import { planPlace, withPlanLock } from "../place.ts";
import { openPlan } from "../queries/access.ts";
import { refuseConflicts } from "../store/problems.ts";
import { withPluginWrites } from "../store/plugin_writes.ts";
import { dirArgument, planCommand, WRITES } from "./command.ts";

/** How many files the message lists. */
const MOST_NAMED = 5;

const Input = z.strictObject({
  subcommand: z.enum(["filenames", "pr-attrs", "dependencies"]),
  apply: z.boolean().optional(),
  useGit: z.boolean().optional(),
  dir: dirArgument(),
});

const Output = z.looseObject({ mode: z.string(), exitCode: z.int() });

export function migrateCommand(plugin: PlanPlugin): CliPluginCommand {
  return planCommand({
    name: "migrate",
    title: "Migrate the plan",
    description: "Brings the plan's files to newer conventions, such as ids in file names. " +
      "Without apply it only says what it would do.",
    annotations: { ...WRITES, destructiveHint: true },
    input: Input,
    output: Output,
    run: (input, context): Promise<Migration> => {
      const { subcommand, apply = false, useGit = false } = input;
      const withGit = apply && useGit;
      refusePluginGit(subcommand, withGit);
      const dir = planPlace(context, input.dir);
      return withPlanLock(dir, context.signal, async () => {
        const answer = await withPluginWrites({ root: context.cwd }, async () => {
          const plan = await openPlan(context, dir, plugin);
          await plan.state.readDocuments();
          if (apply) refuseConflicts(plan.state);
          const wanted = { subcommand, apply: apply && !withGit };
          return await askPlugin<Migration>(plugin, "migrate", wanted, plan, context);
        });
        const done = withGit ? await renameWithGit(dir, answer, context.signal) : answer;
        refuseUndone({ cwd: context.cwd, dir }, done);
        return done;
      });
    },
  });
}

/** Throws if a migration is incomplete, and reports what was done. */
function refuseUndone(
  { cwd, dir }: { readonly cwd: string; readonly dir: string },
  { mode, errors, applied }: Readonly<Record<string, unknown>>,
): void {
  if (mode !== "apply" || !Array.isArray(errors) || errors.length === 0) return;
  const reasons = errors.map(({ file, reason }) =>
    `${file}: ${String(reason).replaceAll(`${cwd}/`, "").slice(0, 300)}`
  );
  const done = Array.isArray(applied) ? applied : [];
  const message = `${errors.length} of ${errors.length + done.length} files were not moved: `;
  const denied = !mayWrite(dir);
  throw new RefraktError(
    denied ? "PERMISSION_DENIED" : "FILE_OPERATION_FAILED",
    message + few(reasons, MOST_NAMED),
    {
      hint: denied
        ? "Start the server with --allow-write=<the plan's folder>, and call again."
        : "Fix what the reasons name, and call again: moved files are not moved twice.",
      data: { applied: done, errors: reasons },
    },
  );
}

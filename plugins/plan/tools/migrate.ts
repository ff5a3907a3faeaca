/**
 * `plan.migrate`: updates files to newer conventions. The plugin reports success even if it could
 * not move some files; here that is an error.
 */

import { resolve } from "node:path";
import { z } from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { QUICK_MS, runGit } from "../../../src/io/git.ts";
import { mayWrite } from "../../../src/io/permissions.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import { askPlugin, type PlanPlugin } from "../queries/ask_plugin.ts";
import { few } from "../store/failures.ts";
import { planPlace, withPlanLock } from "../store/place.ts";
import { openPlan } from "../queries/access.ts";
import { rejectConflicts } from "../store/problems.ts";
import { withPluginWrites } from "../upstream/plugin_writes.ts";
import { dirArgument, planCommand, WRITES } from "./command.ts";

/** How many files the message lists. */
const MAX_NAMED = 5;

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
    description: "Updates the plan's files to newer conventions, such as ids in file names. " +
      "Without apply it only lists the changes.",
    annotations: { ...WRITES, destructiveHint: true },
    input: Input,
    output: Output,
    run: (input, context): Promise<Migration> => {
      const { subcommand, apply = false, useGit = false } = input;
      const withGit = apply && useGit;
      rejectPluginGit(subcommand, withGit);
      const dir = planPlace(context, input.dir);
      return withPlanLock(dir, context.signal, async () => {
        const answer = await withPluginWrites({ root: context.cwd }, async () => {
          const plan = await openPlan(context, dir, plugin);
          await plan.state.readDocuments();
          if (apply) rejectConflicts(plan.state);
          const wanted = { subcommand, apply: apply && !withGit };
          return await askPlugin<Migration>(plugin, "migrate", wanted, plan, context);
        });
        const done = withGit ? await renameWithGit(dir, answer, context.signal) : answer;
        rejectIncomplete({ cwd: context.cwd, dir }, done);
        return done;
      });
    },
  });
}

/** Throws if a migration is incomplete, and reports what was done. */
function rejectIncomplete(
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
    message + few(reasons, MAX_NAMED),
    {
      hint: denied
        ? "Start the server with --allow-write=<the plan's folder> and call again."
        : "Fix these causes and call again: moved files are not moved twice.",
      data: { applied: done, errors: reasons },
    },
  );
}

/** The answer of a migration. Files are relative to the plan. */
interface Migration {
  readonly mode: string;
  readonly exitCode: number;
  readonly planned?: readonly { readonly from: string; readonly to: string }[];
  readonly errors?: readonly { readonly file: string; readonly reason: string }[];
  readonly [field: string]: unknown;
}

/**
 * Carries out the renames that a dry run of the plugin has planned.
 *
 * @param dir The plan's directory, absolute.
 * @param answer The answer of the dry run.
 * @returns The answer of an applied migration.
 */
async function renameWithGit(
  dir: string,
  answer: Migration,
  signal: AbortSignal,
): Promise<Migration> {
  const options = { cwd: dir, signal, timeoutMs: QUICK_MS, config: await withoutFilters(dir) };
  const applied = [];
  const errors = [...answer.errors ?? []];
  for (const rename of answer.planned ?? []) {
    const { from, to } = rename;
    // Git is another process: this server's write permissions do not limit it.
    const { code, stderr } = [from, to].every((file) => mayWrite(resolve(dir, file)))
      ? await runGit(["mv", "--", from, to], options)
      : { code: 1, stderr: "no permission to write" };
    const reason = `rename failed: ${stderr.replace(/^fatal: /, "").trim()}`;
    if (code === 0) applied.push(rename);
    else errors.push({ file: from, reason });
  }
  return { ...answer, mode: "apply", applied, errors, exitCode: errors.length > 0 ? 1 : 0 };
}

/** Settings that keep git from running the filter programs that the repository configures. */
async function withoutFilters(dir: string): Promise<(readonly [string, string])[]> {
  const list = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const { stdout } = await runGit(list, { cwd: dir, timeoutMs: QUICK_MS });
  const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
  const filters = new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))));
  return [...filters].flatMap((filter) => [
    ...["clean", "smudge", "process"].map((program) => [`${filter}.${program}`, ""] as const),
    [`${filter}.required`, "false"] as const,
  ]);
}

/** Rejects migrations that need git within the plugin, which has none here. */
function rejectPluginGit(subcommand: string, useGit: boolean): void {
  if (subcommand === "pr-attrs") {
    throw new RefraktError("TOOL_FAILED", "The migration pr-attrs runs git itself", {
      hint: "Plugins cannot run git here. Run it in a terminal: npx refrakt plan migrate pr-attrs",
    });
  }
  if (useGit && subcommand !== "filenames") {
    throw new RefraktError("INVALID_ARGS", "useGit requires the subcommand filenames", {
      hint: "Call without useGit and stage the files in a terminal: git add <the plan's folder>",
    });
  }
}

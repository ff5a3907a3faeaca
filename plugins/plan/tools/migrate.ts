/**
 * `plan.migrate`: updates files to newer conventions. The plugin reports success even if it could
 * not move some files; here that is an error.
 */

import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { fieldOf, textOf } from "../../../src/io/json.ts";
import { mayWrite } from "../../../src/io/permissions.ts";
import { noteMove, readForChange } from "../../../src/io/shared_files.ts";
import { askPlugin } from "../queries/ask_plugin.ts";
import { few } from "../store/failures.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { openPlan } from "../queries/access.ts";
import { rejectConflicts } from "../store/problems.ts";
import { allOrNone } from "../write/undo.ts";
import { withPluginWrites } from "../upstream/plugin_writes.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** How many files the message lists. */
const MAX_NAMED = 5;

const Output = z.looseObject({ mode: z.string(), exitCode: z.int() });

export const migrateTool = writeTool({
  name: "plan.migrate",
  listed: { with: ["plan"], group: "repair" },
  title: "Migrate the plan",
  description:
    "Updates files to newer conventions, such as ids in their names; without apply, lists them.",
  annotations: { destructiveHint: true },
  input: {
    subcommand: z.enum(["filenames", "pr-attrs", "dependencies"]),
    apply: z.boolean().optional(),
  },
  output: Output,
  run: ({ subcommand, apply = false }, place) => {
    rejectPluginGit(subcommand);
    const migrate = async () => {
      const plan = await openPlan(place);
      await plan.state.readDocuments();
      if (apply) rejectConflicts(plan.state);
      const answer = await askPlugin<z.infer<typeof Output>>(plan, "migrate", {
        subcommand,
        apply,
      });
      if (apply) noteMoves(place, answer);
      return answer;
    };
    return withPlanLock(place, () =>
      allOrNone(place.cwd, async () => {
        const answer = await withPluginWrites({ root: place.cwd }, migrate);
        rejectIncomplete(place, answer);
        return answer;
      }));
  },
});

/** Notes the files that the plugin has renamed by itself, for `plan.undo`. */
function noteMoves({ cwd, store }: PlanPlace, { applied }: Readonly<Record<string, unknown>>) {
  for (const move of Array.isArray(applied) ? applied : []) {
    const [from, to] = [textOf(fieldOf(move, "from")), textOf(fieldOf(move, "to"))];
    if (from === undefined || to === undefined) continue;
    const seen = readForChange(cwd, store.path(to), { kind: "text", isOnlyRead: true });
    noteMove(store.path(from), store.path(to), seen);
  }
}

/** Throws if a migration is incomplete. */
function rejectIncomplete(
  { cwd, dir }: PlanPlace,
  { mode, errors, applied }: Readonly<Record<string, unknown>>,
): void {
  if (mode !== "apply" || !Array.isArray(errors) || errors.length === 0) return;
  const reasons = errors.map(({ file, reason }) =>
    `${file}: ${String(reason).replaceAll(`${cwd}/`, "").slice(0, 300)}`
  );
  const all = errors.length + (Array.isArray(applied) ? applied.length : 0);
  const message = `${errors.length} of ${all} files cannot be moved: `;
  const denied = !mayWrite(dir);
  throw new RefraktError(
    denied ? "PERMISSION_DENIED" : "FILE_OPERATION_FAILED",
    message + few(reasons, MAX_NAMED),
    {
      hint: denied
        ? "Start the server with --allow-write=<the plan's folder> and call again."
        : "Nothing was changed. Fix these causes and call again.",
      data: { errors: reasons },
    },
  );
}

/** Rejects the migration that runs git within the plugin, which has none here. */
function rejectPluginGit(subcommand: string): void {
  if (subcommand !== "pr-attrs") return;
  throw new RefraktError("TOOL_FAILED", "The migration pr-attrs runs git itself", {
    hint:
      "Plugins cannot run git here. Run it in a terminal: npx --package=@refrakt-md/cli refrakt plan migrate pr-attrs",
  });
}

/** `plan_migrate`: the plugin's migrations of a plan's files. */

import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { noteWrite } from "../../../src/io/journal.ts";
import { fieldOf, textOf } from "../../../src/io/json.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import { quoted, quotedName } from "../../../src/plain_text.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import { openPlan } from "../queries/access.ts";
import { askPlugin } from "../queries/plugin_answers.ts";
import { few } from "../store/problems.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** How many files an error names. */
const MOST_FAILED = 5;

const MigrateOutput = z.looseObject({
  mode: z.string(),
  applied: z.array(z.unknown()).optional(),
  errors: z.array(z.looseObject({ file: z.string(), reason: z.string() })).optional(),
});

type Migration = z.infer<typeof MigrateOutput>;

export const migrateTool = writeTool({
  name: "plan_migrate",
  title: "Migrate the plan",
  description: "Brings files of an older plan to the conventions of the plugin's version.",
  listed: { with: ["plan"], group: "repair" },
  input: (vocabulary) => ({
    subcommand: z.enum(vocabulary.migrations).describe("What to migrate"),
    apply: z.boolean().optional().describe("Writes"),
  }),
  output: MigrateOutput,
  run: async (input, place) => {
    const { folder } = place.store;
    const migration = await withPlanLock(
      place,
      () =>
        withInterceptor(
          { folder },
          async () => await askPlugin<Migration>(await openPlan(place), "migrate", input),
        ),
    );
    const { mode, applied = [], errors = [] } = migration;
    if (mode !== "apply") return migration;
    for (const move of applied) noteMove(place, move);
    // The plugin returns errors as data.
    if (applied.length > 0 || errors.length === 0) return migration;
    const failures = errors.map(({ file, reason }) => `${quotedName(file)}: ${quoted(reason)}`);
    throw new RefraktError("TOOL_FAILED", `Nothing was migrated: ${few(failures, MOST_FAILED)}`, {
      hint: "Mend these files, or let the server write them; then call again.",
    });
  },
});

/** Notes that the plugin has renamed a file within its folder, for undo. */
function noteMove({ store }: PlanPlace, move: unknown): void {
  const from = textOf(fieldOf(move, "from"));
  const to = textOf(fieldOf(move, "to"));
  if (from === undefined || to === undefined) return;
  const read = () => readForChange(store.folder, store.path(to), { isOnlyRead: true });
  const file = orElse(read, undefined);
  if (file === undefined) return;
  const { folder, path, text, mode } = file;
  const old = join(dirname(path), basename(from));
  noteWrite({ folder, path: old, before: text, after: null, mode });
  noteWrite({ folder, path, before: null, after: text, mode });
}

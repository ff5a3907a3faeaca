/** `plan_merge`: merges the entities that a merge or rebase has left in conflict. */

import { inTurns } from "../../../src/io/turns.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { join } from "node:path";
import * as z from "zod";
import { shownPath } from "../../../src/io/paths.ts";
import { invalidArguments } from "../entity/values.ts";
import { readOperation, readUnmerged } from "../git/stages.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { withPlanLock } from "../store/place.ts";
import { type MergeRow, mergeRows, rowsOfMerge } from "../tool_parts/merge_rows.ts";
import {
  decideBy,
  filesNamed,
  mayHaveMarkers,
  mergeInPlace,
  namesOf,
} from "../tool_parts/merge_files.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** How many files with conflict markers are named. */
const MOST_MARKED = 8;

export const mergeTool = writeTool({
  name: "plan_merge",
  listed: { with: ["plan"], group: "repair" },
  title: "Merge entities in conflict",
  description:
    "Merges entities in conflict in a merge or rebase by meaning, and asks for what is left. " +
    "git add stays yours.",
  input: {
    id: z.string().optional().describe("Or a file of the plan"),
    all: z.boolean().optional().describe("Instead of id"),
    take: z.record(z.string(), z.string()).optional().describe(
      "Values of attributes; for the rest ours, theirs or both",
    ),
  },
  output: z.object({ ours: z.string(), theirs: z.string(), ...mergeRows, note: z.string() }),
  run: async ({ id, all = false, take = {} }, place) => {
    if ((id === undefined) !== all) {
      const hint = "plan_validate lists the files with conflict markers.";
      throw invalidArguments('Pass either "id" or "all"', hint);
    }
    const { git, cwd, dir } = place;
    const [unmerged, operation] = await Promise.all([readUnmerged(git), readOperation(git)]);
    const wanted = filesNamed(unmerged, id);
    const decide = decideBy(take, wanted, place);
    return await withPlanLock(place, async () => {
      const rows: MergeRow[] = [];
      for await (const file of inTurns(wanted, place.signal)) {
        const outcome = mergeInPlace(place, file, decide, operation);
        const path = shownPath(cwd, join(dir, file.path));
        if (outcome !== undefined) rows.push({ id: namesOf(file)[0]!, path, ...outcome });
      }
      const { merged, open } = rowsOfMerge(rows);
      const folder = quotedName(shownPath(cwd, dir) || ".");
      const marked = unmerged.map(({ path }) => join(dir, path))
        .filter((path) => mayHaveMarkers(place, path))
        .map((path) => quotedName(shownPath(cwd, path)));
      const notes = [
        marked.length > 0
          ? `Conflict markers are left in ${shortList(marked, MOST_MARKED)}`
          : `No conflict markers are left in ${folder}`,
      ];
      const mergedBefore = wanted.length - rows.length;
      if (mergedBefore > 0) notes.unshift(`${mergedBefore} merged before`);
      if (open !== undefined) {
        notes.push("Some are open: take settles disagreements, and a reason says what else to do");
      } else if (marked.length > 0) notes.push("Merge these, too: all: true");
      else {
        const { name } = operation;
        notes.push(`When everything is right, run git add ${folder} and continue the ${name}`);
      }
      const { ours, theirs } = operation;
      return { ours, theirs, merged, open, note: notes.join(". ") };
    });
  },
});

/** `plan_merge`: merges the entities that a merge or rebase has left in conflict. */

import { turnTaker } from "../../../src/io/turns.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { join } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { readOperation, readUnmerged } from "../git/stages.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { withPlanLock } from "../store/place.ts";
import { mergeRows } from "../tool_parts/merge_rows.ts";
import {
  decideBy,
  filesNamed,
  mayHaveMarkers,
  mergeFile,
  namesOf,
} from "../tool_parts/merge_files.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";
import { unlessEmpty } from "../../../src/io/json.ts";

/** How many files with conflict markers are named. */
const MOST_LEFT = 8;

const MergeOutput = z.object({
  ours: z.string(),
  theirs: z.string(),
  ...mergeRows,
  note: z.string(),
});

type MergeAnswer = z.infer<typeof MergeOutput>;

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
  output: MergeOutput,
  run: async ({ id, all = false, take = {} }, place): Promise<MergeAnswer> => {
    if ((id === undefined) !== all) {
      throw new RefraktError("INVALID_ARGS", 'Pass either "id" or "all"', {
        hint: "plan_validate lists the files with conflict markers.",
      });
    }
    const { git, cwd, dir } = place;
    const [unmerged, operation] = await Promise.all([readUnmerged(git), readOperation(git)]);
    const wanted = filesNamed(unmerged, id);
    const decide = decideBy(take, wanted, place);
    return await withPlanLock(place, async () => {
      const turn = turnTaker(place.signal);
      const merged: MergeAnswer["merged"] = [];
      const open: NonNullable<MergeAnswer["open"]> = [];
      let done = 0;
      for (const file of wanted) {
        const row = { id: namesOf(file)[0]!, path: shownPath(cwd, join(dir, file.path)) };
        const { is, ...outcome } = mergeFile(place, file, decide, operation);
        if (is === "done") done++;
        else (is === "merged" ? merged : open).push({ ...row, ...outcome });
        await turn();
      }
      const folder = quotedName(shownPath(cwd, dir) || ".");
      const left = unmerged.map(({ path }) => join(dir, path))
        .filter((path) => path.endsWith(".md") && mayHaveMarkers(place, path))
        .map((path) => quotedName(shownPath(cwd, path)));
      const notes = [
        left.length > 0
          ? `Conflict markers are left in ${shortList(left, MOST_LEFT)}`
          : `No conflict markers are left in ${folder}`,
      ];
      if (done > 0) notes.unshift(`${done} merged before`);
      if (open.length > 0) {
        notes.push("Some are open: take settles disagreements, and a reason says what else to do");
      } else if (left.length > 0) notes.push("Merge these, too: all: true");
      else {
        const { name } = operation;
        notes.push(`When everything is right, run git add ${folder} and continue the ${name}`);
      }
      return {
        ours: operation.ours,
        theirs: operation.theirs,
        merged,
        open: unlessEmpty(open),
        note: notes.join(". "),
      };
    });
  },
});

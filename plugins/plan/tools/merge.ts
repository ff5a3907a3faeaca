/** `plan_merge`: merges the entities that a merge or rebase has left in conflict. */

import { turnTaker } from "../../../src/io/turns.ts";
import { quotedName } from "../../../src/plain_text.ts";
import { join } from "node:path";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { read } from "../entity/document.ts";
import { readOperation, readUnmerged } from "../git/stages.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { unlessEmpty } from "../queries/access.ts";
import { withPlanLock } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import { mergeRows } from "../tool_parts/merge_rows.ts";
import {
  decisionsOf,
  isNamed,
  mayHaveMarkers,
  mergeFile,
  namesOf,
  nothingToMerge,
} from "../tool_parts/merge_files.ts";
import { writeTool } from "../tool_parts/plan_tool.ts";

/** How many files with conflict markers are named. */
const MOST_LEFT = 8;

const Output = z.object({
  ours: z.string(),
  theirs: z.string(),
  ...mergeRows,
  note: z.string(),
});

type Answer = z.infer<typeof Output>;

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
  output: Output,
  run: async ({ id, all = false, take = {} }, place): Promise<Answer> => {
    if ((id === undefined) !== all) {
      throw new RefraktError("INVALID_ARGS", 'Pass either "id" or "all"', {
        hint: "plan_validate lists the files with conflict markers.",
      });
    }
    const { git, cwd, dir, plugin } = place;
    const decisions = decisionsOf(take);
    const [unmerged, operation] = await Promise.all([readUnmerged(git), readOperation(git)]);
    const wanted = unmerged.filter((file) =>
      file.path.endsWith(".md") && (id === undefined || isNamed(file, id))
    );
    if (wanted.length === 0) throw nothingToMerge(id, unmerged.length);
    return await withPlanLock(place, async () => {
      const turn = turnTaker(place.signal);
      for (const { ours = "" } of wanted) {
        const type = read(ours).entity?.type;
        if (type !== undefined) {
          checkVocabulary(type, decisions.attributes ?? {}, plugin.vocabulary);
        }
      }
      const merged: Answer["merged"] = [];
      const open: NonNullable<Answer["open"]> = [];
      let done = 0;
      for (const file of wanted) {
        const row = { id: namesOf(file)[0]!, path: shownPath(cwd, join(dir, file.path)) };
        const { is, ...outcome } = mergeFile(place, file, decisions, operation);
        if (is === "merged") merged.push({ ...row, ...outcome });
        else if (is === "done") done++;
        else open.push({ ...row, ...outcome });
        await turn();
      }
      const add = shownPath(cwd, dir) || ".";
      const left = unmerged.map(({ path }) => join(dir, path))
        .filter((path) => path.endsWith(".md") && mayHaveMarkers(place, path))
        .map((path) => shownPath(cwd, path));
      return {
        ours: operation.ours,
        theirs: operation.theirs,
        merged,
        open: unlessEmpty(open),
        note: [
          ...(done > 0 ? [`${done} merged before`] : []),
          left.length > 0
            ? `Conflict markers are left in ${shortList(left.map(quotedName), MOST_LEFT)}`
            : `No conflict markers are left in ${quotedName(add)}`,
          open.length > 0
            ? "Some are open: take settles disagreements, and a reason says what else to do"
            : left.length > 0
            ? "Merge these, too: all: true"
            : `When everything is right, run git add ${
              quotedName(add)
            } and continue the ${operation.name}`,
        ].join(". "),
      };
    });
  },
});

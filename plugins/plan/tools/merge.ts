/** `plan_merge`: merges the entities that a merge or rebase has left in conflict. */

import { turnTaker } from "../../../src/io/turns.ts";
import { quoted, quotedName } from "../../../src/plain_text.ts";
import { join } from "node:path";
import * as z from "zod";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { lineEndsOf, read } from "../entity/document.ts";
import { checkAttributes } from "../entity/values.ts";
import { type Operation, readOperation, readUnmerged, type UnmergedFile } from "../git/stages.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { unlessEmpty } from "../queries/access.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import { type Decisions, mergeEntity } from "../write/merge/merge_entity.ts";
import type { Choice } from "../write/merge/three_way.ts";
import { deletedBy, type MergeOutcome, mergeRows, outcomeOf } from "../tool_parts/merge_rows.ts";
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
  description: "Merges entities with conflict markers of a running merge or rebase by meaning, " +
    "and asks for what is left. git add stays yours.",
  input: {
    id: z.string().optional().describe("Or a file of the plan"),
    all: z.boolean().optional(),
    take: z.record(z.string(), z.string()).optional().describe(
      "Values of attributes; ours, theirs or both for criteria, sections, rest",
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

/** What git has kept apart, because a file or its folder was renamed. */
const GONE = "No side has a file of this name any more: run git rm";
const ALONE =
  "alone has a file of this name: resolve its markers by hand, if it has any, then keep it " +
  "with git add, or run git rm";

/** Whether a file has conflict markers, or cannot be read: that must not fail a call that has written. */
function mayHaveMarkers({ store }: PlanPlace, path: string): boolean {
  return orElse(() => {
    const seen = readIfThere(store.folder, path, { isOnlyRead: true });
    return seen !== undefined && read(seen.text).conflict !== undefined;
  }, true);
}

/** Whether a file is merged now, was before, or is open, and what is to be said of it. */
type Outcome = MergeOutcome | { readonly is: "done" };

/** Merges one file. */
function mergeFile(
  { store }: PlanPlace,
  { path, base, ours, theirs }: UnmergedFile,
  decisions: Decisions,
  operation: Operation,
): Outcome {
  const open = (reason: string): Outcome => ({ is: "open", reason });
  if (ours === undefined || theirs === undefined) {
    if (ours === theirs) return open(GONE);
    const [having, lacking] = ours === undefined
      ? [operation.theirs, operation.ours]
      : [operation.ours, operation.theirs];
    return base === undefined ? open(`${having} ${ALONE}`) : deletedBy(lacking);
  }
  const seen = readIfThere(store.folder, store.path(path));
  if (seen === undefined) {
    return open("The file does not exist: run git checkout --merge first");
  }
  if (read(seen.text).conflict === undefined) return { is: "done" };
  if (isEdited(seen.text, [base ?? "", ours, theirs])) {
    return open("It was changed by hand since: finish it by hand");
  }
  const merge = mergeEntity({ base: base ?? "", ours, theirs }, decisions);
  const outcome = outcomeOf(merge);
  if (outcome.is === "open") return outcome;
  const changed = writeUnlessChanged([{ seen, text: lineEndsOf(seen.text)(merge.source) }]);
  return changed === undefined ? outcome : open("It changed meanwhile: call again");
}

/** Whether a file has lines that neither git nor a version of it has written. */
function isEdited(text: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap((version) => read(version).text.split("\n")));
  return read(text).text.split("\n").some((line) =>
    !known.has(line) && !/^(?:<{7,}|\|{7,}|={7,}|>{7,})(?: |$)/.test(line)
  );
}

function decisionsOf(
  { criteria, sections, rest, ...attributes }: Readonly<Record<string, string>>,
): Decisions {
  checkAttributes(attributes);
  return {
    attributes,
    criteria: choiceOf("criteria", criteria),
    sections: choiceOf("sections", sections),
    rest: choiceOf("rest", rest),
  };
}

function choiceOf(name: string, value: string | undefined): Choice | undefined {
  const choice = (["ours", "theirs", "both"] as const).find((one) => one === value);
  if (choice !== undefined || value === undefined) return choice;
  throw new RefraktError("INVALID_ARGS", `"take": ${name} cannot be ${quoted(value)}`, {
    hint: "It is ours, theirs or both.",
  });
}

/** The ids of a file in conflict; its path where it has none. */
function namesOf({ path, ours = "", theirs = "" }: UnmergedFile): string[] {
  return [...[ours, theirs].flatMap((text) => read(text).entity?.id ?? []), path];
}

function isNamed(file: UnmergedFile, id: string): boolean {
  const wanted = id.toLowerCase();
  const names = namesOf(file).map((name) => name.toLowerCase());
  return names.includes(wanted) || wanted.endsWith(`/${file.path.toLowerCase()}`);
}

function nothingToMerge(id: string | undefined, others: number): RefraktError {
  const what = id === undefined ? "No file of the plan is" : `${quotedName(id)} is not`;
  return new RefraktError("NOT_FOUND", `${what} in conflict in git's index`, {
    hint: others > 0
      ? 'Pass "all", or an id that plan_validate lists with conflict-markers.'
      : "Nothing to merge: run git merge or git rebase first. Markers without it are resolved by " +
        "hand.",
  });
}

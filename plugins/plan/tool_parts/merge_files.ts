/** Files that git's merge has left in conflict: which a call means, and how each is merged. */

import { quoted, quotedName } from "../../../src/plain_text.ts";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { lineEndsOf, read } from "../entity/document.ts";
import { checkAttributes } from "../entity/values.ts";
import type { Operation, UnmergedFile } from "../git/stages.ts";
import type { PlanPlace } from "../store/place.ts";
import type { Decisions } from "../write/merge/merge_entity.ts";
import type { Choice } from "../write/merge/three_way.ts";
import { deletedBy, mergedSides, type MergeOutcome } from "./merge_rows.ts";

/** What git has kept apart, because a file or its folder was renamed. */
const GONE = "No side has a file of this name any more: run git rm";
const ALONE =
  "alone has a file of this name: resolve its markers by hand, if it has any, then keep it " +
  "with git add, or run git rm";

/** Whether a file has conflict markers, or cannot be read: that must not fail a call that has written. */
export function mayHaveMarkers({ store }: PlanPlace, path: string): boolean {
  return orElse(() => {
    const seen = readIfThere(store.folder, path, { isOnlyRead: true });
    return seen !== undefined && read(seen.text).conflict !== undefined;
  }, true);
}

/** Whether a file is merged now, was before, or is open, and what is to be said of it. */
type Outcome = MergeOutcome | { readonly is: "done" };

/** Merges one file. */
export function mergeFile(
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
  const { merge, outcome } = mergedSides({ base: base ?? "", ours, theirs }, decisions);
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

export function decisionsOf(
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
export function namesOf({ path, ours = "", theirs = "" }: UnmergedFile): string[] {
  return [...[ours, theirs].flatMap((text) => read(text).entity?.id ?? []), path];
}

export function isNamed(file: UnmergedFile, id: string): boolean {
  const wanted = id.toLowerCase();
  const names = namesOf(file).map((name) => name.toLowerCase());
  return names.includes(wanted) || wanted.endsWith(`/${file.path.toLowerCase()}`);
}

export function nothingToMerge(id: string | undefined, others: number): RefraktError {
  const what = id === undefined ? "No file of the plan is" : `${quotedName(id)} is not`;
  return new RefraktError("NOT_FOUND", `${what} in conflict in git's index`, {
    hint: others > 0
      ? 'Pass "all", or an id that plan_validate lists with conflict-markers.'
      : "Nothing to merge: run git merge or git rebase first. Markers without it are resolved by " +
        "hand.",
  });
}

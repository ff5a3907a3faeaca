/** Files that git's merge has left in conflict: which a call means, and how each is merged. */

import { quoted, quotedName } from "../../../src/plain_text.ts";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { lineEndsOf, read } from "../entity/document.ts";
import { checkAttributes } from "../entity/values.ts";
import type { Operation, UnmergedFile } from "../git/stages.ts";
import type { PlanPlace } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import type { Decide } from "../write/merge/merge_entity.ts";
import { deletedBy, mergedSides, type MergeOutcome, openBecause } from "./merge_rows.ts";

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

/** Merges one file. */
export function mergeFile(
  { store }: PlanPlace,
  { path, base, ours, theirs }: UnmergedFile,
  decide: Decide,
  operation: Operation,
): MergeOutcome {
  if (ours === undefined && theirs === undefined) return openBecause(GONE);
  if (ours === undefined || theirs === undefined) {
    const [having, lacking] = ours === undefined
      ? [operation.theirs, operation.ours]
      : [operation.ours, operation.theirs];
    return base === undefined ? openBecause(`${having} ${ALONE}`) : deletedBy(lacking);
  }
  const seen = readIfThere(store.folder, store.path(path));
  if (seen === undefined) {
    return openBecause("The file does not exist: run git checkout --merge first");
  }
  if (read(seen.text).conflict === undefined) return { is: "done" };
  if (isEdited(seen.text, [base ?? "", ours, theirs])) {
    return openBecause("It was changed by hand since: finish it by hand");
  }
  const { source, outcome } = mergedSides({ base: base ?? "", ours, theirs }, decide);
  if (outcome.is === "open") return outcome;
  const changed = writeUnlessChanged([{ seen, text: lineEndsOf(seen.text)(source) }]);
  return changed === undefined ? outcome : openBecause("It changed meanwhile: call again");
}

/** Whether a file has lines that neither git nor a version of it has written. */
function isEdited(text: string, versions: readonly string[]): boolean {
  const known = new Set(versions.flatMap((version) => read(version).text.split("\n")));
  return read(text).text.split("\n").some((line) =>
    !known.has(line) && !/^(?:<{7,}|\|{7,}|={7,}|>{7,})(?: |$)/.test(line)
  );
}

/** The argument `take` as what settles disagreements in files. */
export function decideBy(
  { criteria, sections, rest, ...attributes }: Readonly<Record<string, string>>,
  files: readonly UnmergedFile[],
  { plugin }: PlanPlace,
): Decide {
  checkAttributes(attributes);
  const choices = { criteria, sections, rest };
  for (const [name, choice = "both"] of Object.entries(choices)) {
    if (["ours", "theirs", "both"].includes(choice)) continue;
    throw new RefraktError("INVALID_ARGS", `"take": ${name} cannot be ${quoted(choice)}`, {
      hint: "It is ours, theirs or both.",
    });
  }
  for (const { ours = "" } of files) {
    const type = read(ours).entity?.type;
    if (type !== undefined) checkVocabulary(type, attributes, plugin.vocabulary);
  }
  return ({ kind, name }) => kind === "attribute" ? attributes[name] : choices[kind];
}

/** The ids of a file in conflict; its path where it has none. */
export function namesOf({ path, ours = "", theirs = "" }: UnmergedFile): string[] {
  return [...[ours, theirs].flatMap((text) => read(text).entity?.id ?? []), path];
}

/** The files in conflict that a call means. */
export function filesNamed(
  unmerged: readonly UnmergedFile[],
  id: string | undefined,
): UnmergedFile[] {
  const wanted = id?.toLowerCase();
  const files = unmerged.filter((file) => {
    if (!file.path.endsWith(".md")) return false;
    if (wanted === undefined || wanted.endsWith(`/${file.path.toLowerCase()}`)) return true;
    return namesOf(file).some((name) => name.toLowerCase() === wanted);
  });
  if (files.length > 0) return files;
  const what = id === undefined ? "No file of the plan is" : `${quotedName(id)} is not`;
  throw new RefraktError("NOT_FOUND", `${what} in conflict in git's index`, {
    hint: unmerged.length > 0
      ? 'Pass "all", or an id that plan_validate lists with conflict-markers.'
      : "Nothing to merge: run git merge or git rebase first. Markers without it are resolved by " +
        "hand.",
  });
}

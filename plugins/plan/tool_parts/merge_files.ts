/** Files that git's merge has left in conflict: which a call means, and how each is merged. */

import { quoted, quotedName } from "../../../src/plain_text.ts";
import { orElse, RefraktError } from "../../../src/errors.ts";
import { readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { lineEndsOf, plainOf, read } from "../entity/document.ts";
import { checkAttributes, invalidArguments } from "../entity/values.ts";
import type { Operation, UnmergedFile } from "../git/stages.ts";
import type { PlanPlace } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import type { Decide } from "../write/merge/merge_entity.ts";
import { mergeFile, type MergeOutcome } from "./merge_rows.ts";

/** Whether a file has conflict markers, or cannot be read: that must not fail a call that has written. */
export function mayHaveMarkers({ store }: PlanPlace, path: string): boolean {
  return orElse(() => {
    const seen = readIfThere(store.folder, path, { isOnlyRead: true });
    return seen !== undefined && read(seen.text).conflict !== undefined;
  }, true);
}

/** Merges a file in place, if nothing is open; `undefined` if it was merged before. */
export function mergeInPlace(
  { store }: PlanPlace,
  { path, ...sides }: UnmergedFile,
  decide: Decide,
  operation: Operation,
): MergeOutcome | undefined {
  const outcome = mergeFile(sides, operation, decide);
  if (outcome.source === undefined) return outcome;
  const seen = readIfThere(store.folder, store.path(path));
  if (seen === undefined) {
    return { reason: "The file does not exist: run git checkout --merge first" };
  }
  if (read(seen.text).conflict === undefined) return undefined;
  const written = new Set(Object.values(sides).flatMap((text = "") => plainOf(text).split("\n")));
  const isEdited = plainOf(seen.text).split("\n").some((line) =>
    !written.has(line) && !/^(?:<{7,}|\|{7,}|={7,}|>{7,})(?: |$)/.test(line)
  );
  if (isEdited) return { reason: "It was changed by hand since: finish it by hand" };
  if (outcome.disagreements !== undefined) return outcome;
  const changed = writeUnlessChanged([{ seen, text: lineEndsOf(seen.text)(outcome.source) }]);
  return changed === undefined ? outcome : { reason: "It changed meanwhile: call again" };
}

/** Returns the function that settles disagreements as the argument `take` says. */
export function decideBy(
  { criteria, sections, rest, ...attributes }: Readonly<Record<string, string>>,
  files: readonly UnmergedFile[],
  { plugin }: PlanPlace,
): Decide {
  checkAttributes(attributes);
  const choices = { criteria, sections, rest };
  for (const [name, choice = "both"] of Object.entries(choices)) {
    if (["ours", "theirs", "both"].includes(choice)) continue;
    const message = `"take": ${name} cannot be ${quoted(choice)}`;
    throw invalidArguments(message, "It is ours, theirs or both.");
  }
  for (const { ours = "" } of files) {
    const type = read(ours).entity?.type;
    if (type !== undefined) checkVocabulary(type, attributes, plugin.vocabulary);
  }
  return ({ kind, name }) => kind === "attribute" ? attributes[name] : choices[kind];
}

/** The ids of a file in conflict, and its path. */
export function namesOf({ path, ours = "", theirs = "" }: UnmergedFile): string[] {
  return [...[ours, theirs].flatMap((text) => read(text).entity?.id ?? []), path];
}

/** The files in conflict that a call means: by an id or a path, which may begin with the plan's. */
export function filesNamed(
  unmerged: readonly UnmergedFile[],
  id: string | undefined,
): readonly UnmergedFile[] {
  const wanted = `/${id}`.toLowerCase();
  const files = id === undefined
    ? unmerged
    : unmerged.filter((file) =>
      namesOf(file).some((name) => wanted.endsWith(`/${name.toLowerCase()}`))
    );
  if (files.length > 0) return files;
  const subject = id === undefined ? "No file of the plan is" : `${quotedName(id)} is not`;
  throw new RefraktError("NOT_FOUND", `${subject} in conflict in git's index`, {
    hint: unmerged.length > 0
      ? 'Pass "all", or an id that plan_validate lists with conflict-markers.'
      : "Nothing to merge: run git merge or git rebase first. Markers without it are resolved by " +
        "hand.",
  });
}

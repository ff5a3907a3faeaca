/** Takes back what one commit did to the plan, as far as nobody has changed it since. */

import { invalidArguments } from "../entity/values.ts";
import { basename, dirname, join } from "node:path";
import { RefraktError } from "../../../src/errors.ts";
import { askGit, commitNamed, shallowHint } from "../../../src/io/git_ask.ts";
import { inTurns } from "../../../src/io/turns.ts";
import {
  type FileWrite,
  type NewFile,
  readIfThere,
  writeInFolders,
} from "../../../src/io/write_together.ts";
import { quoted, quotedName, word } from "../../../src/plain_text.ts";
import { shortList } from "../../../src/plugin/counted.ts";
import { plainOf } from "../entity/document.ts";
import { type SideFile, sideFiles } from "../git/side_files.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { describeTexts } from "../queries/changes.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { mergeEntity } from "./merge/merge_entity.ts";

/** How many ids an error names. */
const LISTED_IDS = 20;

/**
 * Merges the way back of a commit into the files as they are: what differs from the commit stays.
 *
 * @param name Any name of the commit.
 * @param ids Only these entities.
 * @throws {RefraktError} `INVALID_ARGS` for an unknown commit, one of several parents or of none;
 * `NOT_FOUND` for an id that it has not changed.
 */
export async function undoCommit(
  place: PlanPlace,
  name: string,
  ids: readonly string[] | undefined,
  isPreview: boolean,
) {
  const changes = await changesById(place, name, ids);
  return await withPlanLock(place, async () => {
    const plan = await openPlan(place);
    // A line for each entity that changes, and what stays because it was changed since.
    const undone = { lines: [] as string[], kept: [] as string[] };
    const writes: (FileWrite | NewFile)[] = [];
    for await (const [id, change] of inTurns(changes, place.signal)) {
      const { write, kept } = wayBack(plan, changes, id, change);
      if (kept !== undefined) undone.kept.push(`${word(id)}: ${kept}`);
      if (write === undefined) continue;
      writes.push(write);
      const moved = write.seen !== undefined && write.to !== undefined ? change.path : undefined;
      const text = describeTexts(write.seen?.text ?? null, write.text, moved);
      undone.lines.push(`${word(id)}: ${text}`);
    }
    if (!isPreview) writeInFolders(writes);
    return undone;
  });
}

type Changes = ReadonlyMap<string, SideFile>;

/** The files that a commit has changed, by the ids of their entities. */
async function changesById({ git }: PlanPlace, name: string, ids: readonly string[] | undefined) {
  const commit = await commitNamed(name, git, "commit");
  const printed = await askGit(["rev-list", "--parents", "-n", "1", commit, "--"], git);
  const [, parent, ...others] = printed.trim().split(" ");
  if (parent === undefined || others.length > 0) {
    const parents = parent === undefined ? "no parent" : `${others.length + 1} parents`;
    throw invalidArguments(
      `${quotedName(name)} has ${parents}`,
      parent === undefined && await shallowHint(git) ||
        "Pass a commit with one parent, or use git revert.",
    );
  }
  const changes = await sideFiles(git, commit, parent);
  if (ids === undefined) return changes;
  const names = new Map([...changes.keys()].map((id) => [id.toLowerCase(), id]));
  const unknown = ids.filter((id) => !names.has(id.toLowerCase()));
  if (unknown.length > 0) {
    const list = unknown.map(quotedName).join(", ");
    throw new RefraktError("NOT_FOUND", `${quotedName(name)} has not changed ${list}`, {
      hint: changes.size === 0
        ? "It has changed nothing of the plan."
        : `It has changed ${shortList([...changes.keys()].map(word), LISTED_IDS)}.`,
    });
  }
  const wanted = ids.map((id) => names.get(id.toLowerCase())!);
  return new Map(wanted.map((id) => [id, changes.get(id)!]));
}

/** The write that takes a change back; or why it stays. */
function wayBack(
  plan: PlanView,
  changes: Changes,
  id: string,
  { path, basePath, base: before, text: after }: SideFile,
): { readonly write?: FileWrite | NewFile; readonly kept?: string | undefined } {
  const { folder } = plan.store;
  const [entity, ...twins] = plan.allOf(id);
  if (twins.length > 0) return { kept: "several files have this id" };
  const file = entity?.file ?? path;
  const seen = readIfThere(folder, plan.store.path(file));
  if (seen === undefined) {
    if (before === undefined) return {};
    if (after !== undefined) return { kept: "removed since" };
    return { write: { folder, to: plan.store.path(basePath), text: before } };
  }
  const isSame = (text: string | undefined) =>
    text !== undefined && plainOf(text) === plainOf(seen.text);
  if (after === undefined) return isSame(before) ? {} : { kept: "it is there again" };
  if (before === undefined) {
    const pointer = plan.pointers(id).find(({ from }) => !changes.has(from.id));
    if (pointer !== undefined) return { kept: `${word(pointer.from.id)} points to it` };
    return isSame(after) ? { write: { seen, text: null } } : { kept: "changed since" };
  }
  const { source: text, disagreements } = mergeEntity({
    base: after,
    ours: seen.text,
    theirs: before,
  });
  const names = new Set(disagreements.map(({ name }) => quoted(name)));
  const kept = names.size === 0 ? undefined : `${[...names].join(", ")} changed since`;
  const isMoved = file === path && basePath !== path && dirname(basePath) === dirname(path);
  if (text === seen.text && !isMoved) return { kept };
  const to = isMoved ? join(dirname(seen.path), basename(basePath)) : undefined;
  return { write: { seen, text, to }, kept };
}

/** Removes claims and ids from the remote that its default branch has made unnecessary. */

import { orOtherwise } from "../../../src/errors.ts";
import type { Entity } from "../entity/entity.ts";
import { read } from "../entity/document.ts";
import { readRepository, readTree } from "../git/log.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import type { PlanView } from "../queries/access.ts";
import { isFinished } from "../entity/lifecycle.ts";
import type { RemoteSide } from "../remote/claims.ts";
import { deleteRefs } from "../remote/refs.ts";
import type { Scratch, Tip } from "../remote/scratch.ts";

/** How many refs one call removes. */
const MOST = 50;

/** Removes the claims of items that are finished on the remote's default branch. */
export async function pruneFinished(
  plan: PlanView,
  { scratch, items }: RemoteSide,
): Promise<void> {
  const tips = new Map([...items].filter(([id]) => plan.find(id)?.finished));
  await prune(plan, { scratch, tips }, (text) => {
    const { entity } = read(text);
    const status = entity?.attributes["status"] ?? "";
    return entity !== undefined && isFinished(entity.type, status, false);
  });
}

/**
 * Removes refs by the texts of their entities on the remote's default branch, as last fetched; those
 * of reserved ids if they exist there. Best effort: every push to the remote pays for each ref that
 * is left.
 */
export async function prune(
  plan: PlanView,
  { scratch, tips }: { readonly scratch: Scratch; readonly tips: ReadonlyMap<string, Tip> },
  isOld: (text: string) => boolean = () => true,
): Promise<void> {
  const items = [...tips.keys()].flatMap((id) => plan.find(id) ?? []);
  await orOtherwise(plan.signal, async () => {
    const texts = await onDefaultBranch(plan, items);
    const old = items.filter((item) => texts.has(item) && isOld(texts.get(item)!));
    await deleteRefs(scratch, old.slice(0, MOST).flatMap(({ id }) => tips.get(id) ?? []));
  }, () => {});
}

/** The texts of entities on the remote's default branch, as last fetched. */
async function onDefaultBranch(
  { context: { project }, git }: PlanView,
  items: readonly Entity[],
): Promise<Map<Entity, string>> {
  const texts = new Map<Entity, string>();
  const name = items.length === 0 ? undefined : await nameOf(project.remote?.remote ?? "", git);
  if (name === undefined) return texts;
  const ref = `refs/remotes/${name}/HEAD`;
  const commit = (await askGit(["rev-parse", "--verify", "--quiet", ref], git)).trim();
  const [{ prefix }, tree] = await Promise.all([readRepository(git), readTree(git, commit)]);
  const blobs = new Map<string, Entity>();
  for (const item of items) {
    const blob = tree.get(`${prefix}${item.file}`);
    if (blob !== undefined) blobs.set(blob, item);
  }
  await readBlobs(git, blobs.keys(), (blob, text) => texts.set(blobs.get(blob)!, text));
  return texts;
}

/** The name under which the repository knows a remote that is given by name or address. */
async function nameOf(remote: string, place: GitPlace): Promise<string | undefined> {
  const printed = await askGit(
    ["config", "--local", "--get-regexp", String.raw`^remote\..*\.url$`],
    place,
  );
  for (const line of printed.split("\n")) {
    const [, name, address] = /^remote\.([A-Za-z0-9][\w.-]*)\.url (.+)$/.exec(line) ?? [];
    if (name !== undefined && [name, address].includes(remote)) return name;
  }
  return undefined;
}

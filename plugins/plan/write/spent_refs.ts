/** Frees claims on the remote that a write gives back, and removes refs that nobody needs any more. */

import { quotedName, word } from "../../../src/plain_text.ts";
import { orElse, orOtherwise } from "../../../src/errors.ts";
import { noteStep, type WrittenFile, writtenFiles } from "../../../src/io/journal.ts";
import { read } from "../entity/document.ts";
import { isFinished, isReady, isTask, isUnready } from "../entity/lifecycle.ts";
import {
  claimSentence,
  freeClaim,
  isOwnClaim,
  type RemoteCall,
  type RemoteSide,
  remoteSide,
} from "../remote/claims.ts";
import type { Entity } from "../entity/entity.ts";
import { readRepository, readTree } from "../git/log.ts";
import { askGit, type GitPlace } from "../../../src/io/git_ask.ts";
import { readTexts } from "../../../src/io/git_objects.ts";
import type { PlanView } from "../queries/access.ts";
import { deleteRefs } from "../remote/refs.ts";
import type { Scratch, Tip } from "../remote/scratch.ts";

/**
 * Runs a write, and then frees what this clone has claimed of the items that it gives back to others:
 * after the lock, because other calls would wait for the network.
 *
 * @returns The write's value, and a sentence for each claim that stays.
 */
export async function freeingClaims<Value>(call: RemoteCall, work: () => Value | Promise<Value>) {
  const value = await work();
  const { project: { remote }, signal } = call.context;
  const owners = remote === undefined ? new Map<string, string>() : releasedItems(writtenFiles());
  if (owners.size === 0) return { value, staying: [] };
  const ids = [...owners.keys()].map(word).join(", ");
  const staying = await orOtherwise(signal, () => freeOwn(call, owners), ({ message }) => [
    `${ids} may still be claimed on the remote: ${message}. Once it answers, plan_claim and ` +
    "release, or the command claims --free, frees what is left",
  ]);
  return { value, staying };
}

/** The items that a write releases, with their owners before it. */
function releasedItems(files: readonly WrittenFile[]): Map<string, string> {
  const entities = (texts: readonly (string | null)[]) =>
    texts.flatMap((text) => {
      const entity = orElse(() => read(text ?? "").entity, undefined);
      if (entity?.id === undefined || !isTask(entity)) return [];
      const { id, type, attributes: { status = "", assignee = "" } } = entity;
      return [{ id, type, status, assignee }];
    });
  const now = new Map(entities(files.map(({ after }) => after)).map((item) => [item.id, item]));
  const isFree = (item: { type: string; status: string } | undefined) =>
    item === undefined || isReady(item.type, item.status) || isUnready(item.type, item.status);
  return new Map(
    entities(files.map(({ before }) => before))
      .filter((item) => !isFree(item) && isFree(now.get(item.id)))
      .map(({ id, assignee }) => [id, assignee]),
  );
}

/** Frees items that are claimed for their owners here; says which claims are others'. */
async function freeOwn(call: RemoteCall, owners: ReadonlyMap<string, string>): Promise<string[]> {
  const { scratch, items } = (await remoteSide(call))!;
  const staying: string[] = [];
  for (const [id, assignee] of owners) {
    const before = items.get(id);
    const claim = before?.claim;
    if (claim === undefined) continue;
    const isOwn = isOwnClaim(claim, assignee || claim.owner);
    const { undo } = isOwn ? await freeClaim(scratch, id, before!) : {};
    if (undo !== undefined) noteStep(undo);
    else {
      staying.push(
        `${word(id)} stays ${claimSentence(claim)}, on the remote: plan_claim with ` +
          `takeOver: ${quotedName(claim.owner)}, then with release: true, frees it`,
      );
    }
  }
  return staying;
}

/** How many refs one call removes. */
const MOST_REMOVED = 50;

/** Removes the claims of items that are finished on the remote's default branch. */
export async function pruneFinished(plan: PlanView, { scratch, items }: RemoteSide): Promise<void> {
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
  const { context: { project: { remote } }, git } = plan;
  const items = [...tips.keys()].flatMap((id) => plan.find(id) ?? []);
  if (remote === undefined || items.length === 0) return;
  await orOtherwise(plan.signal, async () => {
    const name = await remoteName(remote.remote, git);
    if (name === undefined) return;
    const ref = `refs/remotes/${name}/HEAD`;
    const commit = (await askGit(["rev-parse", "--verify", "--quiet", ref], git)).trim();
    const [{ prefix }, tree] = await Promise.all([readRepository(git), readTree(git, commit)]);
    const blobOf = ({ file }: Entity) => tree.get(`${prefix}${file}`) ?? "";
    const texts = await readTexts(git, items.map(blobOf).filter(Boolean));
    const old = items.filter((item) => {
      const text = texts.get(blobOf(item));
      return text !== undefined && isOld(text);
    });
    await deleteRefs(scratch, old.slice(0, MOST_REMOVED).flatMap(({ id }) => tips.get(id) ?? []));
  }, () => {});
}

/** The name under which the repository knows a remote that is given by name or address. */
async function remoteName(remote: string, place: GitPlace): Promise<string | undefined> {
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

/** Removes claims and ids from the remote that its default branch has made unnecessary. */

import { RefraktError } from "../../../src/errors.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import { read } from "../entity/document.ts";
import { askGit, type GitPlace, readBlobs, readRepository, readTree } from "../git/log.ts";
import type { Item, PlanView } from "../queries/access.ts";
import { isFinished } from "../queries/lifecycle.ts";
import { pruneClaims, type RemoteItem, type Scratch } from "../remote/mod.ts";
import { pruneIds } from "../remote/ids.ts";
import type { Tip } from "../remote/refs.ts";

/** How many refs one call removes. */
const MOST = 50;

/**
 * Removes the claims of items that are finished on the remote's default branch, as last fetched.
 * Best effort: every push to the remote pays for each ref that is left.
 */
export async function pruneFinished(
  plan: PlanView,
  { scratch, items }: { scratch: Scratch; items: ReadonlyMap<string, RemoteItem> },
  context: CallContext,
): Promise<void> {
  const finished = [...items].flatMap(([id, claim]) => {
    const item = plan.find(id);
    return item?.finished ? [{ item, claim }] : [];
  });
  await bestEffort(context, async () => {
    const found = await onDefaultBranch(plan, finished.map(({ item }) => item), context);
    const old = finished.filter(({ item }) => isDone(found.get(item)));
    await pruneClaims(scratch, old.slice(0, MOST).map(({ claim }) => claim), context.signal);
  });
}

/** Removes the reservations of ids that exist on the remote's default branch. Best effort. */
export async function pruneReserved(
  plan: PlanView,
  { scratch, ids }: { scratch: Scratch; ids: ReadonlyMap<string, Tip> },
  context: CallContext,
): Promise<void> {
  const known = [...ids].flatMap(([id, tip]) => {
    const item = plan.find(id);
    return item === undefined ? [] : [{ item, tip }];
  });
  await bestEffort(context, async () => {
    const found = await onDefaultBranch(plan, known.map(({ item }) => item), context);
    const old = known.filter(({ item }) => found.get(item) !== undefined);
    await pruneIds(scratch, old.slice(0, MOST).map(({ tip }) => tip), context.signal);
  });
}

/** The texts of entities on the remote's default branch, as last fetched. */
async function onDefaultBranch(
  plan: PlanView,
  items: readonly Item[],
  { project, signal }: CallContext,
): Promise<Map<Item, string>> {
  const texts = new Map<Item, string>();
  const place = { cwd: plan.dir, signal };
  const name = items.length === 0 ? undefined : await nameOf(project.remote?.remote ?? "", place);
  if (name === undefined) return texts;
  const ref = `refs/remotes/${name}/HEAD`;
  const commit = (await askGit(["rev-parse", "--verify", "--quiet", ref], place)).trim();
  const [{ prefix }, tree] = await Promise.all([
    readRepository(place),
    readTree(place, commit),
  ]);
  const blobs = new Map<string, Item>();
  for (const item of items) {
    const blob = tree.get(`${prefix}${item.entity.file}`);
    if (blob !== undefined) blobs.set(blob, item);
  }
  await readBlobs(place, blobs.keys(), (blob, text) => texts.set(blobs.get(blob)!, text));
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

function isDone(text: string | undefined): boolean {
  const entity = text === undefined ? undefined : read(text).entity;
  return entity !== undefined && isFinished(entity.type, entity.attributes["status"] ?? "", false);
}

async function bestEffort(
  { signal }: CallContext,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (signal.aborted || !(error instanceof RefraktError)) throw error;
  }
}

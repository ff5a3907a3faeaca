/**
 * The states of a plan's entities outside its folder: on other branches and in other worktrees. A
 * state counts only if it was changed there since the merge base with HEAD.
 */

import { orOtherwise, type RefraktError } from "../../../src/errors.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { mayRunGit } from "../../../src/io/permissions.ts";
import { noteUntil } from "../../../src/io/reads.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { quotedName, shortLine, word } from "../../../src/plain_text.ts";
import { changedValues, diff } from "../entity/version.ts";
import type { Entity } from "../entity/entity.ts";
import { unlessFailed } from "../git/failures.ts";
import { isWithoutHistory } from "../../../src/io/git_ask.ts";
import { readRefs, readWorktrees, type Refs, type Worktree } from "../git/refs.ts";
import type { PlanPlace } from "../store/place.ts";
import { planOf } from "../store/plan.ts";
import type { PlanView } from "./access.ts";
import { changedPlaces, type Place, readPlaceFiles, type Repository } from "./places.ts";
import { isInside, shownPath } from "../../../src/io/paths.ts";

/** The reasons why something could not be read. */
export interface Unread {
  /** In sentences. */
  readonly leftOut: string[];
  /** The error, if git did not answer. */
  readonly failed?: RefraktError | undefined;
  /** Why there is nothing to read, such as a project without a repository. */
  readonly nothing?: readonly string[];
}

/** The state of an entity on a branch or in a worktree. */
export interface StateElsewhere extends Place {
  readonly item: Entity;
  /** The values that changed there and differ from here, by name. */
  readonly differs: readonly string[];
  /** Its newest note, if that was written there. */
  readonly note: string | undefined;
  /** Whether it is a different entity with the same id. */
  readonly isOther: boolean;
  /** The number of other branches with the same state. */
  others: number;
}

/** The states of entities on the branches and in the worktrees of a repository. */
export interface Elsewhere extends Unread {
  /** The states by id, those of worktrees first. */
  readonly states: Map<string, StateElsewhere[]>;
  /** The entities that were created elsewhere with the id of a different entity here. */
  readonly collisions: (Place & { readonly item: Entity })[];
  /** The number of unmerged branches that were read. */
  readonly branches: number;
  readonly worktrees: number;
}

/**
 * Reads the states of a plan's entities elsewhere. Callers share the answer, which is the same until
 * a branch, a worktree or the plan changes.
 */
export async function readElsewhere(plan: PlanView): Promise<Elsewhere> {
  const read = (refs: Refs) =>
    plan.git.memo(["elsewhere", refs, plan.files], () => statesIn(plan, refs));
  const none = { states: new Map(), collisions: [], branches: 0, worktrees: 0 };
  return { ...none, ...await withRefs(plan, read) };
}

/** Joins sentences about what could not be read; `undefined` without any. */
export function uncheckedSentence(leftOut: readonly string[]): string | undefined {
  return leftOut.map((sentence) => sentence.replace(/[.;]$/, "")).join("; ") || undefined;
}

/** Sentences about branches and worktrees that cannot be read now, for reports. */
export async function unreadElsewhere(place: Repository): Promise<readonly string[]> {
  return (await withRefs(place, (refs) => changedPlaces(place, refs))).leftOut;
}

/** Reads with git; if it fails, returns what could not be read. */
export async function withRefs<Value>(
  { git, dir, signal }: Repository,
  read: (refs: Refs) => Promise<Value>,
): Promise<Value | Unread> {
  if (!mayRunGit() && repositoryOf(dir) === undefined) return { leftOut: [] };
  const work = async () => await read(await readRefs(git));
  return await orOtherwise(
    signal,
    () => unlessFailed(git.memo, dir, signal, dir, work),
    (error): Unread => {
      const { message, data } = error;
      if (isWithoutHistory(error)) return { leftOut: [], nothing: [message] };
      const how = data?.["flag"] === undefined ? "" : ` (add ${word(String(data["flag"]))})`;
      const leftOut = [`Branches and worktrees: ${shortLine(message, 200)}${how}`];
      // Without git, nothing else is to be expected.
      return { leftOut, failed: mayRunGit() ? error : undefined };
    },
  );
}

async function statesIn(plan: PlanView, refs: Refs): Promise<Elsewhere> {
  const changed = await changedPlaces(plan, refs);
  const { branches, worktrees, leftOut } = changed;
  // Files of other worktrees change without git; what could not be read may be readable soon.
  if (worktrees > 0 || leftOut.length > 0) noteUntil(0);
  const fileOf = await readPlaceFiles(plan, changed);
  const elsewhere = { states: new Map(), collisions: [], branches, worktrees, leftOut };
  const { plugin: { vocabulary } } = plan;
  for await (const { place, changes, isUnrelated } of inTurns(changed.places, plan.signal)) {
    if (isUnrelated) continue;
    const before = changes.flatMap(({ path, before: [blob] }) => fileOf(path, blob) ?? []);
    const after = changes.flatMap(({ path, after }) => fileOf(path, after) ?? []);
    const base = planOf(before, { vocabulary }).entities;
    addPlace(plan, elsewhere, place, base, planOf(after, { vocabulary }).entities);
  }
  return elsewhere;
}

/** Adds the states and collisions of a place. */
function addPlace(
  plan: PlanView,
  { states, collisions }: Elsewhere,
  place: Place,
  before: readonly Entity[],
  after: readonly Entity[],
): void {
  const bases = new Map(before.map((item) => [item.id, item]));
  const kept = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !kept.has(id));
  for (const item of after) {
    // An entity may have been renumbered there.
    const base = bases.get(item.id) ?? gone.find((other) => isNamesake(other, item));
    const withId = plan.find(item.id);
    const isOther = withId !== undefined && base === undefined && areDifferent(withId, item);
    const here = isOther ? withId : sameHere(plan, item, base);
    if (isOther && collisions.every((other) => areDifferent(other.item, item))) {
      collisions.push({ ...place, item });
    }
    const changes = here === undefined ? undefined : new Set(changedValues(diff(here, item)));
    const differs = changedValues(diff(base, item))
      .filter((name) => changes === undefined || changes.has(name));
    const id = here?.id ?? item.id;
    if (id !== item.id) differs.push("id");
    if (differs.length === 0) continue;
    const ofId = states.get(id) ?? [];
    states.set(id, ofId);
    const same = ofId.find((state) =>
      state.item.id === item.id && changedValues(diff(state.item, item)).length === 0
    );
    if (same === undefined) {
      const note = item.note === base?.note ? undefined : item.note;
      ofId.push({ ...place, item, differs, note, isOther, others: 0 });
    } else same.others++;
  }
}

/** Finds the entity that an entity elsewhere is here, also if it was renumbered since their base. */
function sameHere(plan: PlanView, item: Entity, base: Entity | undefined): Entity | undefined {
  const withId = plan.find(item.id);
  if (base === undefined || withId !== undefined && !areDifferent(withId, item)) return withId;
  const withBaseId = plan.find(base.id);
  if (withBaseId !== undefined && !areDifferent(withBaseId, base)) return withBaseId;
  const namesakes = plan.entities.filter((entity) =>
    isNamesake(entity, item) || isNamesake(entity, base)
  );
  return namesakes.length === 1 ? namesakes[0] : withBaseId ?? withId;
}

function isNamesake(a: Entity, other: Entity): boolean {
  return a.type === other.type && a.title !== "" && a.title === other.title;
}

/** Whether an entity is not an edited or renamed version of another. */
function areDifferent(a: Entity, other: Entity): boolean {
  return a.id !== other.id ||
    a.title !== other.title && a.file !== other.file;
}

/** How many other worktrees are named. */
const NAMED_WORKTREES = 3;

/** Names the checkout of a plan and the other ones, once a session; `undefined` without others. */
export async function checkoutOf({ cwd, dir, git, context }: PlanPlace) {
  const key = ["told checkouts", ...context.session === undefined ? [] : [context.session]];
  const told = git.memo(key, () => new Set<string>());
  if (told.has(dir)) return undefined;
  const worktrees = await readWorktrees(git).catch(() => []);
  const [here] = worktrees.filter(({ path }) => isInside(path, dir))
    .sort((a, b) => b.path.length - a.path.length);
  if (here === undefined || worktrees.length === 1) return undefined;
  told.add(dir);
  const others = worktrees.filter((worktree) => worktree !== here).map((worktree) =>
    pathAndBranch(shownPath(cwd, worktree.path), worktree)
  );
  const rest = others.length - NAMED_WORKTREES;
  const list = others.slice(0, NAMED_WORKTREES).concat(rest > 0 ? [`${rest} more`] : []).join(", ");
  return `Written in ${pathAndBranch(here.path, here)}; other worktrees: ${list}`;
}

function pathAndBranch(path: string, { branch }: Worktree): string {
  return `${quotedName(path)} (${branch === undefined ? "no branch" : quotedName(branch)})`;
}

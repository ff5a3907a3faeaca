/**
 * What is known of a plan outside its folder: the states of entities on other branches and in other
 * worktrees, and the ids that are taken there. A state counts only if it was changed there since the
 * merge base with HEAD.
 */

import { orOtherwise, RefraktError } from "../../../src/errors.ts";
import { repositoryOf } from "../../../src/io/git_settings.ts";
import { mayRunGit } from "../../../src/io/permissions.ts";
import { noteUntil } from "../../../src/io/reads.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { quotedName, shortLine, word } from "../../../src/plain_text.ts";
import { changedValues, diff } from "../entity/diff.ts";
import type { Entity } from "../entity/entity.ts";
import { refsStamp, unlessFailed } from "../git/failures.ts";
import { isWithoutHistory } from "../../../src/io/git_ask.ts";
import { readRefs, type Refs } from "../git/refs.ts";
import type { PlanPlace } from "../store/place.ts";
import type { PlanView } from "./access.ts";
import { branchNamed, isUnborn, type PlaceChange, Places, unreadPlaces } from "./places.ts";

/** The place of ids that the branch has had, and no file here has. */
const HISTORY = "the history of this branch";

/** What could not be read. */
export interface Unread {
  /** In sentences. */
  readonly leftOut: string[];
  /** The error, if git did not answer. */
  failed?: RefraktError;
  /** Why there is nothing to read, such as a project without a repository. */
  nothing?: readonly string[];
}

/** A branch or a worktree. */
interface Place {
  /** The branch; of a worktree, the one that is checked out. */
  readonly branch?: string | undefined;
  /** The worktree's folder, relative to the project. */
  readonly worktree?: string;
  /** The date of the branch's newest commit, ISO 8601. */
  readonly date?: string;
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

/** An entity that was created elsewhere with the id of a different entity here. */
export type Collision = Place & { readonly item: Entity };

/** What the branches and worktrees of a repository contain. */
export interface Elsewhere extends Unread {
  /** The states by id, those of worktrees first. */
  readonly states: Map<string, StateElsewhere[]>;
  readonly collisions: Collision[];
  /** The number of unmerged branches that were read. */
  branches: number;
  worktrees: number;
}

/**
 * Reads the states of a plan's entities elsewhere. Callers share the answer, which is the same until
 * a branch, a worktree or the plan changes.
 */
export async function readElsewhere(plan: PlanView): Promise<Elsewhere> {
  let found = nothingElsewhere();
  await read(plan, found, async (refs) => {
    const make = async () => {
      const made = nothingElsewhere();
      await addStates(await Places.open(plan, refs, made.leftOut), plan, made);
      // Files of other worktrees change without git; what could not be read may be readable soon.
      if (made.worktrees > 0 || made.leftOut.length > 0) noteUntil(0);
      return made;
    };
    found = await plan.git.memo(["elsewhere", refs, plan.files], make);
  });
  return found;
}

function nothingElsewhere(): Elsewhere {
  return { states: new Map(), collisions: [], branches: 0, worktrees: 0, leftOut: [] };
}

/** The ids that are taken on branches, in the history of this one, and in worktrees. */
export interface IdsElsewhere extends Unread {
  /** The place of each id, such as `the branch feature/x`. */
  readonly ids: Map<string, string>;
}

export async function readIds(place: PlanPlace): Promise<IdsElsewhere> {
  const found: IdsElsewhere = { ids: new Map(), leftOut: [] };
  await read(place, found, async (refs) => {
    await addIds(await Places.open(place, refs, found.leftOut), found.ids);
  });
  return found;
}

/** Returns where a caller's id is taken. An id that was deleted here may be reused. */
export function placeOf(ids: ReadonlyMap<string, string>, id: string): string | undefined {
  const place = ids.get(id);
  return place === HISTORY ? undefined : place;
}

/** Joins what was not read to one sentence; `undefined` if everything was. */
export function uncheckedSentence(leftOut: readonly string[]): string | undefined {
  return leftOut.map((one) => one.replace(/[.;]$/, "")).join("; ") || undefined;
}

/** What cannot be read now, in sentences; for reports. */
export async function unreadElsewhere(place: Repository): Promise<readonly string[]> {
  const found: Unread = { leftOut: [] };
  await read(place, found, async (refs) => {
    found.leftOut.push(...await unreadPlaces(place, refs));
  });
  return found.leftOut;
}

type Repository = Pick<PlanPlace, "cwd" | "dir" | "git" | "signal">;

/** Reads with git; if it fails, `found` says why. */
async function read(
  { git, dir, signal }: Repository,
  found: Unread,
  work: (refs: Refs) => Promise<void>,
): Promise<void> {
  try {
    if (!mayRunGit() && repositoryOf(dir) === undefined) return;
    const stampOf = () => refsStamp(dir);
    await unlessFailed(git.memo, dir, signal, stampOf, async () => await work(await readRefs(git)));
  } catch (error) {
    if (signal.aborted || !(error instanceof RefraktError)) throw error;
    if (isWithoutHistory(error)) {
      found.nothing = [error.message];
      return;
    }
    const { message, data } = error;
    const how = data?.["flag"] === undefined ? "" : ` (add ${word(String(data["flag"]))})`;
    found.leftOut.push(`Branches and worktrees: ${shortLine(message, 200)}${how}`);
    // Without git, nothing else is to be expected.
    if (mayRunGit()) found.failed = error;
  }
}

async function addIds(places: Places, ids: Map<string, string>): Promise<void> {
  const { refs: { branches, worktrees }, facts, leftOut, place: { signal, history } } = places;
  const { head } = facts.repository;
  const tips = new Map<string, string>();
  const addTip = (commit: string, place: string) => {
    if (!tips.has(commit) && !isUnborn(commit) && commit !== head) tips.set(commit, place);
  };
  for (const { name, commit } of branches) {
    addTip(commit, branchNamed(name));
  }
  for (const { commit } of worktrees) addTip(commit, "A worktree's commit");
  const recent = places.newest([...tips]);
  await places.compare(recent.map(([commit]) => [commit, head]));
  const found = recent.map(([commit, name]) =>
    [name, places.changesOf(name, commit, head)] as const
  );
  // What is here is no news.
  await places.load(
    found.flatMap(([, changes]) => changes.map((change) => ({ ...change, before: undefined }))),
  );
  for (const folder of places.folders) {
    found.push([`The worktree ${quotedName(folder.name)}`, await places.changesIn(folder, head)]);
  }
  for (const [name, changes] of found) {
    const place = name.replace(/^\w/, (first) => first.toLowerCase());
    for (const { after } of changes) {
      for (const id of places.idsOf(after)) if (!ids.has(id)) ids.set(id, place);
    }
  }
  // Commits may name an id that no file has any more.
  const { events } = await orOtherwise(signal, () => history(), ({ message }) => {
    leftOut.push(`Ids of earlier commits are unknown: ${message}`);
    return { events: [] };
  });
  for (const { id } of events) if (id !== undefined && !ids.has(id)) ids.set(id, HISTORY);
}

async function addStates(places: Places, plan: PlanView, found: Elsewhere): Promise<void> {
  const { folders, unread, refs, facts: { ahead } } = places;
  // A worktree's files are newer than its branch.
  const others = refs.branches.filter(({ name, commit }) =>
    ahead?.has(commit) !== false && folders.every(({ branch }) => branch !== name)
  );
  const recent = places.newest(others);
  [found.branches, found.worktrees] = [recent.length, folders.length];
  const tips = [
    // Git can read the commits of worktrees that the server may not read.
    ...places.newest(unread.filter(({ branch }) => branch === undefined))
      .map(({ name, commit }) => ({ name, commit, place: { worktree: name } })),
    // If two branches have the same state, the local one is shown.
    ...recent.toSorted((a, b) => Number(a.isRemote) - Number(b.isRemote))
      .map(({ name, commit, date }) => ({
        name: branchNamed(name),
        commit,
        place: { branch: name, date },
      })),
  ];
  const bases = await places.basesOf([...folders, ...tips].map(({ commit }) => commit));
  await places.compare(tips.map(({ commit }) => [commit, bases.get(commit)!]));
  const changed: [Place, readonly PlaceChange[]][] = [];
  for (const folder of folders) {
    const { name, branch, commit } = folder;
    const changes = await places.changesIn(folder, bases.get(commit)!);
    changed.push([{ worktree: name, branch }, changes]);
  }
  for (const { name, commit, place } of tips) {
    changed.push([place, places.changesOf(name, commit, bases.get(commit)!)]);
  }
  await places.load(changed.flatMap(([, changes]) => changes));
  const turn = turnTaker(plan.signal);
  for (const [place, changes] of changed) {
    await turn();
    const itemsOf = (side: "before" | "after") =>
      changes.flatMap(({ [side]: blob }) => places.itemOf(blob) ?? []);
    addPlace(plan, found, place, itemsOf("before"), itemsOf("after"));
  }
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
    const base = bases.get(item.id) ?? gone.find((one) => isNamesake(one, item));
    const named = plan.find(item.id);
    const isOther = named !== undefined && base === undefined && areDifferent(named, item);
    const here = isOther ? named : sameHere(plan, item, base);
    if (isOther && collisions.every((one) => areDifferent(one.item, item))) {
      collisions.push({ ...place, item });
    }
    const changes = here === undefined ? undefined : new Set(changedValues(diff(here, item)));
    const differs = changedValues(diff(base, item))
      .filter((name) => changes === undefined || changes.has(name));
    const id = here?.id ?? item.id;
    if (id !== item.id) differs.push("id");
    if (differs.length === 0) continue;
    const known = states.get(id) ?? [];
    states.set(id, known);
    const same = known.find((state) =>
      state.item.id === item.id && changedValues(diff(state.item, item)).length === 0
    );
    if (same === undefined) {
      const note = item.note === base?.note ? undefined : item.note;
      known.push({ ...place, item, differs, note, isOther, others: 0 });
    } else same.others++;
  }
}

/** Finds the entity that an entity elsewhere is here, also if it was renumbered since their base. */
function sameHere(plan: PlanView, item: Entity, base: Entity | undefined): Entity | undefined {
  const named = plan.find(item.id);
  if (base === undefined || named !== undefined && !areDifferent(named, item)) return named;
  const known = plan.find(base.id);
  if (known !== undefined && !areDifferent(known, base)) return known;
  const namesakes = plan.entities.filter((one) => isNamesake(one, item) || isNamesake(one, base));
  return namesakes.length === 1 ? namesakes[0] : known ?? named;
}

function isNamesake(one: Entity, other: Entity): boolean {
  return one.type === other.type && one.title !== "" && one.title === other.title;
}

/** Whether an entity is not an edited or renamed version of another. */
function areDifferent(one: Entity, other: Entity): boolean {
  return one.id !== other.id ||
    one.title !== other.title && one.file !== other.file;
}

/** Opens the plan of a call, and finds entities, their texts and references in it. */

import { join } from "node:path";
import { orOtherwise } from "../../../src/errors.ts";
import { readTexts } from "../../../src/io/git_objects.ts";
import { ifFound, shownPath } from "../../../src/io/paths.ts";
import { newReads, noteUntil, record } from "../../../src/io/reads.ts";
import { inTurns } from "../../../src/io/turns.ts";
import { type HistoryEvent, inPlan } from "../git/events.ts";
import { readRepository, readTree } from "../git/log.ts";
import { plainOf } from "../entity/document.ts";
import type { Entity, PlanFile } from "../entity/entity.ts";
import { unknownEntity } from "../store/problems.ts";
import type { PlanPlace } from "../store/place.ts";
import { type Plan, planOf, type PointerKind } from "../store/plan.ts";

/** A plan opened for one call. */
export interface PlanView extends PlanPlace, Plan {
  /** Items that others have taken up or changed, in words by id, if the caller has read them. */
  readonly taken?: {
    readonly taken: ReadonlyMap<string, string>;
    readonly changed: (id: string) => string | undefined;
    readonly unchecked: readonly string[];
  } | undefined;
  /** The texts of its files, if it is that of a commit. */
  readonly texts?: ReadonlyMap<string, string>;
  /** How many unfinished items wait for an item, if the caller has counted them. */
  readonly blocking?: ((entity: Entity) => number) | undefined;
  /** Sentences about gaps in the history, if the caller has read it. */
  readonly gaps?: readonly string[] | undefined;
  /** Finds the date of the last commit, if the caller has read the history. */
  readonly datesOf?: ((entity: Entity) => { readonly modified: string | undefined }) | undefined;
}

/** Reads the plan of a call. */
export async function openPlan(place: PlanPlace): Promise<PlanView> {
  return { ...place, ...await place.store.read(place.signal) };
}

/** Opens the files of a plan as of a commit; what else is read later, such as claims, is current. */
export async function planAt(view: PlanView, commit: string): Promise<PlanView> {
  const { git, plugin: { vocabulary } } = view;
  const [{ prefix }, tree] = await Promise.all([readRepository(git), readTree(git, commit)]);
  const paths = [...tree].filter(([path]) => path.endsWith(".md"));
  const blobs = await readTexts(git, paths.map(([, blob]) => blob));
  const texts = new Map<string, string>();
  const files: PlanFile[] = [];
  for await (const [path, blob] of inTurns(paths, view.signal)) {
    const text = blobs.get(blob);
    if (text === undefined) continue;
    const file = inPlan(prefix, path);
    texts.set(file, text);
    files.push(view.store.texts.fileOf(file, text));
  }
  files.sort((a, b) => a.file < b.file ? -1 : 1);
  return { ...view, texts, ...planOf(files, { vocabulary }) };
}

/** Opens a plan as of its last scan, for callers that have just scanned it under its lock. */
export function lastPlan(place: PlanPlace): PlanView {
  return { ...place, ...place.store.last() };
}

/**
 * Reads the history of the plan, or of one file; if git has none, there are no events, and a gap says
 * why.
 */
export function knownHistory({ signal, history }: PlanPlace, file?: string) {
  return orOtherwise(signal, () => history(file), ({ message }) => {
    const events: readonly HistoryEvent[] = [];
    return { events, gaps: [message] };
  });
}

/** Finds an entity by its id in any case. @throws {RefraktError} `NOT_FOUND` with the nearest ids. */
export function entityNamed(plan: PlanView, id: string): Entity {
  return entitiesNamed(plan, [id])[0]!;
}

export function entitiesNamed(plan: PlanView, ids: readonly string[]): Entity[] {
  const unknown = ids.filter((id) => plan.find(id) === undefined);
  if (unknown.length > 0) throw unknownEntity(plan.store, ...unknown);
  return ids.map((id) => plan.find(id)!);
}

/** Parses a text as an entity of a plan, such as one that has just been written. */
export function entityOfText(
  { plugin: { vocabulary }, store }: PlanPlace,
  text: string,
  file: string,
): Entity | undefined {
  const source = store.texts.fileOf(file, text);
  return planOf([source], { vocabulary }).entities[0];
}

/** How long a derived value is cached, in milliseconds: plugin answers may depend on the date. */
const DERIVED_MS = 60_000;
/** How many derived values are cached: their keys contain arguments. */
const MOST_DERIVED = 32;

/**
 * Caches a value that depends only on a plan and the key, for a minute. Callers share it and must not
 * change it.
 */
export function derived<Value>(
  { git: { memo }, files }: PlanView,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  return memo(["derived", files, key], () => {
    noteUntil(Date.now() + DERIVED_MS);
    // The files of the plan are in the key: they need no second look.
    return record(newReads(), make);
  }, { most: MOST_DERIVED });
}

/** The entity's file, relative to the project. */
export function pathOf(plan: PlanView, { file }: Entity): string {
  return shownPath(plan.cwd, join(plan.dir, file));
}

export function uriOf({ id, type }: { readonly id: string; readonly type: string }): string {
  return `refrakt://plan/${type}/${encodeURIComponent(id)}`;
}

/** The text of an entity's file. */
export function sourceOf({ store, texts }: PlanView, entity: Entity): string {
  return texts?.get(entity.file) ?? store.source(entity);
}

/** The Markdoc source of an entity, with LF line ends; empty if it was removed since it was read. */
export function sourceText(plan: PlanView, entity: Entity): string {
  return ifFound(() => plainOf(sourceOf(plan, entity)), "");
}

/** Finds the line of a reference, from 1: a source in the tag, a dependency in its section. */
export function referenceLines(plan: PlanView, item: Entity) {
  const text = sourceText(plan, item);
  const lines = text.split("\n");
  const tagEnd = text.slice(0, item.bodyStart).split("\n").length;
  return (name: string, kind: PointerKind): number | undefined => {
    const id = String.raw`(?<![A-Za-z0-9-])${RegExp.escape(name)}(?![A-Za-z0-9]|[-.]\d)`;
    const named = new RegExp(id, "i");
    const referred = new RegExp(`${REFERENCE}[^%]*?${id}`, "i");
    let best: number | undefined;
    let bestRank = -1;
    let isDependencies = false;
    for (const [at, line] of lines.entries()) {
      if (/^#{1,2}\s/.test(line)) isDependencies = /depend|block/i.test(line);
      const isTag = at < tagEnd;
      if (isTag !== (kind === "source") || !named.test(line)) continue;
      // An id without a tag is no reference.
      const rank = Number(referred.test(line)) * 2 + Number(isDependencies && kind !== "mentions");
      if (rank > bestRank) [best, bestRank] = [at + 1, rank];
    }
    return best;
  };
}

const REFERENCE = String.raw`\{%\s*x?ref\b`;

/** A reference to an entity; the status is `missing` if it does not exist. */
export type Named =
  & Pick<Entity, "id">
  & { readonly [Name in "title" | "status"]?: string | undefined };

export function rowsOf(plan: Plan, ids: readonly string[]): Named[] {
  return ids.map((id) => rowOf(plan.find(id) ?? { id, title: "", status: "missing" }));
}

export function rowOf({ id, title, status }: Pick<Entity, "id" | "title" | "status">): Named {
  return { id, title: title || undefined, status: status || undefined };
}

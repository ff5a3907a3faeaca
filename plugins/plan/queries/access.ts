/** A plan as the queries see it: its entities, by id and in order. */

import { join } from "node:path";
import type { RefraktError } from "../../../src/errors.ts";
import { readBlobs } from "../../../src/io/git_objects.ts";
import { ifFound, shownPath } from "../../../src/io/paths.ts";
import { inPlan } from "../git/events.ts";
import { readRepository, readTree } from "../git/log.ts";
import { plainOf } from "../entity/document.ts";
import { unknownEntity } from "../store/failures.ts";
import type { PlanPlace } from "../store/place.ts";
import type { Contents, PlanEntity } from "../entity/entity.ts";
import { PlanState, StoredFile } from "../store/plan_state.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { isFinished, isTask } from "./lifecycle.ts";

/** An entity with computed properties. */
export interface Item {
  /** Its id, a milestone's name, or the file if it has neither. */
  readonly id: string;
  readonly type: string;
  /** Empty if unset, like the title. */
  readonly status: string;
  readonly title: string;
  /** Whether the status is final for its type. */
  readonly finished: boolean;
  readonly entity: PlanEntity;
  /** What else its file says. */
  readonly contents: Contents;
}

/** What others have taken up. */
export interface Taken {
  /** The ready items that are in progress, finished or claimed elsewhere, and where, by id. */
  readonly taken: ReadonlyMap<string, string>;
  /** Who has them there, by id. */
  readonly owners?: ReadonlyMap<string, string>;
  /** What other branches and worktrees have changed of an entity, in a sentence. */
  readonly changed?: (id: string) => string | undefined;
  /** What of other places could not be read, in sentences. */
  readonly unchecked: readonly string[];
  /** The error, if git did not answer. */
  readonly failed?: RefraktError | undefined;
}

/** A plan opened for one call. */
export interface PlanView extends PlanPlace {
  /** Sorted by path. */
  readonly items: readonly Item[];
  readonly state: PlanState;
  /** What others have taken up, if the caller has read it. */
  readonly taken?: Taken;
  /** The texts of its files, if it is that of a commit. */
  readonly texts?: ReadonlyMap<string, string>;
  /** The days of the files' last commits, if the caller has read them. */
  readonly dates?: ReadonlyMap<string, string>;
  /** Finds an entity by its id in any case; the first one of duplicates. */
  find(id: string): Item | undefined;
  /** The work items and bugs of a milestone. */
  tasksOf(milestone: string): readonly Item[];
  /** The work items and bugs whose source is an entity. */
  implementing(id: string): readonly Item[];
}

/** What `itemsIn` makes of the files of a plan. */
type Items = Pick<PlanView, "items" | "find" | "tasksOf" | "implementing">;

/** Reads the plan of a call. */
export async function openPlan(place: PlanPlace): Promise<PlanView> {
  const state = await place.store.read(place.signal);
  const items = await state.derived("items", () => itemsIn(state, place.plugin.vocabulary));
  return { ...place, state, ...items };
}

/** Opens a plan as of a commit, as far as its files tell: what is read later is that of today. */
export async function planAt(plan: PlanPlace, commit: string): Promise<PlanView> {
  const { git, plugin: { sections, vocabulary } } = plan;
  const [{ prefix }, tree] = await Promise.all([readRepository(git), readTree(git, commit)]);
  const texts = new Map<string, string>();
  const paths = [...tree].filter(([path]) => path.endsWith(".md"));
  await readBlobs(git, paths.map(([, blob]) => blob), (blob, text) => texts.set(blob, text));
  const byFile = new Map(
    paths.flatMap(([path, blob]) => {
      const text = texts.get(blob);
      return text === undefined ? [] : [[inPlan(prefix, path), text] as const];
    }),
  );
  const files = [...byFile].map(([file, text]) =>
    new StoredFile(file, { text, mtime: 0 }, sections)
  )
    .sort((a, b) => a.file < b.file ? -1 : 1);
  const state = new PlanState(files, []);
  return { ...plan, state, texts: byFile, ...itemsIn(state, vocabulary) };
}

/** Opens a plan as of its last scan, for callers that have just scanned it under its lock. */
export function lastPlan(place: PlanPlace): PlanView {
  const state = place.store.last();
  return { ...place, state, ...itemsIn(state, place.plugin.vocabulary) };
}

/** Finds an entity by its id in any case. @throws {RefraktError} `NOT_FOUND` with the nearest ids. */
export function itemNamed(plan: PlanView, id: string): Item {
  return itemsNamed(plan, [id])[0]!;
}

export function itemsNamed(plan: PlanView, ids: readonly string[]): Item[] {
  const unknown = ids.filter((id) => plan.find(id) === undefined);
  if (unknown.length > 0) throw unknownEntity(plan.store, ...unknown);
  return ids.map((id) => plan.find(id)!);
}

export function itemsIn(
  state: PlanState,
  vocabulary: Vocabulary | undefined,
): Items {
  const { entities, entityFiles } = state;
  const specsGoOn = vocabulary?.status["spec"]?.includes("implemented") === true ||
    entities.some(({ type, attributes }) =>
      type === "spec" && ["implemented", "shipped"].includes(attributes["status"] ?? "")
    );
  const items = entityFiles.map((stored): Item => {
    const { entity } = stored;
    const status = entity.attributes["status"] ?? "";
    return {
      id: entity.id ?? entity.file,
      type: entity.type,
      status,
      title: entity.title ?? "",
      finished: isFinished(entity.type, status, specsGoOn),
      entity,
      get contents() {
        return stored.contents;
      },
    };
  });
  const byId = new Map<string, Item>();
  for (const item of items) byId.getOrInsert(item.id, item);
  return {
    items,
    find: (id) => byId.get(id) ?? byId.get(state.spelled(id)),
    tasksOf: tasksBy(items, ({ entity }) => [entity.attributes["milestone"] ?? ""]),
    implementing: tasksBy(items, (item) => listed(item, "source")),
  };
}

/** Finds the work items and bugs with a value; they are grouped at the first call. */
function tasksBy(items: readonly Item[], valuesOf: (item: Item) => readonly string[]) {
  let groups: Map<string, Item[]> | undefined;
  const group = () => {
    const byValue = new Map<string, Item[]>();
    for (const item of items.filter(isTask)) {
      for (const value of new Set(valuesOf(item))) byValue.getOrInsert(value, []).push(item);
    }
    return byValue;
  };
  return (value: string): readonly Item[] => (groups ??= group()).get(value) ?? [];
}

/** Parses a text as an entity of a plan, such as one that has just been written. */
export function itemFrom(
  { plugin: { sections, vocabulary } }: PlanPlace,
  source: string,
  file: string,
): Item | undefined {
  const stored = new StoredFile(file, { text: source, mtime: 0 }, sections);
  return itemsIn(new PlanState([stored], []), vocabulary).items[0];
}

/** The entity's file, relative to the project. */
export function pathOf(plan: PlanView, item: Item): string {
  return shownPath(plan.cwd, join(plan.dir, item.entity.file));
}

export function uriOf(item: Pick<Item, "id" | "type">): string {
  return `refrakt://plan/${item.type}/${encodeURIComponent(item.id)}`;
}

/** The text of an entity's file. */
export function sourceOf({ store, texts }: PlanView, { entity }: Item): string {
  return texts?.get(entity.file) ?? store.source(entity);
}

/** The Markdoc source of an entity, with LF line ends; empty if it was removed since it was read. */
export function sourceText(plan: PlanView, item: Item): string {
  return ifFound(() => plainOf(sourceOf(plan, item)), "");
}

/** A reference to an entity; the status is `missing` if it does not exist. */
export type Named =
  & Pick<Item, "id">
  & { readonly [Name in "title" | "status"]?: Item[Name] | undefined };

export function namedItems(plan: PlanView, ids: readonly string[]): Named[] {
  return ids.map((id) => {
    const item = plan.find(id);
    return item === undefined ? { id, status: "missing" } : rowOf(item);
  });
}

export function rowOf({ id, title, status }: Item): Named {
  return { id, title: title || undefined, status: status || undefined };
}

/** A list for an answer; `undefined`, which JSON leaves out, if it is empty. */
export function unlessEmpty<List extends readonly unknown[]>(list: List): List | undefined {
  return list.length === 0 ? undefined : list;
}

/** How many criteria of an entity are open. */
export function openCount({ entity: { criteria } }: Item): number {
  return criteria.filter(({ checked }) => !checked).length;
}

/** Splits a comma-separated attribute. */
export function listed(item: Item, attribute: string): string[] {
  return parts(item.entity.attributes[attribute] ?? "");
}

export function parts(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

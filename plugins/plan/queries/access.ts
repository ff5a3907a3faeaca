/** A plan as the queries see it: its entities, by id and in order. */

import { join } from "node:path";
import { shownPath } from "../../../src/io/paths.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import { plainOf } from "../entity/document.ts";
import { existingPlan, type PlaceContext } from "../store/place.ts";
import type { PlanEntity } from "../entity/entity.ts";
import type { LoadedPlan } from "../store/loaded.ts";
import type { PlanStore } from "../store/mod.ts";
import { type EntityFile, PlanState, StoredFile } from "../store/plan_state.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { isFinished } from "./lifecycle.ts";

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
  readonly stored: EntityFile;
}

/** What others have taken up. */
export interface Taken {
  /** The ready items that are in progress, finished or claimed elsewhere, and where, by id. */
  readonly taken: ReadonlyMap<string, string>;
  /** Why claims on the remote are unknown, if they are. */
  readonly unknown: string | undefined;
}

/** A plan opened for one call. */
export interface PlanView {
  /** The project's directory. */
  readonly cwd: string;
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** Sorted by path. */
  readonly items: readonly Item[];
  readonly state: PlanState;
  readonly store: PlanStore;
  readonly vocabulary: Vocabulary | undefined;
  /** What others have taken up, if the caller has read it. */
  readonly taken?: Taken;
  /** Finds an entity by its id in any case; the first one of duplicates. */
  find(id: string): Item | undefined;
}

/**
 * Opens the plan of a call.
 *
 * @param dir The call's own `dir`, if any.
 * @throws {RefraktError} `PLAN_DIR_MISSING` if there is no plan.
 */
export async function openPlan(
  context: PlaceContext & Pick<CallContext, "signal">,
  dir: string | undefined,
  { storeOf, vocabulary }: LoadedPlan,
): Promise<PlanView> {
  const { cwd } = context.project;
  const place = existingPlan(context, dir);
  const store = storeOf(cwd, place);
  const state = await store.read(context.signal);
  const { items, find } = await state.derived("items", () => itemsIn(state, vocabulary));
  return { cwd, dir: place, state, store, items, vocabulary, find };
}

/** Opens a plan as of its last scan, for callers that have just scanned it under its lock. */
export function lastPlan(
  { project: { cwd } }: PlaceContext,
  dir: string,
  { storeOf, vocabulary }: LoadedPlan,
): PlanView {
  const store = storeOf(cwd, dir);
  const state = store.last();
  return { cwd, dir, state, store, vocabulary, ...itemsIn(state, vocabulary) };
}

export function itemsIn(
  state: PlanState,
  vocabulary: Vocabulary | undefined,
): Pick<PlanView, "items" | "find"> {
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
      stored,
    };
  });
  const byId = new Map<string, Item>();
  for (const item of items) if (!byId.has(item.id)) byId.set(item.id, item);
  return { items, find: (id) => byId.get(id) ?? byId.get(state.spelled(id)) };
}

/** Parses a text as an entity of a plan, such as one that has just been written. */
export function itemFrom(
  { vocabulary }: Pick<PlanView, "vocabulary">,
  { parse }: Pick<LoadedPlan, "parse">,
  source: string,
  file: string,
): Item | undefined {
  const stored = new StoredFile(file, { text: source, mtime: 0 }, parse);
  return itemsIn(new PlanState([stored], []), vocabulary).items[0];
}

/** The entity's file, relative to the project. */
export function pathOf(plan: PlanView, item: Item): string {
  return shownPath(plan.cwd, join(plan.dir, item.entity.file));
}

export function uriOf(item: Pick<Item, "id" | "type">): string {
  return `refrakt://plan/${item.type}/${encodeURIComponent(item.id)}`;
}

/** The Markdoc source of an entity, with LF line ends. */
export function sourceText({ store }: PlanView, { entity }: Item): string {
  return plainOf(store.source(entity));
}

/** A reference to an entity; the status is `missing` if it does not exist. */
export interface Named {
  id: string;
  title?: string;
  status?: string;
}

export function namedItems(plan: PlanView, ids: readonly string[]): Named[] {
  return ids.map((id) => {
    const item = plan.find(id);
    return item === undefined ? { id, status: "missing" } : rowOf(item);
  });
}

export function rowOf({ id, title, status }: Item): Named {
  return { id, ...present({ title: title || undefined, status: status || undefined }) };
}

/** Removes undefined values. */
export function present<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}

/** Splits a comma-separated attribute. */
export function listed(item: Item, attribute: string): string[] {
  return parts(item.entity.attributes[attribute] ?? "");
}

export function parts(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * The plan as the queries see it: its entities by id, and what leads from one to
 * another. Everything that asks the plan a question opens it here.
 *
 * @module
 */

import { join } from "node:path";
import { shownPath } from "../../../src/io/paths.ts";
import type { McpHandlerContext } from "../../../src/tools/plugin.ts";
import { plainOf } from "../document.ts";
import { existingPlan, type PlaceContext } from "../place.ts";
import type { PlanEntity } from "../entity.ts";
import type { LoadedPlan } from "../load.ts";
import type { PlanStore } from "../store/mod.ts";
import type { EntityFile, PlanState } from "../store/plan_state.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { isFinished } from "./lifecycle.ts";

/** One entity with the names that it goes by. */
export interface Item {
  /** Its id, a milestone's name, or its file where it has neither. */
  readonly id: string;
  readonly type: string;
  /** Empty where it has none, as the title. */
  readonly status: string;
  readonly title: string;
  /** Whether its type counts its status as finished. */
  readonly finished: boolean;
  /** As the plugin parses it. */
  readonly entity: PlanEntity;
  /** Its file, with its document. */
  readonly stored: EntityFile;
}

/** A plan that was opened for one call. */
export interface PlanView {
  /** The project. */
  readonly cwd: string;
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** Every entity, in the order of their paths. */
  readonly items: readonly Item[];
  /** The files that they were read from. */
  readonly state: PlanState;
  readonly store: PlanStore;
  /** What the installed plugin knows. */
  readonly vocabulary: Vocabulary | undefined;
  /** The entity of an id, exactly; the first one where a plan has two. */
  find(id: string): Item | undefined;
}

/**
 * Opens the plan that a call works on.
 *
 * @param context The call's project and signal.
 * @param dir The call's own `dir`, if it has one.
 * @throws {RefraktError} `PLAN_DIR_MISSING` where there is none.
 */
export async function openPlan(
  context: PlaceContext & Pick<McpHandlerContext, "signal">,
  dir: string | undefined,
  { storeOf, vocabulary }: LoadedPlan,
): Promise<PlanView> {
  const { cwd } = context;
  const place = existingPlan(context, dir);
  const store = storeOf(cwd, place);
  const state = await store.read(context.signal);
  const { items, find } = await state.derived("items", () => itemsIn(state, vocabulary));
  return { cwd, dir: place, state, store, items, vocabulary, find };
}

/** The items of what one look found. */
export function itemsIn(
  { entities, entityFiles }: PlanState,
  vocabulary: Vocabulary | undefined,
): Pick<PlanView, "items" | "find"> {
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
  return { items, find: (id) => byId.get(id) };
}

/** The entity's file, relative to the project. */
export function pathOf(plan: PlanView, item: Item): string {
  return shownPath(plan.cwd, join(plan.dir, item.entity.file));
}

/** The entity's resource. */
export function uriOf(item: Pick<Item, "id" | "type">): string {
  return `refrakt://plan/${item.type}/${encodeURIComponent(item.id)}`;
}

/** The Markdoc source of an entity, with LF line ends. */
export function sourceText({ store }: PlanView, { entity }: Item): string {
  return plainOf(store.source(entity));
}

/** An entity as an answer names it beside others; the status is `missing` without an entity. */
export interface Named {
  id: string;
  title?: string;
  status?: string;
}

/** Names the entities of ids. */
export function namedItems(plan: PlanView, ids: readonly string[]): Named[] {
  return ids.map((id) => {
    const item = plan.find(id);
    return item === undefined ? { id, status: "missing" } : rowOf(item);
  });
}

/** The shortest row of an entity. */
export function rowOf({ id, title, status }: Item): Named {
  return { id, ...present({ title: title || undefined, status: status || undefined }) };
}

/** An object without what is not there. */
export function present<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}

/** A comma-separated attribute as a list. */
export function listed(item: Item, attribute: string): string[] {
  return parts(item.entity.attributes[attribute] ?? "");
}

/** The parts of a text with commas between them. */
export function parts(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

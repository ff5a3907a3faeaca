/** Several new entities of one `plan_create`, which refer to each other by keys. */

import { quotedName, word } from "../../../src/plain_text.ts";
import * as z from "zod";
import { errorsIn, RefraktError, settled, throwJoined } from "../../../src/errors.ts";
import { shownPath } from "../../../src/io/paths.ts";
import { ENTITY_TYPES, type EntityType } from "../entity/types.ts";
import { readAvailability } from "../queries/availability.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { openPlan, unlessEmpty } from "../queries/access.ts";
import type { PlanPlace } from "../store/place.ts";
import { type CreatedEntity, createEntity, draftEntity, type NewEntity } from "../write/create.ts";
import { ofOne } from "../write/edit_entity.ts";
import { pruneReserved } from "../write/prune_remote.ts";
import { allOrNone } from "../write/undo.ts";
import { idsArgument, uncheckedPlaces } from "../tool_parts/fields.ts";

const MOST_ITEMS = 50;

const texts = z.record(z.string(), z.string()).optional();

const Entity = z.strictObject({
  key: z.string().regex(/^[A-Za-z][\w-]*$/),
  type: z.enum(ENTITY_TYPES),
  title: z.string(),
  id: z.string().optional(),
  attrs: texts,
  sections: texts,
  criteria: z.array(z.string()).optional(),
  body: z.string().optional(),
  dependsOn: idsArgument(),
  blocks: idsArgument(),
});

export type NewItem = z.infer<typeof Entity>;

export const itemsArgument = (types: readonly EntityType[]) =>
  z.array(Entity.extend({ type: z.enum(types) })).min(1).max(MOST_ITEMS).optional().describe(
    'Several at once, all or none; "$key" is the id of another, "$$" a dollar',
  );

export const itemsOutput = {
  items: z.array(z.object({
    key: z.string(),
    id: z.string(),
    path: z.string(),
    preview: z.string().optional(),
  })).optional(),
  /** Those that plan_next offers now. */
  offered: z.array(z.string()).optional(),
  unchecked: uncheckedPlaces(),
};

type Answer = z.infer<z.ZodObject<typeof itemsOutput>>;

/**
 * Creates entities: all or none.
 *
 * @param wantedOf What one of them is to be, as of a call for it alone.
 */
export async function createItems(
  given: readonly NewItem[],
  place: PlanPlace,
  isPreview: boolean,
  wantedOf: (item: NewItem) => Omit<NewEntity, "elsewhere" | "need">,
): Promise<Answer> {
  const { cwd, store, signal } = place;
  const keys = given.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) < at);
  if (twice !== undefined) throw invalid(`Two items have the key ${quotedName(twice)}`);
  const items = inOrder(withoutBlocks(given));
  const taken = await takenIds(place);
  const create = async (need: (...ids: string[]) => void = () => {}) => {
    await store.entities(signal);
    const ids = new Map(keys.map((key) => [key, `new-${key}`]));
    const own = new Map<string, string>();
    const works: (() => unknown)[] = [];
    const each = async (work: (item: NewItem, id: string) => Promise<unknown>) => {
      for (const item of items) {
        const { key } = item;
        works.push(await settled(() => ofItem(key, () => work(item, ids.get(key)!))));
      }
    };
    const setId = async ({ key, type, title, id, attrs = {} }: NewItem) => {
      const elsewhere = new Map([...taken.ids, ...own]);
      const draft = { type, title, id, attributes: attrs, edits: [], elsewhere };
      const made = await draftEntity(place, draft);
      if (own.has(made.id)) throw invalid(`Two items have the id ${word(made.id)}`);
      ids.set(key, made.id);
      own.set(made.id, "this call");
    };
    await each(setId);
    const all = [...ids.values()];
    const made = new Map<string, CreatedEntity>();
    await each(async (item, id) => {
      const filled = filledIn(item, ids);
      const old = (names?: string[]) => names?.filter((name) => !all.includes(name));
      const { dependsOn, blocks } = filled;
      wantedOf({ ...filled, dependsOn: old(dependsOn), blocks: old(blocks) }).others?.(id);
      // Texts are checked even if the head is wrong.
      const head = own.has(id) ? {} : { title: "Title", attributes: {} };
      const wanted = { ...wantedOf(filled), ...head, id, elsewhere: taken.ids };
      made.set(item.key, await draftEntity(place, wanted));
    });
    throwJoined(errorsIn(works), "\n");
    if (isPreview) return made;
    const named = items.filter(({ type }) => type !== "milestone").map(({ key }) => ids.get(key)!);
    need(...named);
    for (const item of items) {
      const id = ids.get(item.key)!;
      const wanted = { ...wantedOf(filledIn(item, ids)), id, elsewhere: taken.ids };
      made.set(item.key, await ofItem(item.key, () => createEntity(place, wanted)));
    }
    return made;
  };
  const made = isPreview
    ? await create()
    : await taken.locked((need) => allOrNone(() => create(need)));
  const plan = isPreview ? undefined : await openPlan(place);
  if (plan !== undefined && taken.known !== undefined) await pruneReserved(plan, taken.known);
  const ids = new Set([...made.values()].map(({ id }) => id));
  const { offered = [] } = plan === undefined ? {} : await readAvailability(plan);
  return {
    items: given.map(({ key }) => {
      const { id, path, document } = made.get(key)!;
      const preview = isPreview ? { preview: document.text } : {};
      return { key, id, path: shownPath(cwd, path), ...preview };
    }),
    offered: unlessEmpty(offered.flatMap(({ id }) => ids.has(id) ? id : [])),
    unchecked: uncheckedSentence(taken.unchecked),
  };
}

/** Says of an error which item it is about: any word may be a key. */
const ofItem = <Value>(key: string, work: () => Promise<Value>) => ofOne(key, work, () => false);

const keyIn = (name: string) => /^\$([A-Za-z][\w-]*)$/.exec(name)?.[1];

/** An item that blocks another one of the call is what that one depends on. */
function withoutBlocks(items: readonly NewItem[]): NewItem[] {
  return items.map(({ blocks = [], dependsOn = [], ...item }) => {
    const blocking = items.filter((other) => (other.blocks ?? []).includes(`$${item.key}`));
    const all = [...dependsOn, ...blocking.map(({ key }) => `$${key}`)];
    const isKnown = (name: string) => items.some(({ key }) => key === keyIn(name));
    return {
      ...item,
      ...all.length > 0 ? { dependsOn: [...new Set(all)] } : {},
      blocks: blocks.filter((name) => !isKnown(name)),
    };
  });
}

/** What an item depends on is created before it. */
function inOrder(items: readonly NewItem[]): NewItem[] {
  const ordered = new Set<NewItem>();
  const add = (item: NewItem, path: readonly string[]) => {
    if (path.includes(item.key)) {
      throw invalid(`The dependencies form a cycle: ${[...path, item.key].join(" → ")}`);
    }
    if (ordered.has(item)) return;
    for (const name of item.dependsOn ?? []) {
      const other = items.find(({ key }) => key === keyIn(name));
      if (other !== undefined) add(other, [...path, item.key]);
    }
    ordered.add(item);
  };
  for (const item of items) add(item, []);
  return [...ordered];
}

/** Replaces keys by ids, and two dollars by one. */
function filledIn(item: NewItem, ids: ReadonlyMap<string, string>): NewItem {
  const fill = (text: string) =>
    text.replace(/\$(\$|[A-Za-z][\w-]*)/g, (_all, name: string) => {
      if (name === "$") return "$";
      const id = ids.get(name);
      if (id !== undefined) return id;
      throw invalid(`No item has the key ${quotedName(name)}`);
    });
  const all = <Texts extends Readonly<Record<string, string>> | undefined>(texts: Texts) =>
    texts && Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
  const { attrs, sections, criteria, body, dependsOn, blocks, ...rest } = item;
  return {
    ...rest,
    attrs: all(attrs),
    sections: all(sections),
    criteria: criteria?.map(fill),
    body: body === undefined ? undefined : fill(body),
    dependsOn: dependsOn?.map(fill),
    blocks: blocks?.map(fill),
  };
}

function invalid(message: string): RefraktError {
  return new RefraktError("INVALID_ARGS", message, {
    hint:
      'Nothing was written. "$key" stands for the id of the item with that key; write "$$" for a ' +
      "dollar.",
  });
}

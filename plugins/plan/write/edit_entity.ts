/**
 * Changes an entity: reads the file, edits it, and writes it if it has not changed since;
 * otherwise starts again.
 */

import { hasHidden, isShownAs, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import { type Document, read } from "../entity/document.ts";
import { type Condition, requireCondition } from "./condition.ts";
import { type Edit, editable, editDocument, spelledIn } from "./edits.ts";
import type { Change, Editable } from "./edits/splices.ts";
import type { Entity } from "../entity/entity.ts";
import { unknownEntity } from "../store/failures.ts";
import { type NewDependencies, newDependencies } from "./new_dependencies.ts";
import { duplicateError, markersError } from "../store/problems.ts";
import type { PlanStore } from "../store/mod.ts";
import { type FileWrite, readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { checkAttributes } from "../entity/values.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import type { PlanPlace } from "../store/place.ts";

/** How often a change is tried while others write the same file. */
const MAX_TRIES = 12;
/** The longest pause before the next try. */
const PAUSE_MS = 15;
/** How long to wait for a writer that has emptied or moved a file. */
const GONE_MS = 500;

export interface EntityChange extends NewDependencies {
  /** An empty value removes the attribute. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
  readonly condition?: Condition | undefined;
}

export interface ChangedEntity {
  /** As the plan writes it. */
  readonly id: string;
  /** The entity's file, relative to the plan. */
  readonly file: string;
  readonly type: string;
  /** Empty if everything already had the wanted value. */
  readonly changes: readonly Change[];
  readonly document: Editable;
}

/**
 * Makes the same change in one entity or several: all of it or nothing. The caller holds the plan's
 * lock.
 *
 * @param isPreview Writes nothing.
 * @throws {RefraktError} `NOT_FOUND`; `VALIDATION_ERROR` for invalid values; `CONFLICT` if the
 * condition does not hold, or if a file has conflict markers, shares its id, or changes during
 * every try.
 */
export async function editEntities(
  place: PlanPlace,
  ids: readonly string[],
  change: EntityChange,
  isPreview = false,
): Promise<ChangedEntity[]> {
  if (ids.length > 1) {
    const state = await place.store.read(place.signal);
    const unknown = ids.filter((id) => state.allOf(state.spelled(id)).length === 0);
    // A single one may be moved just now: its edit waits for it.
    if (unknown.length > 1) throw unknownEntity(place.store, ...unknown);
  }
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (tries > 0) await pause();
    const found = new Map<string, Edited>();
    let isBusy = false;
    for (const id of ids) {
      place.signal.throwIfAborted();
      const edited = await (ids.length > 1
        ? ofOne(id, () => edit(place, id, change))
        : edit(place, id, change));
      if (edited === undefined) isBusy = true;
      else found.set(edited.id, edited);
    }
    if (tries === 0) place.store.sweep();
    // An editor is writing one of them.
    if (isBusy) continue;
    const all = [...found.values()];
    if (isPreview || writeUnlessChanged(all.flatMap(({ writes }) => writes)) === undefined) {
      return all;
    }
  }
  throw keepsChanging(ids.join(", "));
}

/** Names the entity in an error about one of several. */
export async function ofOne<Value>(
  id: string,
  work: () => Promise<Value>,
  isNamed = (message: string) => message.includes(id),
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefraktError) || isNamed(error.message)) throw error;
    const { code, message, hint = "", data } = error;
    const isSaid = /nothing was written/i.test(hint);
    throw new RefraktError(code, `${word(id)}: ${message}`, {
      hint: isSaid ? hint : `Nothing was written. ${hint}`.trim(),
      cause: error,
      ...(data === undefined ? {} : { data }),
    });
  }
}

/** An edit that is not written yet. */
interface Edited extends ChangedEntity {
  /** Its file, if it changes, and those of others. */
  readonly writes: readonly FileWrite[];
}

/** Returns `undefined` while another program writes the file. */
async function edit(
  place: PlanPlace,
  id: string,
  { edits, condition = {}, ...change }: EntityChange,
): Promise<Edited | undefined> {
  const { store, plugin, signal } = place;
  const entity = await onlyEntity(store, id, signal);
  const seen = readIfThere(store.folder, store.path(entity.file));
  const before = seen && documentOf(entity, read(seen.text));
  if (seen === undefined || before === undefined) return undefined;
  // What came back as it was shown keeps its bytes.
  const old = before.entity.attributes;
  const isNew = ([name, value]: readonly [string, string]) =>
    !hasHidden(old[name] ?? "") || !isShownAs(value, old[name]!);
  const attributes = Object.fromEntries(Object.entries(change.attributes).filter(isNew));
  checkAttributes(attributes);
  checkVocabulary(entity.type, attributes, plugin.vocabulary);
  requireCondition(before, condition, plugin.vocabulary);
  const { document, changes } = editDocument(before, attributes, spelledIn(store, edits));
  const { id: written, file, type } = entity;
  const others = newDependencies(place, written, change);
  const blocks = others.map(({ name }) => ({ field: "blocks", old: "", new: name }));
  const own = { seen, text: document.source, isWhole: completenessTest(before) };
  return {
    id: written,
    file,
    type,
    changes: [...changes, ...blocks],
    document,
    writes: [...document.source === seen.text ? [] : [own], ...others],
  };
}

function keepsChanging(id: string): RefraktError {
  return new RefraktError("CONFLICT", `The file of ${word(id)} keeps changing`, {
    hint: `It changed during each of ${MAX_TRIES} tries, and nothing was written. ` +
      "Call again when the other writer has finished.",
  });
}

/** Returns `undefined` if the text does not contain the entity. */
function documentOf({ id, type, file }: Entity, document: Document): Editable | undefined {
  if (document.conflict !== undefined) throw markersError(id, file, document.conflict);
  const { entity } = document;
  return entity?.type === type && entity.id === id ? editable(document) : undefined;
}

/** Returns a test for a complete text, unless the entity itself is unclosed. */
function completenessTest({ entity }: Editable): ((text: string) => boolean) | undefined {
  if (entity.unclosed !== undefined) return undefined;
  return (text) => {
    const found = read(text).entity;
    return found !== undefined && found.unclosed === undefined;
  };
}

/** Returns the only entity with an id; waits for an editor that is saving. */
async function onlyEntity(store: PlanStore, id: string, signal: AbortSignal): Promise<Entity> {
  const wasThere = store.last().allOf(id).length > 0;
  const until = Date.now() + GONE_MS;
  let found = await store.allOf(id, signal);
  const named = () => store.last().files.filter(({ file }) => file.includes(id));
  // A writer may empty or move the file before it writes the new one.
  while (found.length === 0 && (wasThere || named().some(({ isEmpty }) => isEmpty))) {
    if (Date.now() > until) break;
    await pause();
    found = await store.allOf(id, signal);
  }
  if (found.length > 1) throw duplicateError(id, found);
  if (found.length === 1) return found[0]!;
  for (const { file, contents: { conflict } } of named()) {
    if (conflict !== undefined) throw markersError(id, file, conflict);
  }
  throw unknownEntity(store, id);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
}

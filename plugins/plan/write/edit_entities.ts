/**
 * Changes entities, all of them or none: reads their files, edits them, and writes them if nobody
 * has changed one since; otherwise starts again.
 */

import { hasHidden, isShownAs, word } from "../../../src/plain_text.ts";
import { RefraktError } from "../../../src/errors.ts";
import type { SeenFile } from "../../../src/io/shared_files.ts";
import { type FileWrite, readIfThere, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { read } from "../entity/document.ts";
import type { Entity } from "../entity/entity.ts";
import { checkAttributes, validationError } from "../entity/values.ts";
import { entityOfText, lastPlan, openPlan, type PlanView } from "../queries/access.ts";
import type { PlanStore } from "../store/mod.ts";
import type { PlanPlace } from "../store/place.ts";
import type { Plan } from "../store/plan.ts";
import { duplicateError, markersError, unknownEntity } from "../store/problems.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import { type Condition, requireCondition } from "./condition.ts";
import { checkDependencies, type NewDependencies, type NewEntities } from "./dependency_check.ts";
import { type Edit, type Editable, editable, editDocument } from "./edits.ts";
import { dependencyEdits } from "./edits/dependencies.ts";
import { setAttributes } from "./edits/tag.ts";

/** How often a change is tried while others write the same file. */
const EDIT_TRIES = 12;
/** The longest pause before the next try. */
const EDIT_PAUSE_MS = 15;
/** How long to wait for a writer that has emptied or moved a file. */
const GONE_MS = 500;

/** The changes of one entity: attributes first, and dependencies last. */
export interface EntityChange extends NewDependencies {
  readonly id: string;
  /** The dependencies that it loses. */
  readonly independentOf?: readonly string[] | undefined;
  /** An empty value removes the attribute. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  readonly edits?: readonly Edit[] | undefined;
  readonly condition?: Condition | undefined;
}

/** An edited entity; its texts are equal if everything already had the wanted value. */
export interface ChangedEntity {
  /** The id as the plan writes it. */
  readonly id: string;
  /** The entity's file, relative to the plan. */
  readonly file: string;
  readonly type: string;
  readonly before: Editable;
  readonly document: Editable;
}

/** Edited files that are not written yet, by their paths. */
export type PendingFiles = Map<string, FileWrite & ChangedEntity>;

/**
 * Changes entities. The caller holds the plan's lock.
 *
 * @param changesIn The changes, from the plan as it is when they are made.
 * @param isPreview Writes nothing.
 * @returns The entities in the order of their changes, each once, with those that they block.
 * @throws {RefraktError} `NOT_FOUND`; `VALIDATION_ERROR` for invalid values; `CONFLICT` if the
 * condition does not hold, or if a file has conflict markers, shares its id, or changes during
 * every try.
 */
export async function editEntities(
  place: PlanPlace,
  changesIn: (plan: PlanView) => readonly EntityChange[] | Promise<readonly EntityChange[]>,
  isPreview = false,
): Promise<ChangedEntity[]> {
  let changes: readonly EntityChange[] = [];
  for (let tries = 0; tries < EDIT_TRIES; tries++) {
    if (tries > 0) await pause();
    const pending: PendingFiles = new Map();
    const last = place.store.last();
    changes = await changesIn(await openPlan(place));
    try {
      for (const change of changes) {
        place.signal.throwIfAborted();
        const edit = async () =>
          await editBlocked(place, pending, await editFile(place, pending, change, last), change);
        await (changes.length > 1 ? ofOne(change.id, edit) : edit());
      }
    } catch (error) {
      if (!(error instanceof Error) || error !== BUSY && error.cause !== BUSY) throw error;
      continue;
    }
    place.store.sweep();
    if (isPreview || writeUnlessChanged(writesOf(pending)) === undefined) {
      return [...pending.values()];
    }
  }
  const ids = word(changes.map(({ id }) => id).join(", "));
  throw new RefraktError("CONFLICT", `The file of ${ids} keeps changing`, {
    hint: `It changed during each of ${EDIT_TRIES} tries, and nothing was written. ` +
      "Call again when the other writer has finished.",
  });
}

/** The files of entities that have other texts now. */
export function writesOf(pending: PendingFiles): FileWrite[] {
  return [...pending.values()].filter(({ seen, text }) => text !== seen.text);
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
      data: data!,
    });
  }
}

/** An editor or another program is writing a file. */
const BUSY = new RefraktError("CONFLICT", "Another program is writing the plan", {
  hint: "Nothing was written. Call again when it has finished.",
});

/**
 * Edits the file of an entity, and returns its id.
 *
 * @param last The plan before the latest scan.
 */
async function editFile(
  place: PlanPlace,
  pending: PendingFiles,
  { id: name, attributes = {}, edits = [], dependsOn, independentOf, condition = {} }: EntityChange,
  last?: Plan,
): Promise<string> {
  const { store, plugin, signal } = place;
  const entity = await onlyEntity(store, name, signal, last);
  const { id, type, file } = entity;
  const path = store.path(file);
  const earlier = pending.get(path);
  const seen = earlier?.seen ?? readIfThere(store.folder, path);
  if (seen === undefined) throw BUSY;
  const before = earlier?.document ?? documentOf(entity, seen);
  const values = withoutEchoes(attributes, before);
  checkAttributes(values);
  checkVocabulary(type, values, plugin.vocabulary);
  requireCondition(before, condition, plugin.vocabulary);
  const { spelled } = store.last();
  const others = dependencyEdits(dependsOn?.map(spelled), independentOf?.map(spelled));
  const texts = [...edits, ...others];
  if (before.entity.tag.isSelfClosing && texts.length > 0) {
    const message = "The entity has no text: its tag is self-closing";
    const hint = `Write {% /${type} %} on its own line below the tag and call again.`;
    throw validationError(message, hint);
  }
  const document = editDocument(before, [setAttributes(values), ...texts]);
  const write = {
    seen,
    text: document.source,
    isWhole: before.entity.unclosed === undefined ? isWhole : undefined,
  };
  pending.set(path, { ...write, id, file, type, before: earlier?.before ?? before, document });
  return id;
}

/**
 * Checks new dependencies of an entity, and adds those of others on it.
 *
 * @param id Its id, which may be a new one.
 */
export async function editBlocked(
  place: PlanPlace,
  pending: PendingFiles,
  id: string,
  { dependsOn, blocks = [] }: NewDependencies,
  created?: NewEntities,
): Promise<void> {
  if ((dependsOn ?? []).length + blocks.length === 0) return;
  const plan = lastPlan(place);
  const spelled = (ids: readonly string[] = []) => [...new Set(ids.map(plan.spelled))];
  const change = { dependsOn: spelled(dependsOn), blocks: spelled(blocks) };
  // As the call has edited it so far.
  const find = (name: string) => {
    const entity = plan.find(name);
    const edited = entity && pending.get(place.store.path(entity.file));
    return edited === undefined ? entity : entityOfText(place, edited.document.source, edited.file);
  };
  checkDependencies({ ...plan, find }, id, change, created);
  for (const other of change.blocks) {
    await editFile(place, pending, { id: other, dependsOn: [id] });
  }
}

/** The values without those that came back as they were shown: these keep their bytes. */
function withoutEchoes(values: Readonly<Record<string, string>>, { entity }: Editable) {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const old = entity.attributes[name] ?? "";
      return !hasHidden(old) || !isShownAs(value, old);
    }),
  );
}

function documentOf({ id, type, file, hasId }: Entity, seen: SeenFile): Editable {
  const document = read(seen.text);
  const { conflict, entity } = document;
  if (conflict !== undefined) throw markersError(id, file, conflict);
  if (entity?.type !== type || entity.id !== (hasId ? id : undefined)) throw BUSY;
  return editable(document);
}

function isWhole(text: string): boolean {
  const { entity } = read(text);
  return entity !== undefined && entity.unclosed === undefined;
}

/** Returns the only entity with an id as of the last scan; waits for an editor that is saving. */
async function onlyEntity(store: PlanStore, id: string, signal: AbortSignal, last?: Plan) {
  const plan = store.last();
  const wasThere = last !== undefined && last.allOf(id).length > 0;
  const until = Date.now() + GONE_MS;
  let entities = plan.allOf(plan.spelled(id));
  const filesWithId = () => store.last().files.filter(({ file }) => file.includes(id));
  // A writer may empty or move the file before it writes the new one.
  while (entities.length === 0 && (wasThere || filesWithId().some(({ isEmpty }) => isEmpty))) {
    if (Date.now() > until) break;
    await pause();
    const now = await store.read(signal);
    entities = now.allOf(now.spelled(id));
  }
  if (entities.length > 1) throw duplicateError(id, entities);
  if (entities.length === 1) return entities[0]!;
  for (const { file, parsed: { conflict } } of filesWithId()) {
    if (conflict !== undefined) throw markersError(id, file, conflict);
  }
  throw unknownEntity(store, id);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * EDIT_PAUSE_MS));
}

/** Creates entities, all of them or none, with ids that nobody else has. */

import { quotedName, word } from "../../../src/plain_text.ts";
import { basename } from "node:path";
import { errorsIn, RefraktError, settled, throwJoined } from "../../../src/errors.ts";
import { allOrNone } from "../../../src/io/undo.ts";
import { writeTogether, writeUnlessChanged } from "../../../src/io/write_together.ts";
import { checkId, invalidArguments, validationError } from "../entity/values.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import { placeOf } from "../queries/taken_ids.ts";
import type { PlanPlace } from "../store/place.ts";
import { duplicateError } from "../store/problems.ts";
import { type Draft, draftEntity, nextFreeId } from "./draft.ts";
import { editBlocked, ofOne, type PendingFiles, writesOf } from "./edit_entities.ts";
import { filledIn, type NewEntity, type NewItem } from "./new_entity.ts";

/** How often it is tried if a program without the lock writes the same files or takes the same id. */
const CREATE_TRIES = 5;
/** The longest pause before the second try; later ones are longer. */
const CREATE_PAUSE_MS = 20;

/** Options for creating entities. */
interface Creation {
  /** Ids that are taken outside the working tree, with their places. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Whether a given id that is taken there may be used. */
  readonly isAnyway: boolean;
  /** Is called with the new ids before anything is written; without it, nothing is. */
  readonly need?: ((...ids: string[]) => void) | undefined;
}

/**
 * Creates entities. The caller holds the plan's lock, unless nothing is written.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for invalid values, or if an id or file exists.
 */
export async function createEntities(
  place: PlanPlace,
  planned: readonly NewItem[],
  creation: Creation,
): Promise<Draft[]> {
  const { need } = creation;
  for (let tries = 1;; tries++) {
    const plan = await openPlan(place);
    if (tries === 1 && need !== undefined) place.store.sweep();
    const pending: PendingFiles = new Map();
    const drafts = await draftAll(plan, planned, creation, pending);
    if (need === undefined) return drafts;
    // The name of a milestone is no number that two clones could count to.
    need(...drafts.flatMap(({ id, type }) => type === "milestone" ? [] : id));
    let clash: RefraktError | undefined;
    try {
      return await allOrNone(async () => {
        clash = await writeDrafts(place, drafts, pending);
        if (clash !== undefined) throw clash;
        return drafts;
      });
    } catch (error) {
      const hasChosenId = planned.some(({ id }) => id !== undefined);
      if (error !== clash || hasChosenId || tries >= CREATE_TRIES) throw error;
    }
    // Two such programs must not meet again and again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * tries * CREATE_PAUSE_MS));
  }
}

/** Renders all entities, and edits those that they block. */
async function draftAll(
  plan: PlanView,
  planned: readonly NewItem[],
  { elsewhere, isAnyway, need }: Creation,
  pending: PendingFiles,
): Promise<Draft[]> {
  const each = async (work: (item: NewItem) => void | Promise<void>) => {
    const works: (() => void)[] = [];
    for (const item of planned) {
      const run = async () => await work(item);
      works.push(await settled(() => item.key === "" ? run() : ofOne(item.key, run, () => false)));
    }
    throwJoined(errorsIn(works), "\n");
  };
  const ids = new Map<string, string>();
  const taken = new Map(elsewhere);
  await each(async (item) => {
    const { key, type } = item;
    if (item.id !== undefined) checkId(item.id, type);
    if (item.id !== undefined && need !== undefined) {
      requireFree(plan, item.id, type, isAnyway ? undefined : placeOf(elsewhere, item.id));
    }
    const id = item.id ?? (await nextFreeId(plan, type, taken)).nextId;
    if (ids.values().some((other) => other === id)) {
      const hint = "Nothing was written. Omit one id to get the next free one.";
      throw invalidArguments(`Two items have the id ${word(id)}`, hint);
    }
    ids.set(key, id);
    taken.set(id, "this call");
  });
  const entities = new Map<string, NewEntity>();
  await each((item) => {
    entities.set(ids.get(item.key)!, item.key === "" ? item : filledIn(item, ids));
  });
  const created = new Map(entities.entries().map(([id, { dependsOn = [] }]) => [id, dependsOn]));
  const drafts: Draft[] = [];
  await each(async ({ key }) => {
    const id = ids.get(key)!;
    const entity = entities.get(id)!;
    const draft = await draftEntity(plan, id, entity);
    await editBlocked(plan, pending, id, entity, created);
    drafts.push(draft);
  });
  return drafts;
}

/** Writes new entities; returns the error if another program has taken a file or an id. */
async function writeDrafts(
  { store, signal }: PlanPlace,
  drafts: readonly Draft[],
  pending: PendingFiles,
): Promise<RefraktError | undefined> {
  const { folder } = store;
  const news = drafts.map(({ path, document }) => ({ folder, to: path, text: document.source }));
  const changed = writeUnlessChanged(news);
  if (changed !== undefined) {
    const name = quotedName(basename(changed));
    const hint = "Choose another title, or update the existing entity.";
    return validationError(`File already exists: ${name}`, hint);
  }
  writeTogether(writesOf(pending));
  // A program without the lock may have taken the same id meanwhile.
  const plan = await store.read(signal);
  for (const { id, type, path } of drafts) {
    const other = plan.allOf(plan.spelled(id)).find(({ file }) => store.path(file) !== path);
    if (other !== undefined) return idTaken(id, type, other.file);
  }
  return undefined;
}

/** Requires that nobody has a given id. @param elsewhere Where it is taken outside the plan's files. */
function requireFree(plan: PlanView, id: string, type: string, elsewhere: string | undefined) {
  if (elsewhere !== undefined) throw idTaken(id, type, elsewhere, true);
  const entities = plan.allOf(plan.spelled(id));
  if (entities.length > 1) throw duplicateError(id, entities);
  if (entities.length > 0) throw idTaken(id, type, entities[0]!.file);
}

function idTaken(id: string, type: string, place: string, isElsewhere = false): RefraktError {
  return validationError(
    `The id ${word(id)} already exists: ${place}`,
    type === "milestone"
      ? isElsewhere
        ? "Pass anyway: true to create it here, too; the branches then merge by its text."
        : "Use another name, or update the existing milestone."
      : "Omit id to get the next free one, or update the existing entity.",
  );
}

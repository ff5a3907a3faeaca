/**
 * The one way in which an entity is changed: read, checked by the plugin, edited,
 * compared, and written while the file is what was read; else all of it again.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { isNotFound } from "../../src/io/paths.ts";
import {
  readForChange,
  replaceFile,
  type Replacement,
  type SeenFile,
} from "../../src/io/shared_files.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanPlugin } from "./commands.ts";
import { conflictMarkers } from "./conflicts.ts";
import { type BodyEdit, type Change, type Edit, editText } from "./edits.ts";
import type { ParsedEntity, PlanEntity } from "./entity.ts";
import { unknownEntity } from "./failures.ts";
import { withPlanLock } from "./lock.ts";
import { outlineOf } from "./outline.ts";
import { duplicateError, markersError } from "./store/conflict_errors.ts";
import type { PlanStore } from "./store/mod.ts";
import { sweepTemporaries } from "./store/sweep.ts";
import { checkAttributes } from "./values.ts";
import { verifyEdit } from "./verify.ts";
import { wantedAttributes } from "./wanted_attributes.ts";

/** How often a change is tried while others write the same file. */
const MOST_TRIES = 12;
/** The longest pause before the next try, in milliseconds. */
const PAUSE_MS = 15;
/** How long a writer that has emptied a file may take to fill it, in milliseconds. */
const FILLING_MS = 2000;
/** How long a writer that has moved a file away may take to put the next one there, in milliseconds. */
const GONE_MS = 200;

/** What is to be changed. */
export interface EntityChange {
  /** The plan's directory, absolute. */
  readonly dir: string;
  /** The entity's id, or a milestone's name. */
  readonly id: string;
  /** What to change, in this order; attributes come first. */
  readonly edits: readonly Edit[];
}

/** What was changed. */
export interface ChangedEntity {
  /** The entity's file, relative to the plan. */
  readonly file: string;
  /** Its type. */
  readonly type: string;
  /** The changes; none where everything was so already. */
  readonly changes: readonly Change[];
  /** The entity as the plugin parsed it before. */
  readonly before: ParsedEntity;
  /** The entity as the plugin parses it now. */
  readonly after: ParsedEntity;
  /** How many of its criteria are not ticked, those in code fences and comments left out. */
  readonly openCriteria: number;
}

/**
 * Changes an entity: all of the edits or none.
 *
 * @throws {RefraktError} `NOT_FOUND`, `VALIDATION_ERROR` for what may not be, `CONFLICT` where
 * the file has conflict markers, shares its id, or is changed by others at every try.
 */
export async function editEntity(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  { dir, id, edits }: EntityChange,
): Promise<ChangedEntity> {
  const store = plugin.storeOf(context.cwd, dir);
  const attributes: Record<string, string> = {};
  const body: BodyEdit[] = [];
  for (const edit of edits) {
    if (edit.kind === "attribute") attributes[edit.name] = edit.value;
    else body.push(edit);
  }
  refuseIdentity(attributes);
  checkAttributes(attributes);
  return await withPlanLock(dir, context.signal, async (isHeld) => {
    let overtaken: Overtaken | undefined;
    const filledBy = Date.now() + FILLING_MS;
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        context.signal.throwIfAborted();
        if (tries > 0) await pause();
        const entity = await onlyEntity(store, id, context.signal, filledBy);
        if (tries === 0) sweepTemporaries(store.temporaries(), isHeld);
        const seen = readIfThere(context.cwd, store.path(entity.file));
        if (seen === undefined) continue;
        // What somebody has saved since holds what they had saved before.
        if (seen.text !== overtaken?.ours) overtaken = undefined;
        const source = overtaken?.theirs ?? seen.text;
        const outcome = await attempt(plugin, context, { entity, seen, source, attributes, body });
        if (outcome === undefined) continue;
        if ("written" in outcome) return { file: entity.file, ...outcome.written };
        overtaken = outcome.overtaken ?? overtaken;
      }
      throw new RefraktError("CONFLICT", `Somebody else keeps changing the file of ${id}`, {
        hint:
          `It was another at each of ${MOST_TRIES} tries, and nothing of this change is in it. ` +
          "Call again when the other writer has finished.",
      });
    } catch (error) {
      if (overtaken !== undefined) putBack(context.cwd, overtaken);
      throw error;
    }
  });
}

/** The id is what others refer to the entity by. */
function refuseIdentity(attributes: Readonly<Record<string, string>>): void {
  const name = ["id", "name"].find((name) => Object.hasOwn(attributes, name));
  if (name === undefined) return;
  throw new RefraktError("VALIDATION_ERROR", `Cannot change the "${name}" attribute`, {
    hint: "Others refer to the entity by it. Create a new entity, or change the files by hand.",
  });
}

/** Somebody wrote into the file that we had just replaced. */
interface Overtaken {
  /** The file's real path. */
  readonly path: string;
  /** What we put there. */
  readonly ours: string;
  /** What it would be without us. */
  readonly theirs: string;
}

/** Restores the text of another writer that was replaced for a change that failed in the end. */
function putBack(root: string, { path, ours, theirs }: Overtaken): void {
  let text = theirs;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const seen = readIfThere(root, path);
    // Another save has come since, which is newer.
    if (seen?.text !== ours) return;
    const replaced = replaceFile(seen, text);
    if (replaced.kind !== "overtaken") return;
    [ours, text] = [text, replaced.text];
  }
}

/** The file as it is; `undefined` while an editor that saves by a rename has moved it away. */
function readIfThere(root: string, path: string): SeenFile | undefined {
  try {
    return readForChange(root, path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

interface Attempt {
  readonly entity: PlanEntity;
  readonly seen: SeenFile;
  /** The text that is changed: the file's, or what somebody wrote while it was replaced before. */
  readonly source: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: readonly BodyEdit[];
}

/** One try; `undefined` where the file is in the middle of being written by others. */
async function attempt(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  { entity, seen, source, attributes, body }: Attempt,
): Promise<
  { written: Omit<ChangedEntity, "file"> } | { overtaken: Overtaken | undefined } | undefined
> {
  const before = plugin.parser.parse(source, entity.file);
  refuseConflict(entity, source);
  if (before === null || before.type !== entity.type) return undefined;
  const wanted = await wantedAttributes(plugin, context, { entity: before, seen, attributes });
  const edited = editText(source, wanted.attributes, body);
  const after = verifyEdit({ parser: plugin.parser, syntax: await plugin.syntax() }, {
    source,
    before,
    edited,
    attributes: wanted.attributes,
    edits: body,
  });
  const written = {
    type: before.type,
    changes: [...wanted.changes, ...edited.changes],
    before,
    after,
    openCriteria: outlineOf(edited.text)!.criteria.filter(({ checked }) => !checked).length,
  };
  if (edited.text === seen.text) return { written };
  const isWhole = outlineOf(source)?.isClosed === true
    ? (text: string) => outlineOf(text)?.isClosed === true
    : undefined;
  const replaced: Replacement = replaceFile(seen, edited.text, isWhole);
  if (replaced.kind === "written") return { written };
  return {
    overtaken: replaced.kind === "overtaken"
      ? { path: seen.path, ours: edited.text, theirs: replaced.text }
      : undefined,
  };
}

/** The entity of an id that one file alone has; waits for an editor that is saving. */
async function onlyEntity(
  store: PlanStore,
  id: string,
  signal: AbortSignal,
  filledBy: number,
): Promise<PlanEntity> {
  const file = store.last().allOf(id)[0]?.file;
  const goneBy = file === undefined ? 0 : Date.now() + GONE_MS;
  let found = await store.allOf(id, signal);
  // A writer empties a file before it fills it, or moves it away before there is another.
  while (found.length === 0 && Date.now() < (store.isBeingSaved(id, file) ? filledBy : goneBy)) {
    await pause();
    found = await store.allOf(id, signal);
  }
  if (found.length === 0) {
    const hidden = store.conflictNamed(id);
    if (hidden !== undefined) throw markersError(id, hidden.file, hidden.lines);
    throw unknownEntity(store, id);
  }
  if (found.length === 1) return found[0]!;
  throw duplicateError(id, found.map(({ file }) => file));
}

function refuseConflict({ id, file }: PlanEntity, source: string): void {
  const markers = conflictMarkers(source);
  if (markers !== undefined) throw markersError(id ?? file, file, markers);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
}

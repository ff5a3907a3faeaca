/**
 * The one way in which an entity is changed: read, edited, compared, and written while the file is
 * what was read; else all of it again.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { isNotFound } from "../../src/io/paths.ts";
import { readForChange, replaceFile, type SeenFile } from "../../src/io/shared_files.ts";
import type { McpHandlerContext } from "../../src/tools/plugin.ts";
import type { PlanPlugin } from "./commands.ts";
import { contentOf, type Document, read, sectionNamed } from "./document.ts";
import {
  type BodyEdit,
  type Edit,
  editable,
  editDocument,
  type EditedDocument,
  editsLeft,
} from "./edits.ts";
import type { Change, Editable } from "./edits/splices.ts";
import type { PlanEntity } from "./entity.ts";
import { unknownEntity } from "./failures.ts";
import { withPlanLock } from "./lock.ts";
import { duplicateError, markersError } from "./store/conflict_errors.ts";
import type { PlanStore } from "./store/mod.ts";
import { sweepTemporaries } from "./store/temporary_files.ts";
import { checkAttributes, checkVocabulary } from "./values.ts";

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
  /**
   * The values that attributes, the `title` or sections must have for the change to be made; empty
   * for an unset attribute.
   */
  readonly condition?: Readonly<Record<string, string>>;
}

/** What was changed. */
export interface ChangedEntity {
  /** The entity's file, relative to the plan. */
  readonly file: string;
  /** Its type. */
  readonly type: string;
  /** The changes; none where everything was so already. */
  readonly changes: readonly Change[];
  /** The file as it is now. */
  readonly document: Editable;
}

/**
 * Changes an entity: all of the edits or none.
 *
 * @throws {RefraktError} `NOT_FOUND`, `VALIDATION_ERROR` for what may not be, `CONFLICT` where
 * the condition does not hold, or the file has conflict markers, shares its id, or is changed by
 * others at every try.
 */
export async function editEntity(
  plugin: PlanPlugin,
  context: McpHandlerContext,
  { dir, id, edits, condition = {} }: EntityChange,
): Promise<ChangedEntity> {
  const store = plugin.storeOf(context.cwd, dir);
  const attributes: Record<string, string> = {};
  const body: BodyEdit[] = [];
  for (const edit of edits) {
    if (edit.kind === "attribute") attributes[edit.name] = edit.value;
    else body.push(edit);
  }
  checkAttributes(attributes);
  return await withPlanLock(dir, context.signal, async (isHeld) => {
    let first: EditedDocument | undefined;
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
        // Whatever is saved after our own text replaces what we overwrote.
        if (seen.text !== overtaken?.ours) overtaken = undefined;
        const before = documentOf(entity, read(overtaken?.theirs ?? seen.text));
        // An editor is in the middle of writing it.
        if (before === undefined) continue;
        const required = Object.entries(condition)
          .filter(([name]) => textNamed(before, name) === undefined);
        for (const given of [attributes, Object.fromEntries(required)]) {
          checkVocabulary(entity.type, given, plugin.vocabulary);
        }
        // What the first try wrote may be in the file already.
        if (first === undefined) requireCondition(before, condition, {});
        else requireCondition(before, Object.fromEntries(required), attributes);
        const left = first === undefined ? body : editsLeft(first.steps, before.text);
        const made = editDocument(before, attributes, left);
        const { document } = made;
        const { changes } = first ?? made;
        const written = { file: entity.file, type: entity.type, changes, document };
        if (document.text === seen.text) return written;
        const replaced = replaceFile(seen, document.text, wholeLike(before));
        if (replaced.kind === "written") return written;
        if (replaced.kind === "changed") continue;
        overtaken = { path: seen.path, ours: document.text, theirs: replaced.text };
        first ??= made;
      }
      throw new RefraktError("CONFLICT", `The file of ${id} keeps changing`, {
        hint: `It changed during each of ${MOST_TRIES} tries, and nothing was written. ` +
          "Call again when the other writer has finished.",
      });
    } catch (error) {
      if (overtaken !== undefined) putBack(context.cwd, overtaken);
      throw error;
    }
  });
}

/** The document of an entity; `undefined` where the text holds no such entity. */
function documentOf({ id, type, file }: PlanEntity, document: Document): Editable | undefined {
  if (document.conflict !== undefined) throw markersError(id ?? file, file, document.conflict);
  return document.entity?.type === type ? editable(document) : undefined;
}

/** Tells a whole text of another writer from the beginning of one. */
function wholeLike({ entity }: Editable): ((text: string) => boolean) | undefined {
  if (entity.unclosed !== undefined) return undefined;
  return (text) => {
    const found = read(text).entity;
    return found !== undefined && found.unclosed === undefined;
  };
}

/** The title or a section; `undefined` for an attribute. */
function textNamed(document: Editable, name: string): string | undefined {
  const { attributes, title } = document.entity;
  if (Object.hasOwn(attributes, name)) return undefined;
  if (name === "title") return title?.text ?? "";
  const section = sectionNamed(document.entity, name);
  return section && contentOf(document, section.content).replaceAll("\r\n", "\n");
}

/** Refuses a change whose condition does not hold. */
function requireCondition(
  document: Editable,
  condition: Readonly<Record<string, string>>,
  made: Readonly<Record<string, string>>,
): void {
  const { id, attributes } = document.entity;
  const current = Object.fromEntries(
    Object.keys(condition)
      .map((name) => [name, textNamed(document, name) ?? attributes[name] ?? ""]),
  );
  const others = Object.entries(current)
    .filter(([name, value]) => value !== condition[name] && value !== made[name]);
  if (others.length === 0) return;
  const told = others.map(([name, value]) =>
    textNamed(document, name) === undefined
      ? `${name} is ${JSON.stringify(value)}, not ${JSON.stringify(condition[name])}`
      : `${JSON.stringify(name)} has another text`
  );
  throw new RefraktError("CONFLICT", `${id} was changed: ${told.join(", ")}`, {
    hint: "Nothing was written. Read it again with plan.get, and decide anew.",
    data: { current },
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

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
}

/**
 * Creates an entity from the plugin's template, with checked id, title and attributes, and checks
 * that the file parses as requested.
 */

import { quotedName, word } from "../../../src/plain_text.ts";
import { basename, dirname, join } from "node:path";
import { errorsIn, RefraktError, throwJoined } from "../../../src/errors.ts";
import { createFile, removeCreated } from "../../../src/io/shared_files.ts";
import { newPath } from "../../../src/io/write_folder.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import { contentOf, DESCRIPTION, read } from "../entity/document.ts";
import { lineEndsOf } from "../entity/lookup.ts";
import { type Edit, editable, editDocument, spelledIn } from "./edits.ts";
import type { Editable } from "./edits/splices.ts";
import { planFailure } from "../store/failures.ts";
import { placeOf } from "../queries/elsewhere.ts";
import type { Plan } from "../store/plan.ts";
import { withScan } from "../upstream/load.ts";
import { duplicateError } from "../store/problems.ts";
import { type FileWrite, writeTogether } from "../../../src/io/write_together.ts";
import { checkAttributes, checkId, checkTitle } from "../entity/values.ts";
import type { PlanPlace } from "../store/place.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";

/** How often another id is tried if a program without the lock takes the same one. */
const MOST_TRIES = 5;
/** The longest pause before the second try; later ones are longer. */
const PAUSE_MS = 20;

/** The requested entity. */
export interface NewEntity {
  readonly type: string;
  readonly title: string;
  readonly id?: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly edits: readonly Edit[];
  /** Whether the texts are complete: other parts of the template are left out. */
  readonly isComplete?: boolean;
  /** Ids that are taken outside the working tree, with their places. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Is called with the id before anything is written. */
  readonly need?: ((id: string) => void) | undefined;
  /** Whether an id that is taken elsewhere may be used. */
  readonly isAnyway?: boolean;
  /** The other files that are written with it, by its id. */
  readonly others?: (id: string) => readonly FileWrite[];
}

/** The created entity. */
export interface CreatedEntity {
  readonly id: string;
  readonly type: string;
  readonly path: string;
  /** The plugin's template before the edits. */
  readonly template: Editable;
  readonly document: Editable;
}

/**
 * Creates an entity. The caller holds the plan's lock.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for invalid values, or if the id or file exists.
 */
export async function createEntity(
  place: PlanPlace,
  wanted: NewEntity,
): Promise<CreatedEntity> {
  const { store, signal } = place;
  const known = placeOf(wanted.elsewhere, wanted.id ?? "");
  if (known !== undefined && wanted.isAnyway !== true) throw idTaken(wanted, known, true);
  for (let tries = 1;; tries++) {
    await store.entities(signal);
    if (tries === 1) store.sweep();
    const taken = wanted.id === undefined ? [] : await store.allOf(wanted.id, signal);
    if (taken.length > 1) throw duplicateError(wanted.id!, taken);
    if (taken.length > 0) throw idTaken(wanted, taken[0]!.file);
    const made = await draftEntity(place, wanted);
    wanted.need?.(made.id);
    const others = wanted.others?.(made.id) ?? [];
    if (createFile(store.folder, made.path, made.document.source)) {
      // A program without the lock may have taken the same id meanwhile.
      const same = await store.allOf(made.id, signal);
      if (same.length <= 1) {
        try {
          writeTogether(others);
          return made;
        } catch (error) {
          removeCreated(store.folder, made.path, made.document.source);
          throw error;
        }
      }
      removeCreated(store.folder, made.path, made.document.source);
      const other = same.find(({ file }) => store.path(file) !== made.path);
      if (wanted.id !== undefined || tries >= MOST_TRIES) {
        throw idTaken({ ...wanted, id: made.id }, other?.file ?? "another program creates it");
      }
      // Two such programs must not meet again and again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * tries * PAUSE_MS));
    } else if (wanted.id !== undefined || tries >= MOST_TRIES) {
      throw new RefraktError(
        "VALIDATION_ERROR",
        `File already exists: ${quotedName(basename(made.path))}`,
        {
          hint: "Choose another title, or update the existing entity.",
        },
      );
    }
  }
}

/** Renders the entity without writing it: the plugin's template with the edits. */
export async function draftEntity(
  { plugin, context, dir, store }: PlanPlace,
  { type, title: given, id, attributes, edits, isComplete = false, elsewhere }: NewEntity,
): Promise<CreatedEntity> {
  throwJoined(errorsIn([
    () => checkTitle(given),
    () => checkAttributes(attributes),
    () => checkVocabulary(type, attributes, plugin.vocabulary),
    () => checkNewId(id, type),
  ]));
  const title = withoutName(checkTitle(given), id);
  let template: { path: string; text: string } | undefined;
  let result: { id: string; type: string };
  const input = { type, title, dir, attrs: attributes, ...(id === undefined ? {} : { id }) };
  try {
    result = await withInterceptor(
      {
        folder: store.folder,
        write: (path, text) => {
          if (path.endsWith(".md")) template = { path, text };
        },
      },
      () =>
        withScan(
          () =>
            id === undefined
              ? store.numbered(elsewhere)
              : [...store.last().entities, ...store.reserved()],
          () => plugin.original<typeof result>("create")(input, context),
        ),
    );
  } catch (error) {
    throw planFailure("create", error, store);
  }
  if (template === undefined) throw new TypeError("plan_create wrote no entity");
  const name = type === "milestone"
    ? join(dirname(template.path), `${result.id}.md`)
    : namedPath(template.path, title);
  const path = newPath(store.folder, name);
  const fit = lineEndsOf(isMostlyCrlf(store.last()) ? "\r\n" : "\n");
  // The heading of a milestone begins with its name.
  const text = title === id
    ? template.text.replace(`# ${id} — ${title}`, () => `# ${title}`)
    : template.text;
  const before = editable(read(fit(text)));
  const { entity } = before;
  const isAsked = entity.id !== undefined && entity.id === (id ?? entity.id) &&
    entity.unclosed === undefined &&
    Object.keys(attributes).every((name) => (entity.attributes[name] ?? "") === attributes[name]);
  if (!isAsked) {
    throw new RefraktError("VALIDATION_ERROR", "The entity would not parse as requested", {
      hint: "Nothing was written. Use simpler values.",
    });
  }
  const { document: filled } = editDocument(before, {}, spelledIn(store, edits));
  const left = isComplete ? placeholdersIn(filled, before) : [];
  const { document } = editDocument(
    filled,
    {},
    left.map((heading) => ({ kind: "section", heading, text: "" })),
  );
  return { id: result.id, type: result.type, path, template: before, document };
}

function checkNewId(id: string | undefined, type: string): void {
  if (id !== undefined) checkId(id, type);
  else if (type === "milestone") {
    throw new RefraktError("INVALID_ARGS", '"id": required for a milestone', {
      hint: "Give its name, such as v1.2.0.",
    });
  }
}

/** Returns the sections that are still as in the template. */
export function placeholdersIn(document: Editable, template: Editable): string[] {
  const partsOf = (one: Editable) =>
    one.entity.sections.map((section) => [section.name, contentOf(one, section.content)] as const)
      .filter(([name, text]) => name !== DESCRIPTION || text !== "");
  const before = new Map(partsOf(template));
  return partsOf(document).filter(([name, text]) => before.get(name) === text)
    .map(([name]) => name);
}

/** A title without the id that is written before it anyway. */
function withoutName(title: string, id: string | undefined): string {
  if (id === undefined) return title;
  const name = `${RegExp.escape(id)}[\\s:\u2013\u2014][\\s:\u2013\u2014-]*`;
  return title.replace(new RegExp(`^(?:${name})+`, "i"), "") || title;
}

/**
 * Returns the path of a new entity. The plugin's slugs keep only Latin letters; other titles would
 * leave the name empty.
 */
function namedPath(path: string, title: string): string {
  if (!/(?:^|[-/\\])\.md$/.test(path)) return path;
  const slug = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return path.replace(/\.md$/, () => `${slug.slice(0, 60) || "untitled"}.md`);
}

function idTaken({ id, type }: NewEntity, place: string, isElsewhere = false): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `The id ${word(id!)} already exists: ${place}`, {
    hint: type === "milestone"
      ? isElsewhere
        ? "Pass anyway: true to create it here, too; the branches then merge by its text."
        : "Use another name, or update the existing milestone."
      : "Omit id to get the next free one, or update the existing entity.",
  });
}

/** Whether most files of a plan have CRLF line ends, so that a new one should have them. */
function isMostlyCrlf({ files }: Plan): boolean {
  return files.filter(({ isCrlf }) => isCrlf).length * 2 > files.length;
}

/** Changes an entity's id in its tag, its file name and all references. */

import { quotedName } from "../../../src/plain_text.ts";
import { basename, dirname, join } from "node:path";
import { RefraktError } from "../../../src/errors.ts";
import { readIfExists, SIZE_LIMITS } from "../../../src/io/read.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { type Document, nameChanger, read } from "../entity/document.ts";
import { editDocument } from "./edits.ts";
import type { PlanView } from "../queries/access.ts";
import { markersError } from "../store/problems.ts";
import { type FileWrite, writeTogether } from "../../../src/io/write_together.ts";

/**
 * Renumbers the entity of a file. If other files have the same id, references stay unchanged, because
 * they are ambiguous.
 *
 * @param to A free id. The caller holds the plan's lock.
 * @returns The file, and the other files with changed references, relative to the plan.
 * @throws {RefraktError} `CONFLICT` for conflict markers or a concurrent change, `VALIDATION_ERROR` if
 * a text would parse differently. Nothing is written then.
 */
export async function renumber(
  plan: PlanView,
  id: string,
  file: string,
  to: string,
) {
  const isShared = plan.allOf(id).length > 1;
  const path = plan.store.path(file);
  const name = basename(file);
  const renameId = nameChanger(id, to);
  const newName = name.startsWith(`${id}-`) ? `${to}${name.slice(id.length)}` : renameId(name);
  const rename = (text: string) => renameId(text.replaceAll(name, () => newName));
  const hide = withPlaceholders([[name, newName], [id, to]]);
  const writes = new Map<string, FileWrite & { readonly file: string }>();
  const readable = plan.files.filter(({ unreadable }) => unreadable === undefined);
  const files = isShared ? [file] : readable.map((one) => one.file);
  const turn = turnTaker(plan.signal);
  for (const one of files) {
    await turn();
    const text = readIfExists(plan.cwd, plan.store.path(one), "plan");
    if (text === null || rename(text) === text) continue;
    const seen = readForChange(plan.store.folder, plan.store.path(one));
    const changed = isShared
      ? editDocument(read(seen.text), [{ kind: "attributes", values: { id: to } }]).source
      : withReferences(one, seen.text, rename, hide);
    // Links keep their names, and so do their targets.
    const isMoved = one === file && name !== newName && seen.path === path;
    const move = isMoved ? { to: join(dirname(path), newName) } : {};
    writes.set(seen.path, { file: one, seen, text: changed, ...move });
  }
  const all = [...writes.values()];
  writeTogether(all);
  const isMoved = all.some((write) => write.to !== undefined);
  return {
    file: isMoved ? file.slice(0, -name.length) + newName : file,
    changed: all.flatMap((write) => write.file === file ? [] : write.file),
  };
}

/**
 * Renames references in a text, and checks that it parses as before, with placeholders for the old
 * and new names.
 */
function withReferences(
  file: string,
  source: string,
  rename: (text: string) => string,
  hide: (text: string) => string,
): string {
  const before = read(source);
  if (before.conflict !== undefined) {
    throw markersError(before.entity?.id ?? file, file, before.conflict);
  }
  const text = rename(source);
  if (new TextEncoder().encode(text).length > SIZE_LIMITS.plan) {
    throw rejected(`make ${quotedName(file)} larger than ${SIZE_LIMITS.plan} bytes`);
  }
  if (meaningOf(read(text), hide) !== meaningOf(before, hide)) {
    throw rejected(`change how ${quotedName(file)} parses`);
  }
  return text;
}

function rejected(what: string): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `Renaming references would ${what}`, {
    hint: "Nothing was written. Change its references by hand.",
  });
}

/** Returns a function that hides the old and new names, wherever they occur. */
function withPlaceholders(pairs: readonly (readonly [string, string])[]) {
  // A longer name may contain a shorter one.
  const names = pairs.flatMap((pair, index) => pair.map((name) => ({ name, mark: `\0${index}` })))
    .sort((a, b) => b.name.length - a.name.length);
  return (text: string): string =>
    names.reduce((left, { name, mark }) => left.split(name).join(mark), text);
}

/** What two versions of a document must have in common. */
function meaningOf(
  { entity, further, conflict, entityTags }: Document,
  hide: (text: string) => string,
): string {
  const said = {
    further,
    conflict,
    entityTags,
    type: entity?.type,
    id: entity?.id,
    attributes: entity?.attributes,
    title: entity?.title?.text,
    sections: entity?.sections.map(({ name, level, locked }) => [name, level, locked]),
    criteria: entity?.criteria.map(({ text, checked, section }) => [text, checked, section]),
    errors: entity?.errors.map(({ line, message }) => [line, message]),
    unclosed: entity?.unclosed?.kind,
  };
  return JSON.stringify(said, (_key, value) => typeof value === "string" ? hide(value) : value);
}

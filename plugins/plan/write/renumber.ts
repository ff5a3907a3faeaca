/** Changes an entity's id in its tag, its file name and all references. */

import { basename, dirname, join } from "node:path";
import { RefraktError } from "../../../src/errors.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { readInside } from "../../../src/io/read.ts";
import { readForChange } from "../../../src/io/shared_files.ts";
import type { Document } from "../entity/document.ts";
import { isNamedIn, read, withName } from "../entity/document.ts";
import { editDocument } from "./edits.ts";
import type { PlanView } from "../queries/access.ts";
import { markersError } from "../store/problems.ts";
import { inSlices } from "../store/slices.ts";
import { type FileWrite, writeTogether } from "./write_together.ts";

export interface Renumbered {
  readonly file: string;
  /** The other files with changed references, relative to the plan. */
  readonly changed: readonly string[];
  /** How many other texts still contain the old id. */
  readonly stillNamed: number;
}

/**
 * Renumbers the entity of a file. If other files have the same id, references stay unchanged, because
 * they are ambiguous.
 *
 * @param to A free id. The caller holds the plan's lock.
 * @throws {RefraktError} `CONFLICT` for conflict markers or a concurrent change, `VALIDATION_ERROR` if
 * a text would parse differently. Nothing is written then.
 */
export async function renumber(
  plan: PlanView,
  id: string,
  file: string,
  to: string,
): Promise<Renumbered> {
  const isShared = plan.state.allOf(id).length > 1;
  const path = plan.store.path(file);
  const name = basename(file);
  const newName = name.startsWith(`${id}-`)
    ? `${to}${name.slice(id.length)}`
    : withName(name, id, to);
  const rename = (text: string) => withName(text.replaceAll(name, newName), id, to);
  const writes = new Map<string, FileWrite & { readonly file: string }>();
  let stillNamed = 0;
  await inSlices(function* () {
    for (const { file: one, unreadable } of plan.state.files) {
      yield;
      const text = unreadable === undefined ? textIfThere(plan, one) : undefined;
      if (text === undefined || rename(text) === text) continue;
      if (isShared && one !== file) {
        const { text: said, entity } = read(text);
        if (isNamedIn(entity?.id === id ? said.slice(entity.tag.end) : said, id)) stillNamed++;
        continue;
      }
      const seen = readForChange(plan.cwd, plan.store.path(one));
      const changed = isShared ? withId(seen.text, to) : withReferences(one, seen.text, rename);
      // Links keep their names, and so do their targets.
      const isMoved = one === file && name !== newName && seen.path === path;
      const move = isMoved ? { to: join(dirname(path), newName) } : {};
      writes.set(seen.path, { file: one, seen, text: changed, ...move });
    }
  }());
  const all = [...writes.values()];
  writeTogether(all);
  const isMoved = all.some((write) => write.to !== undefined);
  return {
    file: isMoved ? file.slice(0, -name.length) + newName : file,
    changed: all.flatMap((write) => write.file === file ? [] : write.file),
    stillNamed,
  };
}

function textIfThere({ cwd, store }: PlanView, file: string): string | undefined {
  try {
    return readInside(cwd, store.path(file), "plan");
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function withId(source: string, to: string): string {
  return editDocument(read(source), { id: to }, []).document.source;
}

/** Renames references in a text, and checks that it still parses the same. */
function withReferences(file: string, source: string, rename: (text: string) => string): string {
  const before = read(source);
  if (before.conflict !== undefined) {
    throw markersError(before.entity?.id ?? file, file, before.conflict);
  }
  const text = rename(source);
  if (meaningOf(read(text)) === meaningOf(before, rename)) return text;
  throw new RefraktError(
    "VALIDATION_ERROR",
    `Renaming references would change how ${file} parses`,
    {
      hint: "Nothing was written. Change its references by hand.",
    },
  );
}

/** What two versions of a document must have in common. */
function meaningOf(
  { entity, further, conflict, entityTags }: Document,
  change: (text: string) => string = (text) => text,
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
  return JSON.stringify(said, (_key, value) => typeof value === "string" ? change(value) : value);
}

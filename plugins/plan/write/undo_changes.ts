/** Takes back what an author has changed, or what has happened to entities, also if it is committed. */

import { join } from "node:path";
import { RefraktError } from "../../../src/errors.ts";
import { exists, shownPath } from "../../../src/io/paths.ts";
import {
  type FileWrite,
  type NewFile,
  readIfThere,
  writeTogether,
} from "../../../src/io/write_together.ts";
import { plainOf, read } from "../entity/document.ts";
import { openPlan, type PlanView } from "../queries/access.ts";
import {
  type AuthoredChange,
  type Changes,
  describeTexts,
  readChanges,
  type Run,
  runsOf,
} from "../queries/changes.ts";
import { unknownEntity } from "../store/failures.ts";
import { type PlanPlace, withPlanLock } from "../store/place.ts";
import { freeingClaims } from "./free_claims.ts";
import { type Disagreement, mergeEntity } from "./merge/merge_entity.ts";

/** Which changes are taken back: those of entities, of an author, or both. */
export interface UndoAsked {
  readonly ids?: readonly string[] | undefined;
  readonly by?: string | undefined;
  readonly since: string;
}

/** What was taken back in a file. */
export interface Undone {
  readonly id: string;
  readonly file: string;
  /** What has changed by it; empty if nothing has. */
  readonly text: string;
  /** What stays, because somebody has changed it since. */
  readonly left?: string[] | undefined;
}

/** Takes changes of this checkout back by new changes of its files; git is not asked to write. */
export async function undoChanges(
  place: PlanPlace,
  asked: UndoAsked,
  isPreview: boolean,
): Promise<{ files: string[]; entities: Undone[]; warnings: string[] }> {
  return await withPlanLock(place, async () => {
    const plan = await openPlan(place);
    const found = await readChanges(plan, { since: asked.since, workingTree: true });
    const files = chosenFiles(plan, found, asked);
    const undone = [...files].map(([file, changes]) => undoFile(plan, found, file, changes));
    const writes = undone.flatMap(({ write }) => write ?? []);
    const { staying } = await freeingClaims(place.context, () => {
      if (!isPreview) writeTogether(writes);
    });
    return {
      files: undone.flatMap(({ write, entity }) => write === undefined ? [] : entity.file),
      entities: undone.map(({ entity }) => entity),
      warnings: [...found.warnings, ...staying],
    };
  });
}

/** The changes to take back, by file. */
function chosenFiles(
  plan: PlanView,
  { changes }: Changes,
  { ids, by, since }: UndoAsked,
): Map<string, AuthoredChange[]> {
  const fileOf = (id: string) => {
    const item = plan.find(id);
    const spelled = (event: AuthoredChange["event"]) =>
      event.id?.toLowerCase() === id.toLowerCase();
    return item?.entity.file ?? changes.findLast(({ event }) => spelled(event))?.event.file;
  };
  const unknown = (ids ?? []).filter((id) => fileOf(id) === undefined);
  if (unknown.length > 0) throw unknownEntity(plan.store, ...unknown);
  const wanted = ids && new Set(ids.map(fileOf));
  const chosen = changes.filter((change) =>
    (wanted === undefined || wanted.has(change.event.file)) &&
    (by === undefined || change.by.toLowerCase() === by.toLowerCase())
  );
  const files = Map.groupBy(chosen, ({ event }) => event.file ?? "");
  if (files.size > 0) return files;
  const names = [...new Set(changes.map((change) => change.by).filter(Boolean))].sort();
  const of = [ids && `of ${ids.join(", ")}`, by && `by ${by}`].filter(Boolean).join(" ");
  throw new RefraktError("NOT_FOUND", `No changes ${of} since ${since}`, {
    hint: names.length === 0
      ? "Nothing has changed since then; an earlier since reaches further back."
      : `Changes since then are by ${names.slice(0, 8).join(", ")}: plan.history ` +
        `${JSON.stringify({ since, workingTree: true, summary: true })} lists them.`,
  });
}

/** Undoes changes of one file, the newest first. */
function undoFile(
  { cwd, dir, items }: PlanView,
  { texts }: Changes,
  file: string,
  changes: readonly AuthoredChange[],
): { entity: Undone; write: FileWrite | NewFile | undefined } {
  const path = join(dir, file);
  const seen = readIfThere(cwd, path);
  const left: string[] = [];
  const now = seen?.text ?? null;
  let text = now;
  for (const run of runsOf(changes).toReversed()) text = withoutRun(text, run, texts, left);
  const name = changes.find(({ event }) => event.renamedFrom !== undefined)?.event.renamedFrom;
  const before = name === undefined || text === null ? undefined : join(dir, name);
  const isSameFolder = before !== undefined && join(before, "..") === join(path, "..");
  const to = isSameFolder && seen !== undefined && !exists(before) ? before : undefined;
  if (before !== undefined && to === undefined) left.push("the file's name");
  const id = items.find(({ entity }) => entity.file === file)?.id ?? changes.at(-1)!.event.id;
  const isSame = text === now && to === undefined;
  return {
    entity: {
      id: id ?? file,
      file: shownPath(cwd, path),
      text: isSame ? "" : describeTexts(now, text, to && file),
      left: left.length === 0 ? undefined : [...new Set(left)],
    },
    write: isSame
      ? undefined
      : seen === undefined
      ? { root: cwd, to: path, text: text! }
      : { seen, text, ...to === undefined ? {} : { to } },
  };
}

/** A text without what a run of changes did to it, as far as it still is as the run left it. */
function withoutRun(
  text: string | null,
  { from, to }: Run,
  texts: Changes["texts"],
  left: string[],
): string | null {
  const [before, after] = [from, to].map((blob) => blob === undefined ? null : texts.get(blob)!);
  if (before === "" || after === "") {
    left.push("versions that git lacks");
    return text;
  }
  if (text === after) return before!;
  if (text === null || before === null || after === null) {
    left.push(
      text === null
        ? "the entity, which was removed since"
        : before === null
        ? "the entity, which was changed since it was created"
        : "the entity, which exists again",
    );
    return text;
  }
  if (plainOf(text) === plainOf(after!)) return writtenAs(text, before!);
  const sides = { base: plainOf(after!), ours: plainOf(text), theirs: plainOf(before!) };
  const { disagreements } = mergeEntity(sides);
  const attributes = Object.fromEntries(
    disagreements.flatMap(({ kind, name, ours }) => kind === "attribute" ? [[name, ours]] : []),
  );
  const stays = { attributes, criteria: "ours", sections: "ours", rest: "ours" } as const;
  const { source } = mergeEntity(sides, stays);
  left.push(...disagreements.map(nameOf));
  const [was, is] = [read(sides.ours).entity, read(source).entity];
  if (was !== undefined && (is?.id !== was.id || is?.type !== was.type)) {
    left.push("the text, which would not be valid");
    return text;
  }
  return writtenAs(text, source);
}

/** A text with the line ends and the byte order mark of another. */
function writtenAs(model: string, text: string): string {
  const plain = plainOf(text);
  const lines = /\r\n/.test(model) ? plain.replaceAll("\n", "\r\n") : plain;
  return `${model.startsWith("\uFEFF") ? "\uFEFF" : ""}${lines}`;
}

function nameOf({ kind, name }: Disagreement): string {
  return kind === "attribute" ? name : kind === "criteria" ? `criteria in ${name}` : name;
}

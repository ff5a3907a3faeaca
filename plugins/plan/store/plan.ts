/** A plan: its files at one time, of the working tree or of a commit, and what follows from them. */

import { meantBy } from "../../../src/plain_text.ts";
import { type Entity, listed, type PlanFile } from "../entity/entity.ts";
import { isFinished, isTask } from "../entity/lifecycle.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { type Pointer, pointersAmong, type Wait, waitsOf } from "./relations.ts";

/** A folder or file that could not be read; the path is empty for the plan itself. */
export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

export interface Plan {
  /** Every Markdown file, sorted by path. */
  readonly files: readonly PlanFile[];
  /** In the order of their files. */
  readonly entities: readonly Entity[];
  /** The folders that could not be listed. */
  readonly folders: readonly Unreadable[];
  /** The folders, and the files that could not be read. */
  unreadable(): readonly Unreadable[];
  /** Finds an entity by its id in any case; the first one of duplicates. */
  find(id: string): Entity | undefined;
  /** Returns all entities with exactly this id, or this milestone's name. */
  allOf(id: string): readonly Entity[];
  /** Returns an id or file as the plan writes it, for one given in any case or as it was shown. */
  spelled(id: string): string;
  /** The work items and bugs of a milestone. */
  tasksOf(milestone: string): readonly Entity[];
  /** The work items and bugs whose source is an entity. */
  implementing(id: string): readonly Entity[];
  /** What an unfinished item waits for, or would once it is ready; open dependencies come first. */
  waits(entity: Entity): readonly Wait[];
  /** What points to an id, sorted by kind. */
  pointers(id: string): readonly Pointer[];
}

/** What a plan is made with, besides its files. */
interface PlanOptions {
  readonly vocabulary: Vocabulary | undefined;
  readonly folders?: readonly Unreadable[];
}

export function planOf(
  files: readonly PlanFile[],
  { vocabulary, folders = [] }: PlanOptions,
): Plan {
  const isFurtherStatus = (status = "") => ["implemented", "shipped"].includes(status);
  // Newer versions of the plugin have a status for specs that are implemented.
  const specsGoOn = vocabulary?.status["spec"]?.includes("implemented") === true ||
    files.some(({ parsed: { entity } }) =>
      entity?.type === "spec" && isFurtherStatus(entity.attributes["status"])
    );
  const entities = files.flatMap((source): Entity[] => {
    const { file, mtime, parsed: { entity, conflict } } = source;
    if (entity === undefined) return [];
    const { id, type, attributes: { status = "" } } = entity;
    const finished = isFinished(type, status, specsGoOn);
    const hasId = id !== undefined;
    const place = { file, mtime, source, conflict };
    return [{ ...entity, id: id ?? file, hasId, status, finished, ...place }];
  });
  const byId = Map.groupBy(entities.filter(({ hasId }) => hasId), ({ id }) => id);
  for (const same of byId.values()) same.sort((a, b) => Number(isAstray(a)) - Number(isAstray(b)));
  const unnamed = new Map(entities.flatMap((entity) => entity.hasId ? [] : [[entity.id, entity]]));
  const first = (id: string) => byId.get(id)?.[0] ?? unnamed.get(id);
  let spellings: ReadonlyMap<string, string> | undefined;
  const spelled = (id: string) => {
    if (byId.has(id)) return id;
    spellings ??= new Map([...byId.keys()].map((each) => [each.toLowerCase(), each]));
    return spellings.get(id.toLowerCase()) ??
      meantBy(id, [...byId.keys(), ...files.map(({ file }) => file)]) ?? id;
  };
  const find = (id: string) => first(id) ?? first(spelled(id));
  const waits = new WeakMap<Entity, readonly Wait[]>();
  let pointers: ReadonlyMap<string, readonly Pointer[]> | undefined;
  return {
    files,
    entities,
    folders,
    unreadable: () =>
      folders.concat(
        files.flatMap(({ file, unreadable: reason }) =>
          reason === undefined ? [] : { file, reason }
        ),
      ),
    find,
    allOf: (id) => byId.get(id) ?? [],
    spelled,
    tasksOf: tasksBy(entities, ({ attributes }) => [attributes["milestone"] ?? ""]),
    implementing: tasksBy(entities, (entity) => listed(entity, "source")),
    waits: (entity) => waits.getOrInsertComputed(entity, () => waitsOf(first, entity)),
    pointers: (id) => (pointers ??= pointersAmong(find, entities)).get(id) ?? [],
  };
}

/** Whether a file is not in the folder of its type, such as `bugs`. */
function isAstray({ type, file }: Entity): boolean {
  return !file.startsWith(type === "work" ? "work/" : `${type}s/`);
}

/** Finds the work items and bugs with a value; they are grouped at the first call. */
function tasksBy(entities: readonly Entity[], valuesOf: (entity: Entity) => readonly string[]) {
  let groups: Map<string, Entity[]> | undefined;
  const group = () => {
    const byValue = new Map<string, Entity[]>();
    for (const entity of entities.filter(isTask)) {
      for (const value of new Set(valuesOf(entity))) {
        byValue.getOrInsert(value, []).push(entity);
      }
    }
    return byValue;
  };
  return (value: string): readonly Entity[] => (groups ??= group()).get(value) ?? [];
}

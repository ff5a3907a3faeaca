/**
 * A plan: its files at one time, of the working tree or of a commit, how their entities point to each
 * other, and what they wait for.
 */

import { lazily } from "../../../src/io/lazily.ts";
import { meantBy } from "../../../src/plain_text.ts";
import { type Entity, listedValues, type PlanFile } from "../entity/entity.ts";
import { isDone, isDropped, isFinished, isTask } from "../entity/lifecycle.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";

/** A folder or file that could not be read; the path is empty for the plan itself. */
export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

export type Plan = Readonly<ReturnType<typeof planOf>>;

/** @param files Every Markdown file, sorted by path. @param folders Those that could not be listed. */
export function planOf(
  files: readonly PlanFile[],
  { vocabulary, folders = [] }: {
    readonly vocabulary: Vocabulary | undefined;
    readonly folders?: readonly Unreadable[];
  },
) {
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
  const unreadableFiles = files
    .flatMap(({ file, unreadable: reason }) => reason === undefined ? [] : { file, reason });
  const byId = Map.groupBy(entities.filter(({ hasId }) => hasId), ({ id }) => id);
  for (const same of byId.values()) same.sort((a, b) => Number(isAstray(a)) - Number(isAstray(b)));
  const unnamed = new Map(entities.flatMap((entity) => entity.hasId ? [] : [[entity.id, entity]]));
  const first = (id: string) => byId.get(id)?.[0] ?? unnamed.get(id);
  const spellings = lazily(() => new Map(byId.keys().map((each) => [each.toLowerCase(), each])));
  /** Returns an id or file as the plan writes it, for one given in any case or as it was shown. */
  const spelled = (id: string) => {
    if (byId.has(id)) return id;
    return spellings().get(id.toLowerCase()) ??
      meantBy(id, [...byId.keys(), ...files.map(({ file }) => file)]) ?? id;
  };
  /** Finds an entity by its id in any case; the first one of duplicates. */
  const find = (id: string) => first(id) ?? first(spelled(id));
  const waits = new WeakMap<Entity, readonly Wait[]>();
  const pointers = lazily(() => pointersAmong(find, entities));
  const byFile = lazily(() => new Map(entities.map((entity) => [entity.file, entity])));
  return {
    files,
    /** In the order of their files. */
    entities: entities as readonly Entity[],
    folders,
    /** The folders, and the files that could not be read. */
    unreadable: () => folders.concat(unreadableFiles),
    find,
    /** Returns all entities with exactly this id, or this milestone's name. */
    allOf: (id: string): readonly Entity[] => byId.get(id) ?? [],
    spelled,
    /** Finds the entity of a file. */
    inFile: (file: string) => byFile().get(file),
    /** The work items and bugs of a milestone. */
    tasksOf: tasksBy(entities, ({ attributes }) => [attributes["milestone"] ?? ""]),
    /** The work items and bugs whose source is an entity. */
    implementing: tasksBy(entities, (entity) => listedValues(entity, "source")),
    /** The waits of an unfinished item, now or once it is ready; open dependencies come first. */
    waits: (entity: Entity) => waits.getOrInsertComputed(entity, () => waitsOf(first, entity)),
    /** The pointers to an id, sorted by kind. */
    pointers: (id: string): readonly Pointer[] => pointers().get(id) ?? [],
  };
}

/** Whether a file is not in the folder of its type, such as `bugs`. */
function isAstray({ type, file }: Entity): boolean {
  return !file.startsWith(type === "work" ? "work/" : `${type}s/`);
}

/** Finds the work items and bugs with a value; they are grouped at the first call. */
function tasksBy(entities: readonly Entity[], valuesOf: (entity: Entity) => readonly string[]) {
  const groups = lazily(() => {
    const byValue = new Map<string, Entity[]>();
    for (const entity of entities.filter(isTask)) {
      for (const value of new Set(valuesOf(entity))) byValue.getOrInsert(value, []).push(entity);
    }
    return byValue;
  });
  return (value: string): readonly Entity[] => groups().get(value) ?? [];
}

/** Finds an entity by its id. */
type Find = (id: string) => Entity | undefined;

/** Returns the ids of an entity's dependencies. */
export function dependenciesOf(entity: Entity): string[] {
  const ids = entity.dependencies !== undefined
    ? entity.dependencies.filter(({ direction }) => direction !== "blocks").map(({ id }) => id)
    : entity.scopedRefs.filter(({ section }) => section === "Dependencies").map(({ id }) => id);
  return [...new Set(ids)];
}

/** Returns the ids that an entity refers to without depending on them. */
export function referencesOf(entity: Entity): string[] {
  const dependencies = new Set(dependenciesOf(entity));
  return entity.refs.filter((id) => !dependencies.has(id) && id !== entity.id);
}

/** An entity that an item waits for: a dependency, or one that the plugin counts as such. */
export interface Wait {
  readonly for: Entity;
  /**
   * `open`: an unfinished dependency. `uncounted`: a dependency that is finished, but neither done
   * nor fixed, the only ones that the plugin counts. `mention`: a reference that counts.
   */
  readonly kind: "open" | "uncounted" | "mention";
}

function waitsOf(find: Find, entity: Entity): Wait[] {
  if (entity.finished || !isTask(entity)) return [];
  // Before 0.28, every reference counts, without a Dependencies section.
  const isMention = entity.dependencies === undefined &&
    !entity.knownSectionsPresent.includes("Dependencies");
  const others = (isMention ? entity.refs : dependenciesOf(entity)).flatMap((id) => find(id) ?? []);
  const open = isMention ? [] : others.filter(({ finished }) => !finished);
  const kind = isMention ? "mention" : "uncounted";
  const uncounted = others.filter(({ status, finished }) =>
    !isDone(status) && !isDropped(status) && (isMention || finished)
  );
  return [
    ...open.map((other): Wait => ({ for: other, kind: "open" })),
    ...uncounted.map((other): Wait => ({ for: other, kind })),
  ];
}

/** How an entity points to another: the first kind that applies. */
export const POINTERS = ["depends", "blocks", "source", "mentions"] as const;

export type PointerKind = typeof POINTERS[number];

interface Pointer {
  readonly from: Entity;
  readonly kind: PointerKind;
}

/**
 * Returns the ids that an entity points to, however they are written. Other words look like ids too,
 * such as UTF-8.
 */
export function pointersFrom(find: Find, entity: Entity): Map<string, PointerKind> {
  const { id, names, dependencies = [] } = entity;
  // Only newer versions of the plugin count these.
  const waiting = dependencies.filter(({ direction }) => direction === "blocks").map(({ id }) =>
    id
  );
  const refs = new Set(entity.refs);
  const mentioned = [...new Set([...refs, ...names])]
    .filter((name) => find(name)?.id !== id && (refs.has(name) || find(name) !== undefined));
  const ofKind = (ids: readonly string[], kind: PointerKind) =>
    ids.map((each) => [find(each)?.id ?? each, kind] as const);
  return new Map<string, PointerKind>([
    ...ofKind(mentioned, "mentions"),
    ...ofKind(listedValues(entity, "source"), "source"),
    ...ofKind(waiting, "blocks"),
    ...ofKind(dependenciesOf(entity), "depends"),
  ]);
}

/** Returns the pointers to each id, sorted by kind. */
export function pointersAmong(find: Find, entities: readonly Entity[]) {
  const all = new Map<string, Pointer[]>();
  for (const entity of entities) {
    for (const [to, kind] of pointersFrom(find, entity)) {
      all.getOrInsert(to, []).push({ from: entity, kind });
    }
  }
  const rank = ({ kind }: Pointer) => POINTERS.indexOf(kind);
  for (const pointers of all.values()) pointers.sort((a, b) => rank(a) - rank(b));
  return all;
}

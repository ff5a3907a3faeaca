/**
 * The store of one plan: what its tools read, and the one way in which they write.
 *
 * @module
 */

import { join } from "node:path";
import { isTooHard, requireParsable } from "../../../src/io/markup_limits.ts";
import { giveBackMemory, giveBackWhenIdle } from "../../../src/io/memory.ts";
import { readInside } from "../../../src/io/read.ts";
import { TAG_NAMES } from "../../../src/project/entities.ts";
import type { ConflictMarkers } from "../conflicts.ts";
import { idOf, nameOnly, type PlanEntity } from "../entity.ts";
import { usualHeader } from "../header.ts";
import { type Outline, outlineOf } from "../outline.ts";
import { plainText, type PlanParser, withOwnCriteria } from "../parser.ts";
import { KeptAnswers } from "./kept_answers.ts";
import { furtherSentence, type PlanProblem, problemsOf, unreadableSentence } from "./problems.ts";
import { inSlices } from "./slices.ts";
import {
  detached,
  entityClassFor,
  type EntityRest,
  restOf,
  type RestSource,
  type StoredEntity,
} from "./stored_entity.ts";
import type { FileRow } from "./file_rows.ts";
import { PlanTable } from "./table.ts";
import { textsOf } from "./texts.ts";

/** How long work that nobody waits for holds up a call, in milliseconds. */
const AHEAD_SLICE_MS = 2;
/** How long such work rests between two slices, in milliseconds. */
const AHEAD_PAUSE_MS = 2;
/** How long everything has to be done before memory is given back, in milliseconds. */
const REST_MS = 50;
/** So many entities leave enough garbage to be worth that. */
const MANY_ENTITIES = 200;
/** How often a handler is tried before what it asks for is parsed without slices. */
const MOST_TRIES = 6;
/** A tag of an entity somewhere in a text: without one, there is nothing to parse. */
const ANY_TAG = new RegExp(`\\{%\\s*(?:${TAG_NAMES})\\b`);

/** One entity with its text. */
export interface EntityDocument {
  /** The entity. */
  readonly entity: PlanEntity;
  /** The text of its file. */
  readonly source: string;
  /** The parts of the text. */
  readonly outline: Outline;
}

/** The store of one plan directory, read by one version of the plugin. */
export class PlanStore {
  /** The project, which no file may lead out of. */
  readonly root: string;
  /** The plan's directory: real, absolute. */
  readonly dir: string;
  readonly #parser: PlanParser;
  readonly #table: PlanTable;
  readonly #rest: RestSource;
  readonly #Entity: typeof StoredEntity;
  #rows: readonly FileRow[] = [];
  #entities: readonly StoredEntity[] = [];
  #byId = new Map<string, FileRow[]>();
  #answers = new KeptAnswers();
  #seen = -1;
  #unreadable: readonly string[] = [];
  #unreadableAt = -1;
  /** How many calls wait for something to be parsed. */
  #awaited = 0;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /**
   * @param root The project's directory: real, absolute.
   * @param dir The plan's directory: real, absolute, inside the project.
   * @param parser The parser of the loaded plugin.
   */
  constructor(root: string, dir: string, parser: PlanParser) {
    this.root = root;
    this.dir = dir;
    this.#parser = parser;
    this.#Entity = entityClassFor(parser.emptyRest);
    this.#rest = {
      missing: undefined,
      emptyRest: parser.emptyRest,
      parseRest: (entity, source) => this.#parseRest(entity, source),
    };
    this.#table = new PlanTable(root, dir, (...args) => this.#read(...args));
  }

  /**
   * Every entity as it is on disk now, in the order of the paths. What is beyond the
   * header is parsed when it is read, or in slices by {@linkcode withParsed}.
   */
  async entities(signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    await this.#refresh(signal);
    return this.#entities;
  }

  /** The same, with everything parsed. */
  async parsed(signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    await this.#refresh(signal);
    await this.#parseAll(this.#entities, signal);
    return this.#entities;
  }

  /** Parses everything before somebody asks for it, and lets calls go first. */
  async parseAhead(): Promise<void> {
    await this.#refresh();
    let sliceEnd = performance.now() + AHEAD_SLICE_MS;
    for (const _parsed of this.#restsOf(this.#entities)) {
      if (performance.now() < sliceEnd) continue;
      await this.#pause(AHEAD_PAUSE_MS);
      sliceEnd = performance.now() + AHEAD_SLICE_MS;
    }
    if (this.#entities.length < MANY_ENTITIES) return;
    await this.#pause(REST_MS);
    await giveBackMemory();
  }

  /** Waits, and then for the calls that have come. */
  async #pause(milliseconds: number): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      // A look that goes on is the beginning of somebody's call.
      await this.#running?.catch(() => {});
    } while (this.#awaited > 0);
  }

  /** The entities of the last look, without another one. */
  known(): readonly PlanEntity[] {
    return this.#entities;
  }

  /**
   * Runs work that reads entities without waiting. What it finds not parsed yet is
   * parsed in slices, and the work is run again: it must change nothing.
   *
   * @param work Reads {@linkcode known}.
   */
  async withParsed<Value>(
    work: () => Value | Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Value> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const missing = new Set<StoredEntity>();
      this.#rest.missing = missing;
      let outcome: { value: Value } | { error: unknown };
      try {
        const value = work();
        // From here on others may read, and get what they ask for.
        this.#rest.missing = undefined;
        outcome = { value: await value };
      } catch (error) {
        outcome = { error };
      } finally {
        this.#rest.missing = undefined;
      }
      if (missing.size === 0) {
        if ("error" in outcome) throw outcome.error;
        return outcome.value;
      }
      await this.#parseAll([...missing], signal);
    }
    return await work();
  }

  /**
   * What follows from the entities and problems of the last look and from nothing else; made
   * anew when they have changed. It is shared, so nobody may change it.
   *
   * @param key What it depends on beside them.
   */
  derived<Value>(key: string, make: () => Value | Promise<Value>): Promise<Value> {
    return this.#answers.get(key, make);
  }

  /** The entity of an id, or of a milestone's name; looks at the folders and one file alone. */
  async entity(id: string, signal?: AbortSignal): Promise<PlanEntity | undefined> {
    if (this.#table.hasSameFolders()) {
      const row = this.#byId.get(id)?.[0];
      if (row !== undefined && this.#table.refresh(row)) {
        const { entity } = row;
        if (entity?.id === id) return entity;
      }
    }
    await this.#refresh(signal);
    return this.#byId.get(id)?.[0]?.entity ?? undefined;
  }

  /** Every entity of an id: more than one where two files have it. Looks at everything. */
  async allOf(id: string, signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    await this.#refresh(signal);
    return this.#byId.get(id)?.flatMap(({ entity }) => entity ?? []) ?? [];
  }

  /** The text of an entity's file. */
  source(entity: PlanEntity): string {
    return readInside(this.root, this.path(entity.file), "plan");
  }

  /** An entity with its text and the parts of it. */
  async document(id: string, signal?: AbortSignal): Promise<EntityDocument | undefined> {
    const entity = await this.entity(id, signal);
    if (entity === undefined) return undefined;
    const source = this.source(entity);
    const outline = outlineOf(source);
    return outline === undefined ? undefined : { entity, source, outline };
  }

  /** The absolute path of a file of the plan. */
  path(file: string): string {
    return join(this.dir, file);
  }

  /** What is wrong with the plan's files: duplicate ids, conflicts, what cannot be read. */
  async problems(signal?: AbortSignal): Promise<readonly PlanProblem[]> {
    await this.#refresh(signal);
    return this.knownProblems();
  }

  /** The same of the last look, without another one. */
  knownProblems(): readonly PlanProblem[] {
    return problemsOf(this.#rows, this.#byId, this.#table.unreadable());
  }

  /** What the last look could not read, in sentences; it is the same list while nothing changes. */
  unreadable(): readonly string[] {
    if (this.#unreadableAt !== this.#table.generation) {
      this.#unreadableAt = this.#table.generation;
      this.#unreadable = [...this.#table.unreadable()].map(unreadableSentence);
    }
    return this.#unreadable;
  }

  /**
   * Entities that are not read, because another stands before them in their file, or as far as
   * the names of files tell that cannot be read: a new one must not get the same id.
   */
  reserved(): PlanEntity[] {
    const unread = [...this.#table.unreadable()].flatMap(({ file }) => {
      const id = /(?:^|\/)([A-Z]+-\d+)[^/]*$/.exec(file)?.[1];
      return id === undefined ? [] : [nameOnly(id, file)];
    });
    return this.#rows.flatMap(({ file, further }) => further.map((id) => nameOnly(id, file)))
      .concat(unread);
  }

  /** Says of an id that the last look found behind another entity in which file it is. */
  furtherIn(id: string): string | undefined {
    const row = this.#rows.find(({ further }) => further.includes(id));
    return row && furtherSentence(id, row.file, row.entity?.id);
  }

  /** Those that count for the next free id: of a number that is too long there is no next one. */
  numbered(): PlanEntity[] {
    return [...this.known(), ...this.reserved()].filter(({ id }) => !/-\d{10,}$/.test(id ?? ""));
  }

  /** The files that the last look found conflict markers in. */
  conflicts(): { file: string; lines: ConflictMarkers }[] {
    return this.#rows.flatMap(({ file, conflict }) =>
      conflict === undefined ? [] : [{ file, lines: conflict }]
    );
  }

  /** Whether the last look found a file with nothing in it, as it is while somebody saves. */
  hasEmptyFile(): boolean {
    return this.#rows.some(({ isEmpty }) => isEmpty);
  }

  /** Temporary files of ours that the last look found, as absolute paths. */
  temporaries(): string[] {
    return [...this.#table.temporaries()];
  }

  /** Looks at everything at once; for work that cannot wait. */
  refreshNow(): readonly PlanEntity[] {
    const look = this.#table.look();
    for (;;) {
      const step = look.next();
      if (step.done) {
        this.#take(step.value);
        return this.#entities;
      }
    }
  }

  /** Parses a file's text as the plugin does, wherever it may stand. */
  #read(source: string, file: string, mtime: number): StoredEntity | null {
    if (!ANY_TAG.test(source)) return null;
    const text = plainText(source);
    requireParsable(text);
    const header = usualHeader(text);
    if (header !== undefined) {
      return new this.#Entity(file, detached(header), mtime, this.#rest);
    }
    const parsed = this.#parser.parse(text, file);
    if (parsed === null) return null;
    const rest = withOwnCriteria(restOf(parsed), text);
    return new this.#Entity(file, detached(parsed), mtime, this.#rest, rest);
  }

  #parseRest(entity: StoredEntity, source?: string): EntityRest {
    try {
      const rest = this.#parser.rest(source ?? this.source(entity), entity.file);
      if (rest !== null) return rest;
    } catch (error) {
      // Else it went or became another after it was listed: the next look will tell.
      if (isTooHard(error)) this.#table.reject(entity.file, error);
    }
    return this.#parser.emptyRest;
  }

  /** Parses what is beyond the headers, one entity a step. */
  *#restsOf(entities: readonly StoredEntity[]): Generator<void, void> {
    const wanted = new Set(entities.filter(({ isParsed }) => !isParsed));
    const files = wanted.size === 0
      ? []
      : this.#rows.flatMap(({ entity, path, stamp }) =>
        entity !== null && wanted.has(entity) ? [{ entity, path, stamp }] : []
      );
    for (const { file: { entity }, text } of textsOf(this.root, files)) {
      entity.parseFrom(text);
      wanted.delete(entity);
      yield;
    }
    // Those of an earlier look, whose files have changed since.
    for (const entity of wanted) {
      entity.parseFrom(undefined);
      yield;
    }
  }

  async #parseAll(entities: readonly StoredEntity[], signal?: AbortSignal): Promise<void> {
    this.#awaited++;
    try {
      await inSlices(this.#restsOf(entities), signal);
    } finally {
      this.#awaited--;
    }
  }

  /**
   * Looks at everything. Callers share a look that has not begun yet, never one that has:
   * what a caller has just written may be behind it.
   */
  async #refresh(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#running === undefined) {
      const running = this.#look().finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
      this.#running = running;
      return await running;
    }
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      const running = this.#look().finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
      this.#running = running;
      return running;
    });
    await this.#next;
  }

  async #look(): Promise<void> {
    this.#take(await inSlices(this.#table.look()));
    if (this.#entities.length >= MANY_ENTITIES) giveBackWhenIdle();
  }

  #take(rows: readonly FileRow[]): void {
    if (this.#seen === this.#table.generation && rows.length === this.#rows.length) return;
    this.#seen = this.#table.generation;
    this.#answers = new KeptAnswers();
    this.#rows = rows;
    this.#entities = rows.flatMap(({ entity }) => entity ?? []);
    this.#byId = new Map();
    for (const row of rows) {
      const id = row.entity === null ? undefined : idOf(row.entity.attributes);
      if (id === undefined) continue;
      const others = this.#byId.get(id);
      if (others === undefined) this.#byId.set(id, [row]);
      else others.push(row);
    }
  }
}

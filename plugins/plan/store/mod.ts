/**
 * The store of one plan. It parses each file once per change and keeps the result.
 *
 * @module
 */

import { join } from "node:path";
import { readInside } from "../../../src/io/read.ts";
import { read, withoutCriteria } from "../document.ts";
import { nameOnly, type ParseEntity, type PlanEntity } from "../entity.ts";
import { giveBackMemory } from "./heap.ts";
import { type Listing, PlanFiles } from "./plan_files.ts";
import { PlanState, StoredFile } from "./plan_state.ts";
import { furtherSentence, unreadableSentence } from "./problems.ts";
import { inSlices } from "./slices.ts";

/** So many files leave enough garbage to be worth collecting. */
const MANY_FILES = 200;

/** A longer text, in characters, is parsed by the plugin without its check boxes. */
const MANY_BOXES = 32_768;

/** After this time nobody writes a temporary file any more, in milliseconds. */
const STALE_MS = 60_000;

/** The store of one plan directory, read by one version of the plugin. */
export class PlanStore {
  /** The project, which no file may lead out of: real, absolute. */
  readonly root: string;
  /** The plan's directory: real, absolute. */
  readonly dir: string;
  readonly #files: PlanFiles;
  #state = new PlanState([], []);
  #temporaries: readonly string[] = [];
  /** How many calls wait for a look. */
  #awaited = 0;
  #running: Promise<PlanState> | undefined;
  #next: Promise<PlanState> | undefined;

  constructor(root: string, dir: string, parse: ParseEntity) {
    this.root = root;
    this.dir = dir;
    this.#files = new PlanFiles(root, dir, (...file) => storedFile(parse, ...file));
  }

  /** The plan as it is on disk now. */
  async read(signal?: AbortSignal): Promise<PlanState> {
    signal?.throwIfAborted();
    this.#awaited++;
    try {
      const state = await this.#refresh();
      signal?.throwIfAborted();
      return state;
    } finally {
      this.#awaited--;
    }
  }

  /** Reads everything while no call waits for it, in slices that calls can get between. */
  async readAhead(): Promise<void> {
    const state = await this.#refresh();
    await state.readDocuments(() => this.#awaited > 0);
    if (state.files.length >= MANY_FILES) await giveBackMemory();
  }

  /** Every entity as it is on disk now, in the order of the paths. */
  async entities(signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    return (await this.read(signal)).entities;
  }

  /** Every entity of an id, or of a milestone's name: more than one where two files have it. */
  async allOf(id: string, signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    return (await this.read(signal)).allOf(id).map(({ entity }) => entity);
  }

  /** The plan as the last look found it. */
  last(): PlanState {
    return this.#state;
  }

  source(entity: PlanEntity): string {
    return readInside(this.root, this.path(entity.file), "plan");
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  /** What the last look could not read, in sentences. */
  unreadable(): readonly string[] {
    return this.#state.unreadable.map(unreadableSentence);
  }

  /**
   * Ids that are taken although their entities are not read: those that follow another entity in
   * their file, and those in the names of files that cannot be read.
   */
  reserved(): PlanEntity[] {
    return this.#state.files.flatMap(({ file, document, unreadable }) => {
      const inName = unreadable && /(?:^|\/)([A-Z]+-\d+)[^/]*$/.exec(file)?.[1];
      return [inName, ...document.further.map(({ id }) => id)]
        .flatMap((id) => id === undefined ? [] : nameOnly(id, file));
    });
  }

  /** Says in which file an id follows another entity, as of the last look. */
  furtherIn(id: string): string | undefined {
    const found = this.#state.files.find(({ document }) =>
      document.further.some((further) => further.id === id)
    );
    return found && furtherSentence(id, found.file, found.entity?.id);
  }

  /**
   * Those that count for the next free id: a number that is too long has no next one.
   *
   * @param elsewhere Where ids are taken outside these files.
   */
  numbered(elsewhere: ReadonlyMap<string, string>): PlanEntity[] {
    const others = [...elsewhere].map(([id, place]) => nameOnly(id, place));
    return [...this.#state.entities, ...this.reserved(), ...others]
      .filter(({ id }) => !/-\d{10,}$/.test(id ?? ""));
  }

  /**
   * Removes temporary files that a killed process of ours has left, as of the last look.
   *
   * @param isHeld Whether the plan's lock is held: then no other process of ours is writing.
   */
  sweep(isHeld: boolean): void {
    for (const path of this.#temporaries) {
      try {
        const age = Date.now() - (Deno.lstatSync(path).mtime?.getTime() ?? 0);
        if (isHeld || age > STALE_MS) Deno.removeSync(path);
      } catch {
        // Somebody else has removed it, or it may not be removed: it does no harm.
      }
    }
  }

  /**
   * Looks at everything. Callers share a look that has not begun yet, never one that has:
   * it may have passed the file that a caller has just written.
   */
  #refresh(): Promise<PlanState> {
    if (this.#running === undefined) return this.#look();
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#look();
    });
    return this.#next;
  }

  #look(): Promise<PlanState> {
    const running = inSlices(this.#files.look(), () => this.#awaited > 0)
      .then((listing) => this.#take(listing))
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return running;
  }

  #take({ files, unreadable, temporaries }: Listing): PlanState {
    this.#temporaries = temporaries;
    const before = this.#state;
    const isSame = files.length === before.files.length &&
      files.every((file, index) => file === before.files[index]) &&
      JSON.stringify(unreadable) === JSON.stringify(before.folders);
    if (!isSame) this.#state = new PlanState(files, unreadable);
    return this.#state;
  }
}

/** A file as the plugin parses its text. */
export function storedFile(
  parse: ParseEntity,
  text: string,
  file: string,
  mtime: number,
): StoredFile {
  if (!text.includes("{%")) return new StoredFile(file, text, null, mtime);
  // Lists of thousands of check boxes are too much for the plugin's parser, which need not see
  // them: the criteria are those of the document.
  const light = text.length > MANY_BOXES ? withoutCriteria(read(text)) : text;
  // A copy, because parts of a string keep the whole of it in memory.
  const parsed = JSON.parse(JSON.stringify(parse(light, file)));
  return new StoredFile(file, text, parsed, mtime);
}

/** The store of one plan. It parses each file once per change and caches the result. */

import { join } from "node:path";
import { readInside } from "../../../src/io/read.ts";
import { type WriteFolder, writeFolder } from "../../../src/io/write_folder.ts";
import type { KnownSections } from "../entity/contents.ts";
import { nameOnly, type PlanEntity } from "../entity/entity.ts";
import { PlanHistory } from "../git/history.ts";
import { removeTemporaries } from "../../../src/io/files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { KeptContents } from "./kept_contents.ts";
import { type Listing, PlanFiles } from "./plan_files.ts";
import { PlanState, StoredFile } from "./plan_state.ts";
import { furtherSentence, unreadableSentence } from "./problems.ts";

export class PlanStore {
  /** The project's directory, which files must not leave: real, absolute. */
  readonly root: string;
  /** The plan's directory: real, absolute. */
  readonly dir: string;
  /** The plan's directory as the folder of all writes. */
  readonly folder: WriteFolder;
  readonly history: PlanHistory;
  readonly #files: PlanFiles<StoredFile>;
  readonly #kept: KeptContents;
  #state = new PlanState([], []);
  #temporaries: readonly string[] = [];
  /** How many calls wait for a scan. */
  #awaited = 0;
  #running: Promise<PlanState> | undefined;
  #next: Promise<PlanState> | undefined;

  constructor(root: string, dir: string, known: KnownSections) {
    this.root = root;
    this.dir = dir;
    this.folder = writeFolder(root, dir);
    this.history = new PlanHistory(dir);
    const kept = this.#kept = new KeptContents(dir, known);
    this.#files = new PlanFiles(root, dir, (...file) => new StoredFile(...file, known, kept));
  }

  /** Returns the plan as it is on disk now. */
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

  /** Reads everything in slices while no call waits for it. */
  async readAhead(): Promise<void> {
    const state = await this.#refresh();
    await state.readDocuments(() => this.#awaited > 0);
  }

  /** Returns all entities as they are on disk now, sorted by path. */
  async entities(signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    return (await this.read(signal)).entities;
  }

  /** Returns the entities with an id, or a milestone's name; several if files share it. */
  async allOf(id: string, signal?: AbortSignal): Promise<readonly PlanEntity[]> {
    const state = await this.read(signal);
    return state.allOf(state.spelled(id)).map(({ entity }) => entity);
  }

  /** Returns the plan as of the last scan. */
  last(): PlanState {
    return this.#state;
  }

  source(entity: PlanEntity): string {
    return readInside(this.root, this.path(entity.file), "plan");
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  /** Sentences about what the last scan could not read. */
  unreadable(): readonly string[] {
    return this.#state.unreadable.map(unreadableSentence);
  }

  /**
   * Ids that are taken although their entities are not read: those of further entities in a file,
   * and those in the names of unreadable files.
   */
  reserved(): PlanEntity[] {
    return this.#state.files.flatMap(({ file, contents, unreadable }) => {
      const inName = unreadable && /(?:^|\/)([A-Z]+-\d+)[^/]*$/.exec(file)?.[1];
      return [inName, ...contents.further.map(({ id }) => id)]
        .flatMap((id) => id === undefined ? [] : nameOnly(id, file));
    });
  }

  /** Returns a sentence if an id belongs to a further entity of a file, as of the last scan. */
  furtherIn(id: string): string | undefined {
    const found = this.#state.files.find(({ contents }) =>
      contents.further.some((further) => further.id === id)
    );
    return found && furtherSentence(id, found.file, found.entity?.id);
  }

  /**
   * Entities that count for the next free id. Overlong numbers do not: they have no successor.
   *
   * @param elsewhere Ids that are taken outside these files, with the place.
   */
  numbered(elsewhere: ReadonlyMap<string, string>): PlanEntity[] {
    const others = [...elsewhere].map(([id, place]) => nameOnly(id, place));
    return [...this.#state.entities, ...this.reserved(), ...others]
      .filter(({ id }) => !/-\d{10,}$/.test(id ?? ""));
  }

  /**
   * Removes temporary files that a killed process of ours left, as of the last scan. The caller
   * holds the plan's lock, so no other process of ours is writing.
   */
  sweep(): void {
    removeTemporaries(this.folder, this.#temporaries);
  }

  /**
   * Scans the plan. Callers share a scan that has not begun yet, but never a running one: it may
   * already have passed the file that a caller has just written.
   */
  #refresh(): Promise<PlanState> {
    if (this.#running === undefined) return this.#scan();
    this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      return this.#scan();
    });
    return this.#next;
  }

  #scan(): Promise<PlanState> {
    // Read while the folders are listed.
    void this.#kept.open();
    const running = this.#files.look(turnTaker(undefined, () => this.#awaited > 0))
      .then((listing) => this.#take(listing))
      .finally(() => {
        if (this.#running === running) this.#running = undefined;
      });
    this.#running = running;
    return running;
  }

  #take({ files, unreadable, temporaries }: Listing<StoredFile>): PlanState {
    this.#temporaries = temporaries;
    const before = this.#state;
    const isSame = files.length === before.files.length &&
      files.every((file, index) => file === before.files[index]) &&
      JSON.stringify(unreadable) === JSON.stringify(before.folders);
    if (!isSame) this.#state = new PlanState(files, unreadable, this.#kept);
    return this.#state;
  }
}

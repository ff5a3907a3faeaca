/** The store of one plan. It parses each file once per change and caches the result. */

import { join } from "node:path";
import { readInside } from "../../../src/io/read.ts";
import { type WriteFolder, writeFolder } from "../../../src/io/write_folder.ts";
import type { KnownSections } from "../entity/contents.ts";
import { type Entity, type PlanFile, type TakenId, takenId } from "../entity/entity.ts";
import { PlanHistory } from "../git/history.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { removeTemporaries } from "../../../src/io/files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import type { OpenKept } from "../../../src/io/kept.ts";
import { fileScanner, parsedTexts } from "./plan_files.ts";
import { type Plan, planOf } from "./plan.ts";

export class PlanStore {
  /** The plan's directory as the folder of all writes. */
  readonly folder: WriteFolder;
  readonly history: PlanHistory;
  /** The parsed texts of its files. */
  readonly texts: ReturnType<typeof parsedTexts>;
  readonly #scanFiles: ReturnType<typeof fileScanner<PlanFile>>;
  readonly #vocabulary: Vocabulary | undefined;
  #plan: Plan;
  #temporaries: readonly string[] = [];
  /** How many calls wait for a scan. */
  #awaited = 0;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Plan> | undefined;

  /**
   * @param root The project's directory, which files must not leave: real, absolute.
   * @param dir The plan's directory: real, absolute.
   */
  constructor(
    readonly root: string,
    readonly dir: string,
    { sections, vocabulary }: {
      readonly sections: KnownSections;
      readonly vocabulary: Vocabulary | undefined;
    },
    kept?: OpenKept,
  ) {
    this.folder = writeFolder(root, dir);
    this.#vocabulary = vocabulary;
    this.#plan = planOf([], { vocabulary });
    this.texts = parsedTexts(dir, sections, kept);
    this.history = new PlanHistory(dir, this.texts.version, kept);
    this.#scanFiles = fileScanner(root, dir, this.texts.fileOf);
  }

  /** Returns the plan as it is on disk now. */
  async read(signal?: AbortSignal): Promise<Plan> {
    signal?.throwIfAborted();
    this.#awaited++;
    const plan = await this.refresh().finally(() => this.#awaited--);
    signal?.throwIfAborted();
    return plan;
  }

  /** Returns the entities with an id, or a milestone's name; several if files share it. */
  async allOf(id: string, signal?: AbortSignal): Promise<readonly Entity[]> {
    const plan = await this.read(signal);
    return plan.allOf(plan.spelled(id));
  }

  /** Returns the plan as of the last scan. */
  last(): Plan {
    return this.#plan;
  }

  source({ file }: Pick<Entity, "file">): string {
    return readInside(this.root, this.path(file), "plan");
  }

  path(file: string): string {
    return join(this.dir, file);
  }

  /**
   * Ids that are taken although their entities are not read: those of further entities in a file,
   * and those in the names of unreadable files.
   */
  reserved(): TakenId[] {
    return this.#plan.files.flatMap(({ file, parsed, unreadable }) => {
      const inName = unreadable && /(?:^|\/)([A-Z]+-\d+)[^/]*$/.exec(file)?.[1];
      return [inName, ...parsed.further.map(({ id }) => id)]
        .flatMap((id) => id === undefined ? [] : takenId(id, file));
    });
  }

  /**
   * Entities that count for the next free id. Overlong numbers do not: they have no successor.
   *
   * @param elsewhere Ids that are taken outside these files, with the place.
   */
  numbered(elsewhere: ReadonlyMap<string, string>): TakenId[] {
    const others = [...elsewhere].map(([id, place]) => takenId(id, place));
    // Ids are found in any case.
    return [...this.#plan.entities, ...this.reserved(), ...others]
      .map(({ id, file }) => takenId(id.toUpperCase(), file))
      .filter(({ id }) => !/-\d{10,}$/.test(id));
  }

  /**
   * Removes temporary files that a killed process of ours left, as of the last scan. The caller
   * holds the plan's lock, so no other process of ours is writing.
   */
  sweep(): void {
    removeTemporaries(this.folder, this.#temporaries);
  }

  /**
   * Scans the plan, in slices while no call waits for it. Callers share a scan that has not begun
   * yet, but never a running one: it may already have passed the file that a caller has just written.
   */
  refresh(): Promise<Plan> {
    return this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = undefined;
      const scan = this.#scan();
      this.#running = scan;
      return scan;
    });
  }

  async #scan(): Promise<Plan> {
    await this.texts.open();
    const turn = turnTaker(undefined, () => this.#awaited > 0);
    const { files, unreadable, temporaries } = await this.#scanFiles(turn);
    this.#temporaries = temporaries;
    const before = this.#plan;
    const isSame = files.length === before.files.length &&
      files.every((file, index) => file === before.files[index]) &&
      JSON.stringify(unreadable) === JSON.stringify(before.folders);
    if (isSame) return before;
    await this.texts.keep(files);
    return this.#plan = planOf(files, { vocabulary: this.#vocabulary, folders: unreadable });
  }
}

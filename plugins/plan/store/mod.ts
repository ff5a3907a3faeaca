/** The store of one plan. It parses each file once per change and caches the result. */

import { join } from "node:path";
import { readInside } from "../../../src/io/read.ts";
import { writeFolder } from "../../../src/io/write_folder.ts";
import type { KnownSections } from "../entity/contents.ts";
import { type Entity, takenId } from "../entity/entity.ts";
import { historyReader } from "../git/history.ts";
import type { Vocabulary } from "../upstream/vocabulary.ts";
import { removeTemporaries } from "../../../src/io/files.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import type { OpenKept } from "../../../src/io/kept.ts";
import { memoryReturner } from "./memory.ts";
import { fileScanner, parsedTexts } from "./plan_files.ts";
import { type Plan, planOf } from "./plan.ts";

export type PlanStore = ReturnType<typeof planStore>;

/**
 * @param root The project's directory, which files must not leave: real, absolute.
 * @param dir The plan's directory: real, absolute.
 */
export function planStore(
  root: string,
  dir: string,
  { sections, vocabulary }: {
    readonly sections: KnownSections;
    readonly vocabulary: Vocabulary | undefined;
  },
  kept?: OpenKept,
) {
  /** The plan's directory as the folder of all writes. */
  const folder = writeFolder(root, dir);
  /** The parsed texts of its files. */
  const texts = parsedTexts(dir, sections, kept);
  const memory = memoryReturner();
  const history = historyReader(dir, texts.version, kept, memory.now);
  const scanFiles = fileScanner(root, dir, texts.fileOf);
  let plan = planOf([], { vocabulary });
  let temporaries: readonly string[] = [];
  /** How many calls wait for a scan. */
  let awaited = 0;
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Plan> | undefined;
  const path = (file: string) => join(dir, file);

  /**
   * Scans the plan, in slices while no call waits for it. Callers share a scan that has not begun
   * yet, but never a running one: it may already have passed the file that a caller has just written.
   */
  const refresh = (): Promise<Plan> =>
    next ??= running.catch(() => {}).then(() => {
      next = undefined;
      const scanned = scan();
      running = scanned;
      return scanned;
    });

  async function scan(): Promise<Plan> {
    await texts.open();
    const scanned = await scanFiles(turnTaker(undefined, () => awaited > 0));
    temporaries = scanned.temporaries;
    const { files, unreadable: folders } = scanned;
    const isSame = files.length === plan.files.length &&
      files.every((file, index) => file === plan.files[index]) &&
      JSON.stringify(folders) === JSON.stringify(plan.folders);
    if (isSame) return plan;
    await texts.keep(files);
    return plan = planOf(files, { vocabulary, folders });
  }

  /** Returns the plan as it is on disk now. */
  const read = async (signal?: AbortSignal) => {
    signal?.throwIfAborted();
    awaited++;
    const now = await refresh().finally(() => awaited--);
    memory.whenIdle();
    signal?.throwIfAborted();
    return now;
  };

  /**
   * Ids that are taken although their entities are not read: those of further entities in a file,
   * and those in the names of unreadable files.
   */
  const reserved = () =>
    plan.files.flatMap(({ file, parsed, unreadable }) => {
      const inName = unreadable && /(?:^|\/)([A-Z]+-\d+)[^/]*$/.exec(file)?.[1];
      return [inName, ...parsed.further.map(({ id }) => id)]
        .flatMap((id) => id === undefined ? [] : takenId(id, file));
    });

  return {
    root,
    dir,
    folder,
    texts,
    history,
    path,
    refresh,
    read,
    reserved,
    /** Returns the plan as of the last scan. */
    last: () => plan,
    source: ({ file }: Pick<Entity, "file">) => readInside(root, path(file), "plan"),
    /**
     * Entities that count for the next free id. Overlong numbers do not: they have no successor.
     *
     * @param elsewhere Ids that are taken outside these files, with the place.
     */
    numbered(elsewhere: ReadonlyMap<string, string>) {
      const others = [...elsewhere].map(([id, place]) => takenId(id, place));
      // Ids are found in any case.
      return [...plan.entities, ...reserved(), ...others]
        .map(({ id, file }) => takenId(id.toUpperCase(), file))
        .filter(({ id }) => !/-\d{10,}$/.test(id));
    },
    /**
     * Removes temporary files that a killed process of ours left, as of the last scan. The caller
     * holds the plan's lock, so no other process of ours is writing.
     */
    sweep: () => removeTemporaries(folder, temporaries),
  };
}

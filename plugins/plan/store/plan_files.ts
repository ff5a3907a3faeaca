/**
 * The files of a plan on disk. Each scan lists all folders, compares the files' stamps, and reads
 * what has changed; nothing is watched.
 */

import { join } from "node:path";
import { countAndLimit } from "../../../src/plain_text.ts";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import type { Turn } from "../../../src/io/turns.ts";
import { walkPlan } from "./walk.ts";
import { isUnchanged, modifiedAt, stampOf } from "../../../src/io/stamp.ts";
import type { FileContent } from "../entity/entity.ts";
import type { Unreadable } from "./plan.ts";

/** How many tags all files of a plan may have; 10,000 entities with ten references each have a third. */
const MOST_TAGS = 300_000;

/** The result of a scan; `Kept` is what is kept of a file. */
export interface Listing<Kept> {
  /** The Markdown files, sorted by path. */
  readonly files: readonly Kept[];
  /** Folders that could not be listed. */
  readonly unreadable: Unreadable[];
  /** Our temporary files, as absolute paths. */
  readonly temporaries: string[];
}

interface FileRow<Kept> {
  readonly stored: Kept;
  readonly unreadable?: string;
  /** How many tags it has, and whether it is left out because of those of the files before it. */
  readonly tags: number;
  readonly isBeyond: boolean;
  /** Its stamp just before it was read; `undefined` if it must be read again. */
  readonly stamp: string | undefined;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
}

export class PlanFiles<Kept> {
  readonly #root: string;
  readonly #dir: string;
  readonly #keep: (file: string, content: FileContent) => Kept;
  #rows = new Map<string, FileRow<Kept>>();
  /** The tags of the files that the scan has passed. */
  #tags = 0;

  /** @param root The project, which files must not leave. @param dir The plan, absolute. */
  constructor(root: string, dir: string, keep: (file: string, content: FileContent) => Kept) {
    this.#root = root;
    this.#dir = dir;
    this.#keep = keep;
  }

  /** Scans everything. @param turn Is taken after each entry. */
  async look(turn: Turn): Promise<Listing<Kept>> {
    const rows = new Map<string, FileRow<Kept>>();
    const [unreadable, temporaries]: [Unreadable[], string[]] = [[], []];
    this.#tags = 0;
    for (const entry of walkPlan(this.#root, this.#dir)) {
      if (entry.kind === "file") this.#file(entry.file, entry.real, rows);
      else if (entry.kind === "temporary") temporaries.push(entry.real);
      else if (entry.kind === "unreadable") {
        unreadable.push({ file: entry.file, reason: this.#reasonOf(entry.error) });
      } else await turn();
    }
    this.#rows = rows;
    return { files: [...rows.values()].map(({ stored }) => stored), unreadable, temporaries };
  }

  /** Reads a file if it has changed; skips one that is gone. @param real Its real path. */
  #file(file: string, real: string, rows: Map<string, FileRow<Kept>>): void {
    const known = this.#rows.get(file);
    let stamp: string | undefined;
    let tags = 0;
    const readAt = Date.now();
    try {
      const info = Deno.lstatSync(real);
      stamp = stampOf(info);
      if (known?.stamp !== undefined && isUnchanged(stamp, known.stamp, known.readAt)) {
        const isBeyond = this.#tags + known.tags > MOST_TAGS;
        if (isBeyond === known.isBeyond) {
          this.#tags += known.tags;
          rows.set(file, known);
          return;
        }
      }
      const text = readInside(this.#root, join(this.#dir, file), "plan");
      tags = text.split("{%").length - 1;
      this.#tags += tags;
      const isBeyond = this.#tags > MOST_TAGS;
      const content = isBeyond
        ? {
          unreadable: `with the files before, it has ${
            countAndLimit(this.#tags, "tags", MOST_TAGS)
          }`,
        }
        : { text, mtime: modifiedAt(info) };
      rows.set(file, { stored: this.#keep(file, content), tags, isBeyond, stamp, readAt });
    } catch (error) {
      if (isNotFound(error)) return;
      const unreadable = this.#reasonOf(error);
      const stored = known?.unreadable === unreadable
        ? known.stored
        : this.#keep(file, { unreadable });
      // A text that is too hard to parse stays so until the file changes.
      const again = isTooHard(error) ? stamp : undefined;
      rows.set(file, { stored, unreadable, tags, isBeyond: false, stamp: again, readAt });
    }
  }

  /** The message without the absolute path of the project. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.#root)?.message ?? messageOf(error);
  }
}

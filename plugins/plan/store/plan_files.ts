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
import { isSettled, modifiedAt, stampOf } from "../../../src/io/reads.ts";
import type { Unreadable } from "./plan.ts";

/** How many tags all files of a plan may have; 10,000 entities with ten references each have a third. */
const MOST_TAGS = 300_000;

/** A file, with what its reader makes of it. */
interface FileRow<Value> {
  readonly value: Value;
  readonly unreadable?: string;
  /** How many tags it has, and whether it is left out because of those of the files before it. */
  readonly tags: number;
  readonly isBeyond: boolean;
  /** Its stamp just before it was read; `undefined` if it must be read again. */
  readonly stamp: string | undefined;
  /** When it was read, in milliseconds. */
  readonly readAt: number;
}

export class PlanFiles<Value> {
  #rows = new Map<string, FileRow<Value>>();
  /** The tags of the files that the scan has passed. */
  #tags = 0;

  /** @param root The project, which files must not leave. @param dir The plan, absolute. */
  constructor(
    readonly root: string,
    readonly dir: string,
    readonly reader: (file: string, text: string, mtime: number, unreadable?: string) => Value,
  ) {}

  /** Scans everything. @param turn Is taken after each entry. */
  async look(turn: Turn) {
    const rows = new Map<string, FileRow<Value>>();
    /** Folders that could not be listed. */
    const unreadable: Unreadable[] = [];
    /** Our temporary files, as absolute paths. */
    const temporaries: string[] = [];
    this.#tags = 0;
    for (const entry of walkPlan(this.root, this.dir)) {
      if (entry.kind === "file") {
        const row = this.#rowOf(entry.file, entry.real);
        if (row !== undefined) rows.set(entry.file, row);
      } else if (entry.kind === "temporary") temporaries.push(entry.real);
      else if (entry.kind === "unreadable") {
        unreadable.push({ file: entry.file, reason: this.#reasonOf(entry.error) });
      } else await turn();
    }
    this.#rows = rows;
    return { files: Array.from(rows.values(), ({ value }) => value), unreadable, temporaries };
  }

  /** Reads a file if it has changed; `undefined` if it is gone. @param real Its real path. */
  #rowOf(file: string, real: string): FileRow<Value> | undefined {
    const last = this.#rows.get(file);
    const readAt = Date.now();
    let stamp: string | undefined;
    let tags = 0;
    try {
      const info = Deno.lstatSync(real);
      stamp = stampOf(info);
      const isSame = last?.stamp !== undefined && stamp === last.stamp &&
        isSettled(stamp, last.readAt);
      if (isSame && last.isBeyond === this.#tags + last.tags > MOST_TAGS) {
        this.#tags += last.tags;
        return last;
      }
      const text = readInside(this.root, join(this.dir, file), "plan");
      tags = text.split("{%").length - 1;
      this.#tags += tags;
      const isBeyond = this.#tags > MOST_TAGS;
      const most = countAndLimit(this.#tags, "tags", MOST_TAGS);
      const value = isBeyond
        ? this.reader(file, "", 0, `with the files before, it has ${most}`)
        : this.reader(file, text, modifiedAt(info));
      return { value, tags, isBeyond, stamp, readAt };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      const unreadable = this.#reasonOf(error);
      const isSame = last?.unreadable === unreadable;
      const value = isSame ? last.value : this.reader(file, "", 0, unreadable);
      // A text that is too hard to parse stays so until the file changes.
      const again = isTooHard(error) ? stamp : undefined;
      return { value, unreadable, tags, isBeyond: false, stamp: again, readAt };
    }
  }

  /** The message without the absolute path of the project. */
  #reasonOf(error: unknown): string {
    return refusalToError(error, this.root)?.message ?? messageOf(error);
  }
}

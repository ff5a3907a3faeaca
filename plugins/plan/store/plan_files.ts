/**
 * The files of a plan on disk, and their parsed texts. Each scan lists all folders, compares the
 * files' stamps, and reads the changed files; nothing is watched. A text is parsed once, found by its
 * hash, and stored for the next start.
 */

import { join } from "node:path";
import { countAndLimit } from "../../../src/plain_text.ts";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import { isNotFound } from "../../../src/io/paths.ts";
import { refusalToError } from "../../../src/io/permissions.ts";
import { readInside } from "../../../src/io/read.ts";
import { type Turn, waitAtMost } from "../../../src/io/turns.ts";
import { isSettled, modifiedAt, stampOf } from "../../../src/io/reads.ts";
import { blobHash } from "../../../src/io/git_objects.ts";
import type { Kept, OpenKept } from "../../../src/io/kept.ts";
import { type KnownSections, type ParsedText, parseText } from "../entity/contents.ts";
import type { PlanFile } from "../entity/entity.ts";
import { type Version, versionOf } from "../entity/version.ts";
import type { Unreadable } from "./plan.ts";
import { walkPlan } from "./walk.ts";

/** How many tags all files of a plan may have; 10,000 entities with ten references each have a third. */
const MOST_TAGS = 300_000;

/** A file, with the value that the reader made of it. */
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
  async scan(turn: Turn) {
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

/** Goes up whenever the same text is parsed to something else. */
const FORMAT = 2;
/** From so many new texts on, they are stored for the next start. */
const MANY_TEXTS = 20;
/** How long reading waits for the texts that an earlier start stored, in milliseconds. */
const OPENING_MS = 300;
/** The timeout of git, in milliseconds: it runs for no single call, so no signal ends it. */
const GIT_MS = 1000;
/** The hash's length. */
const DIGITS = 64;

export class ParsedTexts {
  readonly #name: string;
  #kept: Kept | undefined;
  #texts: ReadonlyMap<string, ParsedText> = new Map();
  /** The hashes of the texts that are stored. */
  #stored: ReadonlySet<string> = new Set();
  #opening: Promise<void> | undefined;

  /** @param dir The plan's directory, absolute. @param sections What the meaning of texts depends on. */
  constructor(
    dir: string,
    readonly sections: KnownSections,
    readonly openKept: OpenKept | undefined,
  ) {
    this.#name = `texts ${FORMAT} ${dir} ${JSON.stringify(sections)}`;
  }

  /**
   * Returns a file with its parsed text.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard to parse.
   */
  readonly fileOf = (file: string, text: string, mtime = 0, unreadable?: string): PlanFile => {
    const hash = blobHash(text, DIGITS);
    const parsed = this.#texts.get(hash) ?? { ...parseText(text, this.sections), hash };
    const isCrlf = text.includes("\r\n");
    const isEmpty = text === "" && unreadable === undefined;
    return { file, mtime, parsed, isEmpty, isCrlf, unreadable: unreadable ?? parsed.broken };
  };

  /** Returns the version in a text of a commit, which often is that of a file that was parsed. */
  readonly version = (text: string): Version | null => {
    const parsed = this.#texts.get(blobHash(text, DIGITS));
    return parsed === undefined ? versionOf(text) : parsed.entity ?? null;
  };

  /** Waits a moment for the texts that an earlier start stored. */
  async open(): Promise<void> {
    if (this.openKept === undefined) return;
    this.#opening ??= this.#read().catch(() => {});
    await waitAtMost(OPENING_MS, this.#opening, () => {});
  }

  async #read(): Promise<void> {
    this.#kept = await this.openKept?.({ timeoutMs: GIT_MS });
    const texts = await this.#kept?.get(this.#name) as readonly ParsedText[] | undefined;
    this.#texts = new Map((texts ?? []).map((text) => [text.hash!, text]));
    this.#stored = new Set(this.#texts.keys());
  }

  /** Keeps the parsed texts of files, and stores them for the next start if many are new. */
  async keep(files: readonly PlanFile[]): Promise<void> {
    this.#texts = new Map(
      files.flatMap(({ parsed }) => parsed.hash === undefined ? [] : [[parsed.hash, parsed]]),
    );
    const hashes = new Set(this.#texts.keys());
    if (this.#kept === undefined || hashes.difference(this.#stored).size < MANY_TEXTS) return;
    this.#stored = hashes;
    await this.#kept.put(this.#name, [...this.#texts.values()]);
  }
}

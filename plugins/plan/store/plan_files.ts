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

/**
 * Returns a function that scans the files of a plan, and takes a turn after each entry.
 *
 * @param root The project, which files must not leave. @param dir The plan, absolute.
 * @param reader Makes a value of a file that has changed.
 */
export function fileScanner<Value>(
  root: string,
  dir: string,
  reader: (file: string, text: string, mtime: number, unreadable?: string) => Value,
) {
  let rows: ReadonlyMap<string, FileRow<Value>> = new Map();
  /** The message without the absolute path of the project. */
  const reasonOf = (error: unknown) => refusalToError(error, root)?.message ?? messageOf(error);
  return async (turn: Turn) => {
    const now = new Map<string, FileRow<Value>>();
    /** Folders that could not be listed. */
    const unreadable: Unreadable[] = [];
    /** Our temporary files, as absolute paths. */
    const temporaries: string[] = [];
    /** The tags of the files that the scan has passed. */
    let tags = 0;
    for (const entry of walkPlan(root, dir)) {
      if (entry.kind === "file") {
        const row = rowOf(entry.file, entry.real, tags);
        if (row !== undefined) now.set(entry.file, row);
        tags += row?.tags ?? 0;
      } else if (entry.kind === "temporary") temporaries.push(entry.real);
      else if (entry.kind === "unreadable") {
        unreadable.push({ file: entry.file, reason: reasonOf(entry.error) });
      } else await turn();
    }
    rows = now;
    return { files: Array.from(rows.values(), ({ value }) => value), unreadable, temporaries };
  };

  /** Reads a file if it has changed; `undefined` if it is gone. @param real Its real path. */
  function rowOf(file: string, real: string, tagsBefore: number): FileRow<Value> | undefined {
    const last = rows.get(file);
    const readAt = Date.now();
    let stamp: string | undefined;
    let tags = 0;
    try {
      const info = Deno.lstatSync(real);
      stamp = stampOf(info);
      const isSame = last?.stamp !== undefined && stamp === last.stamp &&
        isSettled(stamp, last.readAt);
      if (isSame && last.isBeyond === tagsBefore + last.tags > MOST_TAGS) return last;
      const text = readInside(root, join(dir, file), "plan");
      tags = text.split("{%").length - 1;
      const isBeyond = tagsBefore + tags > MOST_TAGS;
      const most = countAndLimit(tagsBefore + tags, "tags", MOST_TAGS);
      const value = isBeyond
        ? reader(file, "", 0, `with the files before, it has ${most}`)
        : reader(file, text, modifiedAt(info));
      return { value, tags, isBeyond, stamp, readAt };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      const unreadable = reasonOf(error);
      const isSame = last?.unreadable === unreadable;
      const value = isSame ? last.value : reader(file, "", 0, unreadable);
      // A text that is too hard to parse stays so until the file changes.
      const again = isTooHard(error) ? stamp : undefined;
      return { value, unreadable, tags, isBeyond: false, stamp: again, readAt };
    }
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

/**
 * The parsed texts of a plan.
 *
 * @param dir The plan's directory, absolute. @param sections What the meaning of texts depends on.
 */
export function parsedTexts(dir: string, sections: KnownSections, openKept: OpenKept | undefined) {
  const name = `texts ${FORMAT} ${dir} ${JSON.stringify(sections)}`;
  let kept: Kept | undefined;
  let texts: ReadonlyMap<string, ParsedText> = new Map();
  /** The hashes of the texts that are stored. */
  let stored: ReadonlySet<string> = new Set();
  /** The last one: a text that was just written is read by the next scan. */
  let latest: ParsedText | undefined;
  let opening: Promise<void> | undefined;
  const readKept = async () => {
    kept = await openKept?.({ timeoutMs: GIT_MS });
    const last = await kept?.get(name) as readonly ParsedText[] | undefined;
    texts = new Map((last ?? []).map((text) => [text.hash!, text]));
    stored = new Set(texts.keys());
  };
  return {
    /**
     * Returns a file with its parsed text.
     *
     * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard to parse.
     */
    fileOf(file: string, text: string, mtime = 0, unreadable?: string): PlanFile {
      const hash = blobHash(text, DIGITS);
      const parsed = texts.get(hash) ??
        (latest?.hash === hash ? latest : { ...parseText(text, sections), hash });
      latest = parsed;
      const isCrlf = text.includes("\r\n");
      const isEmpty = text === "" && unreadable === undefined;
      return { file, mtime, parsed, isEmpty, isCrlf, unreadable: unreadable ?? parsed.broken };
    },
    /** Returns the version in a text of a commit, which often is that of a file that was parsed. */
    version(text: string): Version | null {
      const parsed = texts.get(blobHash(text, DIGITS));
      return parsed === undefined ? versionOf(text) : parsed.entity ?? null;
    },
    /** Waits a moment for the texts that an earlier start stored. */
    async open() {
      if (openKept !== undefined) {
        await waitAtMost(OPENING_MS, opening ??= readKept().catch(() => {}), () => {});
      }
    },
    /** Keeps the parsed texts of files, and stores them for the next start if many are new. */
    async keep(files: readonly PlanFile[]) {
      texts = new Map(
        files.flatMap(({ parsed }) => parsed.hash === undefined ? [] : [[parsed.hash, parsed]]),
      );
      const hashes = new Set(texts.keys());
      if (kept === undefined || hashes.difference(stored).size < MANY_TEXTS) return;
      stored = hashes;
      await kept.put(name, [...texts.values()]);
    },
  };
}

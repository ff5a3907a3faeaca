/** What texts of a plan say, by their hashes: each is parsed once, and kept for the next start. */

import { blobHash } from "../../../src/io/git_objects.ts";
import type { Kept, OpenKept } from "../../../src/io/kept.ts";
import { waitAtMost } from "../../../src/io/turns.ts";
import { type KnownSections, type ParsedText, parseText } from "../entity/contents.ts";
import type { PlanFile } from "../entity/entity.ts";
import { type Version, versionOf } from "../entity/version.ts";

/** Goes up whenever the same text says something else than before. */
const FORMAT = 2;
/** From so many new texts on, the next start begins with them. */
const MANY_TEXTS = 20;
/** How long reading waits for what the start before left, in milliseconds. */
const OPENING_MS = 300;
/** Git is stopped after these milliseconds: it runs for no single call whose end would end it. */
const GIT_MS = 1000;
/** The hash's length. */
const DIGITS = 64;

export class ParsedTexts {
  readonly #name: string;
  #kept: Kept | undefined;
  #texts: ReadonlyMap<string, ParsedText> = new Map();
  /** The hashes of those that the next start has. */
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
   * A file with what it says.
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

  /** What versions of entities are compared by, in a text of a commit, which files often have still. */
  readonly version = (text: string): Version | null => {
    const parsed = this.#texts.get(blobHash(text, DIGITS));
    return parsed === undefined ? versionOf(text) : parsed.entity ?? null;
  };

  /** Waits a moment for what the start before left. */
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

  /** Keeps what files say, also for the next start. */
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

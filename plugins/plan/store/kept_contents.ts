/** What the plan's files say below their first lines, kept for the next start by hash of the text. */

import * as z from "zod";
import { blobHash } from "../../../src/io/blob_hash.ts";
import type { Kept, OpenKept } from "../../../src/io/kept.ts";
import { waitAtMost } from "../../../src/io/wait.ts";
import { type Contents, contents, type KnownSections } from "../entity/contents.ts";
import type { ContentsReader, HashedContents } from "../entity/entity.ts";
import type { Keeper } from "./plan.ts";

/** From so many new texts on, the next start begins with them. */
const MANY_TEXTS = 20;
/** How long reading waits for what the start before left, in milliseconds. */
const OPENING_MS = 300;
/** Git is stopped after these milliseconds: it runs for no single call whose end would end it. */
const GIT_MS = 1000;
/** The hash's length; a repository of the same text has the shorter one. */
const DIGITS = 64;

/** Kept as they are: answers have the keys of contents in their order. */
const keptContents = z.array(z.tuple([
  z.string(),
  z.custom<Contents>((value) => contents.safeParse(value).success),
]));

export class KeptContents implements Keeper {
  readonly #name: string;
  #kept: Kept | undefined;
  #known: ReadonlyMap<string, Contents> = new Map();
  #opening: Promise<void> | undefined;
  /** How many texts had to be parsed since the last were kept. */
  #parsed = 0;

  /** @param dir The plan's directory, absolute. @param known The sections that contents depend on. */
  constructor(dir: string, known: KnownSections, readonly openKept: OpenKept | undefined) {
    const sections = Object.entries(known.byType).map(([type, all]) => [type, [...all]]);
    this.#name = `contents ${dir} ${JSON.stringify([sections, known.hasDirections])}`;
  }

  /** Returns what a text says, and parses it only if the start before did not. */
  readonly of: ContentsReader = (text, parse) => {
    if (this.openKept === undefined) return { contents: parse(), hash: undefined };
    const hash = blobHash(text, DIGITS);
    const found = this.#known.get(hash);
    if (found === undefined) this.#parsed++;
    return { contents: found ?? parse(), hash };
  };

  /** Waits a moment for what the start before left. */
  async open(): Promise<void> {
    if (this.openKept === undefined) return;
    this.#opening ??= this.#read().catch(() => {});
    await waitAtMost(OPENING_MS, this.#opening, () => {});
  }

  async #read(): Promise<void> {
    this.#kept = await this.openKept?.({ timeoutMs: GIT_MS });
    const { data } = keptContents.safeParse(await this.#kept?.get(this.#name));
    this.#known = new Map(data);
  }

  /** Leaves what the files say to the next start. */
  async keep(files: readonly HashedContents[]): Promise<void> {
    if (this.#parsed < MANY_TEXTS || this.#kept === undefined) return;
    this.#parsed = 0;
    const all = files.flatMap(({ hash, contents }) => hash === undefined ? [] : [[hash, contents]]);
    await this.#kept.put(this.#name, all);
  }
}

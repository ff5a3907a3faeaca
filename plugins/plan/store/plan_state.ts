/** The state of a plan at one scan. */

import { meantBy } from "../../../src/plain_text.ts";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { turnTaker } from "../../../src/io/turns.ts";
import { contentsOf, type KnownSections } from "../entity/contents.ts";
import { read } from "../entity/document.ts";
import { type Contents, NO_CONTENTS, type PlanEntity, planEntity } from "../entity/entity.ts";
import { headOf } from "../entity/head.ts";
import type { KeptContents } from "./kept_contents.ts";

/** How long a derived value is cached: plugin answers may depend on the date. */
const KEPT_MS = 60_000;
/** How many derived values are cached: their keys contain arguments. */
const MAX_ANSWERS = 32;

/** A file that was read, with the time of its last change in milliseconds; or why it was not. */
export type FileContent =
  | { readonly text: string; readonly mtime: number }
  | { readonly unreadable: string };

export class StoredFile {
  /** Relative to the plan, with `/`. */
  readonly file: string;
  readonly entity: PlanEntity | null = null;
  /** Editors may empty a file while they save it. */
  readonly isEmpty: boolean = false;
  /** Why it cannot be read; some texts turn out to be too hard to parse when they are needed. */
  unreadable: string | undefined;
  readonly isCrlf: boolean = false;
  /** Of its text, if what it says is kept for the next start. */
  hash: string | undefined;
  #contents = NO_CONTENTS;
  /** Parses the file; `undefined` once it is parsed, so that its text is not kept. */
  #parse: (() => Contents) | undefined;

  /**
   * Parses files that do not begin as most do; the others on first use.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard to parse.
   */
  constructor(file: string, content: FileContent, known: KnownSections, kept?: KeptContents) {
    this.file = file;
    if ("unreadable" in content) {
      this.unreadable = content.unreadable;
      return;
    }
    const { text, mtime } = content;
    this.isEmpty = text === "";
    this.isCrlf = text.includes("\r\n");
    let head = headOf(text);
    if (head !== undefined || !text.includes("{%")) {
      const parse = () => contentsOf(read(text), known);
      this.#parse = () => {
        const { contents, hash } = kept?.of(text, parse) ?? { contents: parse() };
        this.hash = hash;
        return contents;
      };
    } else {
      const document = read(text);
      this.#contents = contentsOf(document, known);
      const { broken, entity } = document;
      if (broken !== undefined) {
        const why = broken.message.replace(/\.$/, "");
        this.unreadable = `the tag in line ${broken.line} is not valid: ${why}`;
      }
      const { type, attributes, title } = entity ?? {};
      head = type && { type, attributes: attributes!, title: title?.text };
    }
    this.entity = head === undefined ? null : planEntity(head, file, mtime, () => this.contents);
  }

  /** What its text says, except for the head of its entity. */
  get contents(): Contents {
    try {
      if (this.#parse !== undefined) this.#contents = this.#parse();
    } catch (error) {
      if (!isTooHard(error)) throw error;
      this.unreadable = messageOf(error);
    }
    this.#parse = undefined;
    return this.#contents;
  }
}

type EntityFile = StoredFile & { readonly entity: PlanEntity };

/** A folder or file that could not be read; the path is empty for the plan itself. */
export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

export class PlanState {
  /** Every Markdown file, sorted by path. */
  readonly files: readonly StoredFile[];
  readonly entityFiles: readonly EntityFile[];
  readonly entities: readonly PlanEntity[];
  /** The folders that could not be listed. */
  readonly folders: readonly Unreadable[];
  readonly #byId: ReadonlyMap<string, readonly EntityFile[]>;
  /** Ids by their lower case. */
  #spellings: ReadonlyMap<string, string> | undefined;
  readonly #answers = new Map<string, { readonly value: unknown; readonly until: number }>();
  readonly #kept: KeptContents | undefined;

  constructor(files: readonly StoredFile[], folders: readonly Unreadable[], kept?: KeptContents) {
    this.#kept = kept;
    this.files = files;
    this.folders = folders;
    this.entityFiles = files.filter((one): one is EntityFile => one.entity !== null);
    this.entities = this.entityFiles.map(({ entity }) => entity);
    const named = this.entityFiles.filter(({ entity: { id } }) => id !== undefined);
    this.#byId = Map.groupBy(named, ({ entity: { id } }) => id!);
  }

  /** The folders, and the files that could not be read. */
  get unreadable(): readonly Unreadable[] {
    return this.folders.concat(
      this.files.flatMap(({ file, unreadable: reason }) =>
        reason === undefined ? [] : { file, reason }
      ),
    );
  }

  /** Whether most files have CRLF line ends, so that a new one should have them. */
  get isCrlf(): boolean {
    return this.files.filter(({ isCrlf }) => isCrlf).length * 2 > this.files.length;
  }

  /** Returns an id or file as the plan writes it, for one given in any case or as it was shown. */
  spelled(id: string): string {
    if (this.#byId.has(id)) return id;
    this.#spellings ??= new Map([...this.#byId.keys()].map((one) => [one.toLowerCase(), one]));
    return this.#spellings.get(id.toLowerCase()) ??
      meantBy(id, [...this.#byId.keys(), ...this.files.map(({ file }) => file)]) ?? id;
  }

  /** Returns the files of all entities with this id, or this milestone's name. */
  allOf(id: string): readonly EntityFile[] {
    return this.#byId.get(id) ?? [];
  }

  /** Parses what is left of all files. @param isAwaited Whether a call waits for that. */
  async readDocuments(isAwaited?: () => boolean): Promise<void> {
    await this.#kept?.open();
    const turn = turnTaker(undefined, isAwaited);
    for (const file of this.files) {
      void file.contents;
      await turn();
    }
    void this.#kept?.keep(this.files);
  }

  /**
   * Caches a value that depends only on this state and the key, for a minute. Callers share it and
   * must not change it.
   */
  async derived<Value>(key: string, make: () => Value | Promise<Value>): Promise<Value> {
    const known = this.#answers.get(key);
    if (known !== undefined && performance.now() < known.until) return known.value as Value;
    const value = await make();
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear();
    this.#answers.set(key, { value, until: performance.now() + KEPT_MS });
    return value;
  }
}

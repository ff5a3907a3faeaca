/**
 * A plan as one look found it.
 *
 * @module
 */

import { isTooHard } from "../../../src/io/markup_limits.ts";
import { type Document, namesIn, read } from "../document.ts";
import { type ParsedEntity, type PlanEntity, planEntity } from "../entity.ts";

/** How long an answer is kept, in milliseconds: the plugin may look at the date. */
const KEPT_MS = 60_000;
/** How many answers are kept: their keys contain arguments. */
const MOST_ANSWERS = 32;

/** A document without its text, which takes most of the memory; see {@linkcode PlanStore.source}. */
export interface StoredDocument extends Pick<Document, "entity" | "further" | "conflict"> {
  /** What looks like an id or a version after its opening tag, each once. */
  readonly names: readonly string[];
}

/** One Markdown file. */
export class StoredFile {
  /** Its path relative to the plan, with `/`. */
  readonly file: string;
  /** Its entity as the plugin parses it, with the criteria of its document; `null` for none. */
  readonly entity: PlanEntity | null;
  /** Whether nothing is in it, as while an editor saves it. */
  readonly isEmpty: boolean;
  /** Why it could not be read. */
  readonly unreadable: string | undefined;
  /** Its text until its document is read. */
  #text: string;
  #document: StoredDocument | undefined;

  /**
   * @param text Its text, or why it cannot be read.
   * @param parsed Its entity as the plugin parses it.
   * @param mtime When the file was last changed, in milliseconds.
   */
  constructor(
    file: string,
    text: string | { readonly unreadable: string },
    parsed: ParsedEntity | null = null,
    mtime = 0,
  ) {
    this.file = file;
    this.isEmpty = text === "";
    [this.#text, this.unreadable] = typeof text === "string"
      ? [text, undefined]
      : ["", text.unreadable];
    this.entity = parsed && planEntity(parsed, mtime, () => this.document.entity?.criteria ?? []);
  }

  /** Its document, read when it is first needed. */
  get document(): StoredDocument {
    if (this.#document === undefined) {
      this.#document = readStored(this.#text);
      this.#text = "";
    }
    return this.#document;
  }
}

function readStored(source: string): StoredDocument {
  try {
    const { text, entity, further, conflict } = read(source);
    // A copy: parts of a string keep the whole of it in memory.
    const names: string[] = JSON.parse(JSON.stringify(namesIn(text.slice(entity?.tag.end))));
    return { entity, further, conflict, names };
  } catch (error) {
    if (!isTooHard(error)) throw error;
    return { entity: undefined, further: [], conflict: undefined, names: [] };
  }
}

/** A file with an entity. */
export type EntityFile = StoredFile & { readonly entity: PlanEntity };

/** A folder or file that could not be read. */
export interface Unreadable {
  /** Its path relative to the plan; empty for the plan itself. */
  readonly file: string;
  /** What the system said. */
  readonly reason: string;
}

/** The files of a plan, as they were at one moment. */
export class PlanState {
  /** Every Markdown file, by path. */
  readonly files: readonly StoredFile[];
  /** Those with an entity. */
  readonly entityFiles: readonly EntityFile[];
  /** Every entity, by path. */
  readonly entities: readonly PlanEntity[];
  /** The folders that could not be listed. */
  readonly folders: readonly Unreadable[];
  /** What could not be read: these folders, and files. */
  readonly unreadable: readonly Unreadable[];
  readonly #byId: ReadonlyMap<string, readonly EntityFile[]>;
  readonly #answers = new Map<string, { readonly value: unknown; readonly until: number }>();

  /**
   * @param files Every Markdown file, by path.
   * @param folders The folders that could not be listed.
   */
  constructor(files: readonly StoredFile[], folders: readonly Unreadable[]) {
    this.files = files;
    this.folders = folders;
    this.entityFiles = files.filter((one): one is EntityFile => one.entity !== null);
    this.entities = this.entityFiles.map(({ entity }) => entity);
    this.unreadable = folders.concat(
      files.flatMap(({ file, unreadable: reason }) => reason === undefined ? [] : { file, reason }),
    );
    const named = this.entityFiles.filter(({ entity: { id } }) => id !== undefined);
    this.#byId = Map.groupBy(named, ({ entity: { id } }) => id!);
  }

  /** Every file whose entity has this id, or this name of a milestone. */
  allOf(id: string): readonly EntityFile[] {
    return this.#byId.get(id) ?? [];
  }

  /** Reads the documents of all files, one a step. */
  *readDocuments(): Generator<void, void> {
    for (const file of this.files) {
      void file.document;
      yield;
    }
  }

  /**
   * A value that depends on this state and the key alone, kept for a minute. Callers share it
   * and must not change it.
   */
  async derived<Value>(key: string, make: () => Value | Promise<Value>): Promise<Value> {
    const known = this.#answers.get(key);
    if (known !== undefined && performance.now() < known.until) return known.value as Value;
    const value = await make();
    if (this.#answers.size >= MOST_ANSWERS) this.#answers.clear();
    this.#answers.set(key, { value, until: performance.now() + KEPT_MS });
    return value;
  }
}

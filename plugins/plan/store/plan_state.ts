/** The state of a plan at one scan. */

import { isTooHard } from "../../../src/io/markup_limits.ts";
import { type Document, namesIn, read } from "../entity/document.ts";
import {
  type Criterion,
  type ParsedEntity,
  type PlanEntity,
  planEntity,
} from "../entity/entity.ts";

import { parseInSlices } from "./slices.ts";

/** How long a derived value is cached: plugin answers may depend on the date. */
const KEPT_MS = 60_000;
/** How many derived values are cached: their keys contain arguments. */
const MAX_ANSWERS = 32;

/** The part of a document that is cached; its text and offsets would take most of the memory. */
export interface StoredDocument extends Pick<Document, "further" | "conflict"> {
  readonly criteria: readonly Criterion[];
  /** The offset after the opening tag; 0 without an entity. */
  readonly bodyStart: number;
  /** The distinct ids and versions after the opening tag. */
  readonly names: readonly string[];
}

export class StoredFile {
  /** Relative to the plan, with `/`. */
  readonly file: string;
  /** The entity as the plugin parses it, with the criteria of the document. */
  readonly entity: PlanEntity | null;
  /** Editors may empty a file while they save it. */
  readonly isEmpty: boolean;
  readonly unreadable: string | undefined;
  readonly isCrlf: boolean;
  /** The text until the document is parsed. */
  #text: string;
  #document: StoredDocument | undefined;

  /** @param mtime In milliseconds. */
  constructor(
    file: string,
    text: string | { readonly unreadable: string },
    parsed: ParsedEntity | null = null,
    mtime = 0,
  ) {
    this.file = file;
    this.isEmpty = text === "";
    this.isCrlf = typeof text === "string" && text.includes("\r\n");
    this.#text = typeof text === "string" ? text : "";
    this.unreadable = typeof text === "string" ? undefined : text.unreadable;
    this.entity = parsed && planEntity(parsed, mtime, () => this.document.criteria);
  }

  /** Parsed on first use. */
  get document(): StoredDocument {
    this.#document ??= readStored(this.#text);
    this.#text = "";
    return this.#document;
  }
}

function readStored(text: string): StoredDocument {
  try {
    const document = read(text);
    const { entity, further, conflict } = document;
    const criteria = (entity?.criteria ?? []).map(({ text, checked }) => ({ text, checked }));
    return {
      criteria,
      bodyStart: entity?.tag.end ?? 0,
      further,
      conflict,
      names: namesIn(document),
    };
  } catch (error) {
    if (!isTooHard(error)) throw error;
    return { criteria: [], bodyStart: 0, further: [], conflict: undefined, names: [] };
  }
}

export type EntityFile = StoredFile & { readonly entity: PlanEntity };

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
  /** These folders, and the files that could not be read. */
  readonly unreadable: readonly Unreadable[];
  readonly #byId: ReadonlyMap<string, readonly EntityFile[]>;
  /** Ids by their lower case. */
  #spellings: ReadonlyMap<string, string> | undefined;
  readonly #answers = new Map<string, { readonly value: unknown; readonly until: number }>();

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

  /** Whether most files have CRLF line ends, so that a new one should have them. */
  get isCrlf(): boolean {
    return this.files.filter(({ isCrlf }) => isCrlf).length * 2 > this.files.length;
  }

  /** Returns an id as the plan writes it, for one given in any case. */
  spelled(id: string): string {
    if (this.#byId.has(id)) return id;
    this.#spellings ??= new Map([...this.#byId.keys()].map((one) => [one.toLowerCase(), one]));
    return this.#spellings.get(id.toLowerCase()) ?? id;
  }

  /** Returns the files of all entities with this id, or this milestone's name. */
  allOf(id: string): readonly EntityFile[] {
    return this.#byId.get(id) ?? [];
  }

  /** Parses the documents of all files. @param isAwaited Whether a call waits for that. */
  readDocuments(isAwaited?: () => boolean): Promise<void> {
    return parseInSlices(() => this.#eachDocument(), isAwaited);
  }

  *#eachDocument(): Generator<void, void> {
    for (const file of this.files) {
      void file.document;
      yield;
    }
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

/** The state of a plan at one scan. */

import { meantBy } from "../../../src/plain_text.ts";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/io/markup_limits.ts";
import { headOf } from "../entity/agreement.ts";
import { type Document, namesIn } from "../entity/document.ts";
import {
  type Contents,
  type Head,
  NO_CONTENTS,
  type ParseFile,
  type PlanEntity,
  planEntity,
} from "../entity/entity.ts";
import { detached } from "../entity/tag.ts";
import { parseInSlices } from "./slices.ts";

/** How long a derived value is cached: plugin answers may depend on the date. */
const KEPT_MS = 60_000;
/** How many derived values are cached: their keys contain arguments. */
const MAX_ANSWERS = 32;

/** What is cached of a file; its text and offsets would take most of the memory. */
export interface Stored extends Contents, Pick<Document, "further" | "conflict"> {
  /** The offset after the opening tag; 0 without an entity. */
  readonly bodyStart: number;
  /** The distinct ids and versions after the opening tag. */
  readonly names: readonly string[];
}

const NOTHING: Stored = {
  ...NO_CONTENTS,
  bodyStart: 0,
  further: [],
  conflict: undefined,
  names: [],
};

/** A file that was read, with the time of its last change in milliseconds; or why it was not. */
export type FileContent =
  | { readonly text: string; readonly mtime: number }
  | { readonly unreadable: string };

export class StoredFile {
  /** Relative to the plan, with `/`. */
  readonly file: string;
  /** The entity as the plugin parses it, with the criteria of the document. */
  readonly entity: PlanEntity | null = null;
  /** Editors may empty a file while they save it. */
  readonly isEmpty: boolean = false;
  /** Why it cannot be read; some texts turn out to be too hard to parse when they are needed. */
  unreadable: string | undefined;
  readonly isCrlf: boolean = false;
  #stored = NOTHING;
  /** Parses the file; `undefined` once it is parsed, so that its text is not kept. */
  #parse: (() => Stored) | undefined;

  /**
   * Parses files that do not begin as most do; the others on first use.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` if the text is ambiguous, or too hard to parse.
   */
  constructor(
    file: string,
    content: FileContent,
    parse: ParseFile,
  ) {
    this.file = file;
    if ("unreadable" in content) {
      this.unreadable = content.unreadable;
      return;
    }
    const { text, mtime } = content;
    this.isEmpty = text === "";
    this.isCrlf = text.includes("\r\n");
    let head: Head | null = headOf(text) ?? null;
    if (head !== null || !text.includes("{%")) {
      this.#parse = () => storedOf(parse(text, file));
    } else {
      const found = parse(text, file);
      this.#stored = storedOf(found);
      head = detached(found.parsed);
    }
    this.entity = head && planEntity(head, file, mtime, () => this.document);
  }

  /** What its text says, except for the head of its entity. */
  get document(): Stored {
    try {
      if (this.#parse !== undefined) this.#stored = this.#parse();
    } catch (error) {
      if (!isTooHard(error)) throw error;
      this.unreadable = messageOf(error);
    }
    this.#parse = undefined;
    return this.#stored;
  }
}

function storedOf({ document, parsed }: ReturnType<ParseFile>): Stored {
  const { entity, further, conflict } = document;
  const { refs, scopedRefs, knownSectionsPresent, resolution, dependencies } = parsed ??
    NO_CONTENTS;
  return detached({
    criteria: (entity?.criteria ?? []).map(({ text, checked }) => ({ text, checked })),
    refs,
    scopedRefs,
    knownSectionsPresent,
    resolution,
    dependencies,
    bodyStart: entity?.tag.end ?? 0,
    further,
    conflict,
    names: namesIn(document),
  });
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
  readonly #byId: ReadonlyMap<string, readonly EntityFile[]>;
  /** Ids by their lower case. */
  #spellings: ReadonlyMap<string, string> | undefined;
  readonly #answers = new Map<string, { readonly value: unknown; readonly until: number }>();

  constructor(files: readonly StoredFile[], folders: readonly Unreadable[]) {
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

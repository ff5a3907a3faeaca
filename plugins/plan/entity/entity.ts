/** A file of the plan, and the entity in it as plain data. */

import { shortText } from "../../../src/plain_text.ts";
import { messageOf } from "../../../src/errors.ts";
import { isTooHard } from "../../../src/markdoc/markup_limits.ts";
import type { EntityType } from "./types.ts";
import { type Contents, contentsOf, type KnownSections, NO_CONTENTS } from "./contents.ts";
import { read } from "./document.ts";
import { type Head, headOf } from "./head.ts";

/** In characters. */
const MAX_TITLE = 1000;

/** A file that was read, with the time of its last change in milliseconds; or why it was not. */
export type FileContent =
  | { readonly text: string; readonly mtime: number }
  | { readonly unreadable: string };

/** What a text says, with its hash if that is kept for the next start. */
export interface HashedContents {
  readonly contents: Contents;
  readonly hash: string | undefined;
}

/** Returns what a text says, and parses it only if that is not known yet. */
export type ContentsReader = (text: string, parse: () => Contents) => HashedContents;

const parseAlways: ContentsReader = (_text, parse) => ({ contents: parse(), hash: undefined });

export class PlanFile {
  /** Relative to the plan, with `/`. */
  readonly file: string;
  /** When it was last changed, in milliseconds. */
  readonly mtime: number = 0;
  /** The first lines of its entity; `undefined` without one. */
  readonly head: Head | undefined;
  /** Editors may empty a file while they save it. */
  readonly isEmpty: boolean = false;
  readonly isCrlf: boolean = false;
  /** Why it cannot be read; some texts turn out to be too hard to parse when they are needed. */
  unreadable: string | undefined;
  /** Of its text, if what it says is kept for the next start. */
  hash: string | undefined;
  #contents = NO_CONTENTS;
  /** Parses the file; `undefined` once it is parsed, so that its text is not kept. */
  #parse: (() => HashedContents) | undefined;

  /**
   * Parses files that do not begin as most do; the others on first use.
   *
   * @throws {RefraktError} `VALIDATION_ERROR` if the text is too hard to parse.
   */
  constructor(
    file: string,
    content: FileContent,
    known: KnownSections,
    readContents: ContentsReader = parseAlways,
  ) {
    this.file = file;
    if ("unreadable" in content) {
      this.unreadable = content.unreadable;
      return;
    }
    const { text, mtime } = content;
    this.mtime = mtime;
    this.isEmpty = text === "";
    this.isCrlf = text.includes("\r\n");
    const head = headOf(text);
    if (head !== undefined || !text.includes("{%")) {
      this.head = head && { ...head, title: shortText(head.title, MAX_TITLE) };
      this.#parse = () => readContents(text, () => contentsOf(read(text), known));
      return;
    }
    const document = read(text);
    const { broken, entity } = document;
    this.#contents = contentsOf(document, known);
    if (broken !== undefined) {
      const why = broken.message.replace(/\.$/, "");
      this.unreadable = `the tag in line ${broken.line} is not valid: ${why}`;
    }
    if (entity === undefined) return;
    const { type, attributes, title } = entity;
    this.head = { type, attributes, title: shortText(title?.text ?? "", MAX_TITLE) };
  }

  /** The id of its entity, or a milestone's name. */
  get id(): string | undefined {
    return this.head?.attributes["id"] || this.head?.attributes["name"] || undefined;
  }

  /** What its text says, except for the head of its entity. */
  get contents(): Contents {
    try {
      if (this.#parse !== undefined) {
        ({ contents: this.#contents, hash: this.hash } = this.#parse());
      }
    } catch (error) {
      if (!isTooHard(error)) throw error;
      this.unreadable = messageOf(error);
    }
    this.#parse = undefined;
    return this.#contents;
  }
}

/** An entity. What its file says below the first lines is parsed when it is first needed. */
export class Entity implements Head, Contents {
  /** Its id, a milestone's name, or the file if it has neither. */
  readonly id: string;
  /** Whether it has an id of its own. */
  readonly hasId: boolean;
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  /** Empty if unset, like the title. */
  readonly status: string;
  readonly title: string;
  /** Relative to the plan. */
  readonly file: string;
  readonly mtime: number;

  /** @param finished Whether the status ends the work. */
  constructor(readonly source: PlanFile, head: Head, readonly finished: boolean) {
    const { id, file, mtime } = source;
    this.id = id ?? file;
    this.hasId = id !== undefined;
    this.type = head.type;
    this.attributes = head.attributes;
    this.status = head.attributes["status"] ?? "";
    this.title = head.title;
    this.file = file;
    this.mtime = mtime;
  }

  get criteria(): Contents["criteria"] {
    return this.source.contents.criteria;
  }

  get uncounted(): Contents["uncounted"] {
    return this.source.contents.uncounted;
  }

  get refs(): Contents["refs"] {
    return this.source.contents.refs;
  }

  get scopedRefs(): Contents["scopedRefs"] {
    return this.source.contents.scopedRefs;
  }

  get knownSectionsPresent(): Contents["knownSectionsPresent"] {
    return this.source.contents.knownSectionsPresent;
  }

  get dependencies(): Contents["dependencies"] {
    return this.source.contents.dependencies;
  }

  get resolution(): Contents["resolution"] {
    return this.source.contents.resolution;
  }

  get bareNames(): Contents["bareNames"] {
    return this.source.contents.bareNames;
  }

  get blocks(): Contents["blocks"] {
    return this.source.contents.blocks;
  }

  get note(): Contents["note"] {
    return this.source.contents.note;
  }

  get unclosed(): Contents["unclosed"] {
    return this.source.contents.unclosed;
  }

  get names(): Contents["names"] {
    return this.source.contents.names;
  }

  get bodyStart(): Contents["bodyStart"] {
    return this.source.contents.bodyStart;
  }

  get further(): Contents["further"] {
    return this.source.contents.further;
  }

  get conflict(): Contents["conflict"] {
    return this.source.contents.conflict;
  }
}

/** What marks an id as taken. */
export type TakenId = Pick<Entity, "id" | "type" | "attributes" | "file">;

/** An id that is taken in a file, or in another place. */
export function takenId(id: string, file: string): TakenId {
  return { id, type: "work", attributes: { id }, file };
}

/** Splits a comma-separated attribute. */
export function listed({ attributes }: Entity, name: string): string[] {
  return parts(attributes[name] ?? "");
}

export function parts(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

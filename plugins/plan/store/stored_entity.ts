/**
 * The entities of a store: small, and parsed as far as somebody asked.
 *
 * @module
 */

import { fieldOf } from "../../../src/io/json.ts";
import { plainText } from "../../../src/plain_text.ts";
import type { EntityType } from "../../../src/project/entities.ts";
import {
  type Criterion,
  type Dependency,
  type EntityHeader,
  idOf,
  type ParsedEntity,
  type PlanEntity,
  type Resolution,
  type ScopedRef,
} from "../entity.ts";

/** The most characters of a title; it is shown with nothing hidden in it. */
const MOST_TITLE = 1000;

/** Everything that a parser says of an entity beside its header. */
export type EntityRest = Omit<ParsedEntity, "file" | keyof EntityHeader>;

/** Where an entity gets what has not been parsed yet. */
export interface RestSource {
  /** Parses the rest, of a text or of the file; no string of it keeps the text alive. */
  parseRest(entity: StoredEntity, source?: string): EntityRest;
  /** Entities that were asked for their rest in vain, while that is noted down. */
  missing: Set<StoredEntity> | undefined;
  /** What stands for the rest meanwhile. */
  readonly emptyRest: EntityRest;
}

/** An entity of a store. */
export class StoredEntity implements PlanEntity {
  readonly file: string;
  readonly type: EntityType;
  readonly attributes: Readonly<Record<string, string>>;
  readonly title: string | undefined;
  readonly mtime: number;
  readonly #source: RestSource;
  #rest: EntityRest | undefined;

  /**
   * @param file Its file, relative to the plan.
   * @param header Its header; no string of it may keep the file's text alive.
   * @param mtime When the file was changed.
   * @param source Where the rest comes from.
   * @param rest The rest, where it is known already.
   */
  constructor(
    file: string,
    header: EntityHeader,
    mtime: number,
    source: RestSource,
    rest?: EntityRest,
  ) {
    this.file = file;
    this.type = header.type;
    this.attributes = header.attributes;
    this.title = header.title === undefined ? undefined : plainText(header.title, MOST_TITLE);
    this.mtime = mtime;
    this.#source = source;
    this.#rest = rest;
  }

  get id(): string | undefined {
    return idOf(this.attributes);
  }

  get criteria(): readonly Criterion[] {
    return this.rest.criteria;
  }

  get refs(): readonly string[] {
    return this.rest.refs;
  }

  get scopedRefs(): readonly ScopedRef[] {
    return this.rest.scopedRefs;
  }

  get knownSectionsPresent(): readonly string[] {
    return this.rest.knownSectionsPresent;
  }

  get resolution(): Resolution | undefined {
    return this.rest.resolution;
  }

  get dependencies(): readonly Dependency[] | undefined {
    return this.rest.dependencies;
  }

  /** Whether the rest is there. */
  get isParsed(): boolean {
    return this.#rest !== undefined;
  }

  /** Parses the rest where that was not done yet. @param source The file's text, where it is known. */
  parseFrom(source: string | undefined): void {
    this.#rest ??= this.#source.parseRest(this, source);
  }

  /** One field of the rest; parses it where that was not done yet. */
  field(name: string): unknown {
    return fieldOf(this.rest, name);
  }

  /** The rest; parses it where that was not done yet. */
  get rest(): EntityRest {
    if (this.#rest !== undefined) return this.#rest;
    const { missing } = this.#source;
    if (missing !== undefined) {
      missing.add(this);
      return this.#source.emptyRest;
    }
    return this.#rest = this.#source.parseRest(this);
  }
}

/**
 * The class for a parser that says more of an entity than is known here: each field gets
 * its getter.
 *
 * @param emptyRest The fields of the parser.
 */
export function entityClassFor(emptyRest: EntityRest): typeof StoredEntity {
  const unknown = Object.keys(emptyRest).filter((name) => !(name in StoredEntity.prototype));
  if (unknown.length === 0) return StoredEntity;
  const Extended = class extends StoredEntity {};
  for (const name of unknown) {
    Object.defineProperty(Extended.prototype, name, {
      get(this: StoredEntity) {
        return this.field(name);
      },
    });
  }
  return Extended;
}

/** The part of a parsed entity that is not its header. */
export function restOf(parsed: ParsedEntity): EntityRest {
  const { file: _file, type: _type, attributes: _attributes, title: _title, ...rest } = parsed;
  return rest;
}

/** A copy whose strings are their own: those of a parser keep the whole text alive. */
export function detached<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

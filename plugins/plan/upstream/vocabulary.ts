/**
 * The values that the handlers of a version of the plugin accept. Its schemas may be outdated: those
 * of 0.25 reject valid statuses, and offer a severity that does not exist.
 */

import { quoted } from "../../../src/plain_text.ts";
import { importModule } from "../../../src/packages/load.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import { errorsIn, RefraktError, throwJoined } from "../../../src/errors.ts";
import { asObject, isTextList } from "../../../src/io/json.ts";
import type { KnownSections } from "../entity/contents.ts";
import { ENTITY_TYPES, type EntityType } from "../entity/types.ts";

type Lists = Readonly<Record<string, readonly string[]>>;

export interface Vocabulary {
  readonly status: Lists;
  /** Values of attributes that are the same for every type. */
  readonly values: Lists;
  readonly attributes: Lists;
  /** The sub-commands of `migrate`. */
  readonly migrations: readonly string[];
}

/** The vocabulary of several versions, and the sections that they know. */
export interface VersionVocabulary extends Vocabulary {
  readonly sections: KnownSections;
  /** The oldest one first. */
  readonly versions: readonly string[];
  /** Whether npm has them. */
  readonly isPublished: boolean;
}

/** The private modules of the plugin that have its lists. */
export const VOCABULARY_MODULES = ["dist/commands/enums.js", "dist/mcp-bindings.js"] as const;

type Module = Readonly<Record<string, unknown>>;

/**
 * The vocabulary in the plugin's modules.
 *
 * @throws {TypeError} If a version keeps its lists elsewhere.
 */
export function vocabularyIn([enums, bindings]: readonly Module[]): Vocabulary {
  const { VALID_STATUS, VALID_PRIORITY, VALID_SEVERITY, VALID_COMPLEXITY, ALLOWED_ATTRS } = enums!;
  const { properties } = asObject(bindings!["migrateSchema"]);
  const { enum: migrations } = asObject(asObject(properties)["subcommand"]);
  return {
    status: listsIn(VALID_STATUS),
    values: listsIn({
      priority: VALID_PRIORITY,
      severity: VALID_SEVERITY,
      complexity: VALID_COMPLEXITY,
    }),
    attributes: listsIn(ALLOWED_ATTRS),
    migrations: isTextList(migrations) ? migrations : [],
  };
}

function listsIn(value: unknown): Lists {
  const lists = asObject(value);
  const entries = Object.entries(lists);
  if (entries.length > 0 && entries.every(([, list]) => isTextList(list))) return lists as Lists;
  throw new TypeError("its values are not in lists");
}

/**
 * Reads the vocabulary of a loaded version.
 *
 * @param base The folder of the package, with a trailing slash.
 * @throws {TypeError} If this version keeps its lists elsewhere.
 */
export async function readVocabulary(base: string | undefined, { code }: PackageVersion) {
  const hrefs = VOCABULARY_MODULES.map((path) => new URL(path, base).href);
  return vocabularyIn(await Promise.all(hrefs.map((href) => importModule<Module>(href, code))));
}

/** The types that a version has. */
export function typesIn({ status }: Vocabulary): EntityType[] {
  return ENTITY_TYPES.filter((type) => type in status);
}

/** Attributes that name an entity, which no change may set. */
const NAMES = ["id", "name"];

/** The attributes that entities of any type have, besides their names. */
export function attributeNames({ attributes }: Vocabulary): string[] {
  return [...new Set(Object.values(attributes).flat())].filter((name) => !NAMES.includes(name));
}

/** Whether entities of any type have an attribute of this name. */
export function isAttribute(name: string, vocabulary: Vocabulary): boolean {
  return NAMES.includes(name) || attributeNames(vocabulary).includes(name);
}

/**
 * Rejects what the plugin would reject, with its messages. Allows everything without its lists.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` with the valid values.
 */
export function checkVocabulary(
  type: string,
  attributes: Readonly<Record<string, string>>,
  vocabulary: Vocabulary | undefined,
): void {
  const allowed = vocabulary?.attributes[type];
  const check = ([name, value]: readonly [string, string]) => {
    if (allowed !== undefined && !allowed.includes(name)) {
      const valid = allowed.filter((each) => !NAMES.includes(each));
      throw invalidValue(`Unknown attribute ${quoted(name)} for ${type} rune.`, valid);
    }
    const values = name === "status" ? vocabulary?.status[type] : vocabulary?.values[name];
    // An empty value removes the attribute.
    if (value === "" || values === undefined || values.includes(value)) return;
    throw invalidValue(`Invalid ${name} ${quoted(value)} for ${type} rune.`, values);
  };
  throwJoined(errorsIn(Object.entries(attributes).map((entry) => () => check(entry))));
}

function invalidValue(problem: string, valid: readonly string[]): RefraktError {
  return new RefraktError("VALIDATION_ERROR", `${problem} Valid: ${valid.join(", ")}`, {
    hint: `Use one of: ${valid.join(", ")}.`,
  });
}

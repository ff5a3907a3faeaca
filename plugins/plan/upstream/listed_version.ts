/**
 * What is known of a version before it is loaded: the vocabulary of the version, or of the nearest
 * older one in the table, is listed; plans are read with the sections of the version.
 */

import { orElse } from "../../../src/errors.ts";
import { nodeModule } from "../../../src/io/lazily.ts";
import { PLAN_PACKAGE } from "../../../src/packages/names.ts";
import { packagePolicy, type PackageVersion } from "../../../src/packages/package.ts";
import { packageVersion } from "../../../src/packages/versions.ts";
import type { Project } from "../../../src/plugin/project.ts";
import { VOCABULARIES } from "./vocabularies.ts";
import type { VersionVocabulary, Vocabulary } from "./vocabulary.ts";

type Table = readonly Pick<VersionVocabulary, "versions" | "isPublished">[];

/** A version of each vocabulary. */
export const LISTED_VERSIONS: readonly string[] = VOCABULARIES.map(({ versions }) => versions[0]!);

/** The newest vocabulary, in place of one that cannot be read. */
export const NEWEST: Vocabulary = VOCABULARIES.at(-1)!;

/** The vocabularies of loaded versions that differ from what the table has for them. */
const loaded = new Map<string, Vocabulary>();

/** The version that the project asks for, which npm may not have. */
export function wantedVersion(project: Project): PackageVersion {
  const newest = { name: PLAN_PACKAGE, version: "*", from: "npm", code: packagePolicy(project) };
  return orElse(() => packageVersion(project, PLAN_PACKAGE), newest);
}

/** What the table has for a version whose code is npm's. */
export function publishedRow(
  { version, isProjectCode = false }: PackageVersion,
): VersionVocabulary | undefined {
  const row = tableRow(VOCABULARIES, version);
  return row?.isPublished && !isProjectCode ? row : undefined;
}

/** Remembers the vocabulary that was loaded for a version. */
export async function noteVocabulary(
  version: Pick<PackageVersion, "version" | "isProjectCode">,
  vocabulary: Vocabulary | undefined,
): Promise<void> {
  const { status, values, attributes, migrations } = vocabularyOf(await listedVersion(version));
  const { isDeepStrictEqual } = nodeModule("node:util");
  const isListed = isDeepStrictEqual(vocabulary, { status, values, attributes, migrations });
  if (vocabulary !== undefined && !isListed) loaded.set(version.version, vocabulary);
}

/** The vocabulary of a version; the newest one by default. */
export function vocabularyOf(version = ""): Vocabulary {
  return loaded.get(version) ?? tableRow(VOCABULARIES, version) ?? NEWEST;
}

/** The loaded version of a package, or the one of {@linkcode LISTED_VERSIONS} with its vocabulary. */
export async function listedVersion(
  wanted: Pick<PackageVersion, "version" | "isProjectCode">,
  table: Table = VOCABULARIES,
): Promise<string> {
  const { version, isProjectCode = false } = wanted;
  if (loaded.has(version)) return version;
  return (await nearestRow(table, version, isProjectCode)).versions[0]!;
}

async function nearestRow(
  table: Table,
  version: string,
  isProjectCode: boolean,
): Promise<Table[number]> {
  const row = tableRow(table, version);
  if (row !== undefined && (row.isPublished || isProjectCode)) return row;
  const { default: semver } = await import("semver");
  const published = table.filter(({ isPublished }) => isPublished);
  const newest = published.at(-1)!;
  // In place of a version that npm does not have, its newest one is loaded.
  if (row !== undefined || semver.validRange(version) === null) return newest;
  if (semver.valid(version) !== null) {
    const isOlder = ({ versions }: Table[number]) => semver.lte(versions[0]!, version);
    return table.findLast(isOlder) ?? table[0]!;
  }
  const isInRange = ({ versions }: Table[number]) =>
    versions.some((each) => semver.satisfies(each, version));
  return published.findLast(isInRange) ??
    await nearestRow(table, semver.minVersion(version)!.version, false);
}

function tableRow<Row extends Table[number]>(rows: readonly Row[], version: string) {
  return rows.find(({ versions }) => versions.includes(version));
}

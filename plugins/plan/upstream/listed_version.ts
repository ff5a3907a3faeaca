/**
 * The vocabulary that is listed until the project's version is loaded: that of the version, or of the
 * nearest older one in the table.
 */

import type { PackageVersion } from "../../../src/packages/package.ts";
import { VOCABULARIES } from "./vocabularies.ts";
import type { VersionVocabulary, Vocabulary } from "./vocabulary.ts";

type Table = readonly Pick<VersionVocabulary, "versions" | "isPublished">[];

/** A version of each vocabulary. */
export const LISTED_VERSIONS: readonly string[] = VOCABULARIES.map(({ versions }) => versions[0]!);

/** The newest vocabulary, in place of one that cannot be read. */
export const NEWEST: Vocabulary = VOCABULARIES.at(-1)!;

/** The vocabulary of a version in the table; the newest one by default. */
export function vocabularyOf(version = ""): Vocabulary {
  return tableRow(VOCABULARIES, version) ?? NEWEST;
}

/** The one of {@linkcode LISTED_VERSIONS} that has the vocabulary of a package. */
export async function listedVersion(
  wanted: Pick<PackageVersion, "version" | "isProjectCode">,
  table: Table = VOCABULARIES,
): Promise<string> {
  const { version, isProjectCode = false } = wanted;
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

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

type Row = Pick<VersionVocabulary, "versions" | "isPublished">;

/** A version of each vocabulary. */
export const LISTED_VERSIONS: readonly string[] = VOCABULARIES.map(({ versions }) => versions[0]!);

/** The newest vocabulary, in place of one that cannot be read. */
export const NEWEST: Vocabulary = VOCABULARIES.at(-1)!;

/** The vocabularies of loaded versions that differ from what the table has for them. */
const loadedOf = ({ memo }: Project) =>
  memo("loaded vocabularies", () => new Map<string, Vocabulary>());

/** The version that the project asks for, which npm may not have. */
export function wantedVersion(project: Project): PackageVersion {
  const newest = { name: PLAN_PACKAGE, version: "*", from: "npm", code: packagePolicy(project) };
  return orElse(() => packageVersion(project, PLAN_PACKAGE), newest);
}

/** The row of the table for a version whose code is npm's. */
export function publishedRow({ version, isProjectCode = false }: PackageVersion) {
  const row = tableRow(VOCABULARIES, version);
  return row?.isPublished && !isProjectCode ? row : undefined;
}

/** Remembers the vocabulary that was loaded for a project. */
export async function noteVocabulary(
  project: Project,
  vocabulary: Vocabulary | undefined,
): Promise<void> {
  const listed = await listedVersion(project);
  const { status, values, attributes, migrations } = vocabularyOf(project, listed);
  const { isDeepStrictEqual } = nodeModule("node:util");
  const isListed = isDeepStrictEqual(vocabulary, { status, values, attributes, migrations });
  if (vocabulary === undefined || isListed) return;
  loadedOf(project).set(wantedVersion(project).version, vocabulary);
}

/** The vocabulary of a version; the newest one by default. */
export function vocabularyOf(project: Project, version = ""): Vocabulary {
  return loadedOf(project).get(version) ?? tableRow(VOCABULARIES, version) ?? NEWEST;
}

/** The version that was loaded, or the one of {@linkcode LISTED_VERSIONS} with its vocabulary. */
export async function listedVersion(project: Project): Promise<string> {
  const { version, isProjectCode } = wantedVersion(project);
  if (loadedOf(project).has(version)) return version;
  return (await nearestRow(VOCABULARIES, version, isProjectCode)).versions[0]!;
}

export async function nearestRow(
  table: readonly Row[],
  version: string,
  isProjectCode = false,
): Promise<Row> {
  const row = tableRow(table, version);
  if (row !== undefined && (row.isPublished || isProjectCode)) return row;
  const { default: semver } = await import("semver");
  const published = table.filter(({ isPublished }) => isPublished);
  const newest = published.at(-1)!;
  // In place of a version that npm does not have, its newest one is loaded.
  if (row !== undefined || semver.validRange(version) === null) return newest;
  if (semver.valid(version) !== null) {
    return table.findLast(({ versions }) => semver.lte(versions[0]!, version)) ?? table[0]!;
  }
  const inRange = published.findLast(({ versions }) =>
    versions.some((each) => semver.satisfies(each, version))
  );
  return inRange ?? await nearestRow(table, semver.minVersion(version)!.version);
}

function tableRow<Each extends Row>(rows: readonly Each[], version: string): Each | undefined {
  return rows.find(({ versions }) => versions.includes(version));
}

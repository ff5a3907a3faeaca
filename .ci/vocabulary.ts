/**
 * Writes the table of the plan plugin's vocabularies and sections: of every version that npm has, and
 * of packed packages that it does not have yet. Versions that are in the table stay in it.
 *
 *     deno task vocabulary
 *     deno task vocabulary ../shared/data/refrakt-0.29.0/*.tgz
 */

import { join } from "node:path";
import semver from "semver";
import { VOCABULARIES } from "../plugins/plan/upstream/vocabularies.ts";
import {
  type VersionVocabulary,
  VOCABULARY_MODULES,
  vocabularyIn,
} from "../plugins/plan/upstream/vocabulary.ts";
import { PLAN_PACKAGE } from "../src/packages/names.ts";
import { ROOT, runDeno } from "./run_deno.ts";

/** The generated module. */
export const TABLE = "plugins/plan/upstream/vocabularies.ts";

const HEAD = `/**
 * The vocabularies of the plugin's versions and the sections that they know, the oldest first; versions
 * that follow each other and have the same ones share a row. Written by \`deno task vocabulary\`.
 */

import type { VersionVocabulary } from "./vocabulary.ts";

export const VOCABULARIES: readonly VersionVocabulary[] = `;

/** Prints what JSON can express of the modules, and the sections that the parser knows. */
const PRINT = `
import { readSections } from "${new URL("../plugins/plan/upstream/sections.ts", import.meta.url)}";
const [base, ...paths] = Deno.args;
const modules = await Promise.all(paths.map((path) => import(base + path)));
const { parseFileContent } = await import(base + "dist/scanner.js");
const source = await Deno.readTextFile(base + "dist/scanner-core.js");
console.log(JSON.stringify({ modules, sections: readSections(parseFileContent, source) }));`;

interface Version {
  readonly version: string;
  readonly isPublished: boolean;
  readonly vocabulary: Omit<VersionVocabulary, "versions" | "isPublished">;
}

if (import.meta.main) {
  await Deno.writeTextFile(join(ROOT, TABLE), await tableText(Deno.args));
  await runDeno(ROOT, ["fmt", "--quiet", TABLE]);
}

/** The text of the module, before it is formatted. */
async function tableText(archives: readonly string[]): Promise<string> {
  const answer = await run("npm", "view", PLAN_PACKAGE, "versions", "--json");
  const published: string[] = [JSON.parse(answer)].flat();
  const versions = new Map<string, Version>();
  for (const { versions: ofRow, isPublished: _was, ...vocabulary } of VOCABULARIES) {
    for (const version of ofRow) {
      versions.set(version, { version, isPublished: published.includes(version), vocabulary });
    }
  }
  if (archives.length > 0) {
    const packed = await readPackages(archives.map((path) => join(Deno.cwd(), path)));
    versions.set(packed.version, { ...packed, isPublished: published.includes(packed.version) });
  }
  for (const version of published) {
    const { vocabulary } = await readPackages([`${PLAN_PACKAGE}@${version}`]);
    versions.set(version, { version, isPublished: true, vocabulary });
  }
  const sorted = [...versions.values()].sort((a, b) => semver.compare(a.version, b.version));
  return `${HEAD}${JSON.stringify(rowsOf(sorted))};\n`;
}

/** Installs packages into a temporary folder, and reads the plan plugin among them. */
async function readPackages(specifiers: readonly string[]): Promise<Omit<Version, "isPublished">> {
  const folder = await Deno.makeTempDir();
  try {
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    await run("npm", "install", `--prefix=${folder}`, ...flags, ...specifiers);
    const base = join(folder, "node_modules", PLAN_PACKAGE);
    const { version } = JSON.parse(await Deno.readTextFile(join(base, "package.json")));
    const print = join(folder, "print.js");
    await Deno.writeTextFile(print, PRINT);
    const options = ["--allow-read", "--no-config", "--no-lock", "--node-modules-dir=manual"];
    const answer = await run("deno", "run", ...options, print, `${base}/`, ...VOCABULARY_MODULES);
    const { modules, sections } = JSON.parse(answer);
    return { version, vocabulary: { ...vocabularyIn(modules), sections } };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Joins versions that follow each other and have the same vocabulary and sections. */
function rowsOf(sorted: readonly Version[]): VersionVocabulary[] {
  const rows: VersionVocabulary[] = [];
  let last = "";
  for (const { version, isPublished, vocabulary } of sorted) {
    const key = JSON.stringify([isPublished, vocabulary]);
    const versions = key === last ? [...rows.pop()!.versions, version] : [version];
    rows.push({ versions, isPublished, ...vocabulary });
    last = key;
  }
  return rows;
}

async function run(command: string, ...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`${command} ${args.join(" ")} failed: ${new TextDecoder().decode(stderr)}`);
}

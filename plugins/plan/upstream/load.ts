/** Loads a version of the plan plugin: the sections that it knows, and its vocabulary. */

import { importModule, importVersion, packageFolder } from "../../../src/packages/load.ts";
import type { Warning } from "../../../src/plugin/project.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import type { KnownSections } from "../entity/contents.ts";
import { type Parse, readSections } from "./sections.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

export interface PlanPackage {
  readonly sections: KnownSections;
  /** The values that its handlers accept, if it exports them. */
  readonly vocabulary: Vocabulary | undefined;
  /** Deviations of this version from the known ones. */
  readonly warnings: Warning[];
}

/** Deno imports the text of a file without running it, also from its cache. */
const AS_TEXT = { with: { type: "text" } };

/** Loads a version, before its `cli-plugin` is imported. */
export async function loadPackage(version: PackageVersion): Promise<PlanPackage> {
  const { parseFileContent } = await importVersion<{ parseFileContent: Parse }>(version, "scanner");
  const base = await packageFolder(version);
  const warnings: Warning[] = [];
  const source = async () => {
    const { href } = new URL("dist/scanner-core.js", base);
    return (await importModule<{ default: string }>(href, version.code, AS_TEXT)).default;
  };
  return {
    sections: await readSections(parseFileContent, source, version, warnings),
    vocabulary: await readVocabulary(base, version, warnings),
    warnings,
  };
}

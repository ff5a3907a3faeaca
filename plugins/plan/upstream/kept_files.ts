/** Keeps what the plan's package reads in each file between its passes over all pages. */

import { importModule, packageFolder } from "../../../src/packages/load.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import { replaceModule } from "../../../src/packages/replaced_modules.ts";

/** The plan's reader of one file; the result depends on nothing else. */
type ReadEntity = (source: string, path: string) => unknown;

/** The packages whose reader is replaced, by folder. */
const replaced = new Map<string, Promise<void>>();

/**
 * As of 0.29, a pass over all pages reads the whole plan, which takes a second for 700 files. Comes
 * before any other module of the package is imported: its commands load the passes, too.
 */
export async function keepPlanFiles(version: PackageVersion): Promise<void> {
  const base = await packageFolder(version);
  if (base === undefined) return;
  await replaced.getOrInsertComputed(base, () => replaceReader(base, version));
}

async function replaceReader(base: string, { code }: PackageVersion): Promise<void> {
  const scanner = await importModule<{ parseFileContent?: ReadEntity }>(
    new URL("dist/scanner.js", base).href,
    code,
  );
  const read = scanner.parseFileContent;
  if (read === undefined) return;
  const known = new Map<string, { readonly source: string; readonly entity: unknown }>();
  const parseFileContent: ReadEntity = (source, path) => {
    const before = known.get(path);
    if (before?.source === source) return before.entity;
    const entity = read(source, path);
    known.set(path, { source, entity });
    return entity;
  };
  replaceModule({
    specifiers: ["./scanner-core.js"],
    from: (parent) => parent === `${base}dist/pipeline.js`,
    exports: { ...scanner, parseFileContent },
  });
}

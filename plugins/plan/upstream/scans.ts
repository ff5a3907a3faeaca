/**
 * Replaces how the plan's package reads files, before any other module of it is imported: its commands
 * would read every file at each call, and its passes over all pages as often, a second for 700 files.
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { importModule, packageFolder } from "../../../src/packages/load.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import { replaceModule } from "../../../src/packages/replaced_modules.ts";
import type { TakenId } from "../entity/entity.ts";

/** The exports of the package's `scanner` that are replaced. */
interface Scanner extends Readonly<Record<string, unknown>> {
  /** The result depends on nothing but the arguments. */
  readonly parseFileContent?: (source: string, path: string) => unknown;
  readonly scanPlanFiles: (dir: string) => unknown;
}

/** The entities that scans return to code of the package that runs. */
const scans = new AsyncLocalStorage<() => readonly TakenId[]>();

/** Runs code of the package whose scan of the plan returns the given entities. */
export async function withScan<Value>(
  entities: () => readonly TakenId[],
  work: () => Value | Promise<Value>,
): Promise<Value> {
  return await scans.run(entities, work);
}

/** The packages whose scans are replaced, by folder. */
const replaced = new Map<string, Promise<void>>();

export async function replaceScans(version: PackageVersion): Promise<void> {
  const base = await packageFolder(version);
  if (base !== undefined) await replaced.getOrInsertComputed(base, () => replaceIn(base, version));
}

async function replaceIn(base: string, { code }: PackageVersion): Promise<void> {
  const scanner = await importModule<Scanner>(new URL("dist/scanner.js", base).href, code);
  replaceModule({
    specifiers: ["../scanner.js"],
    from: (parent) => parent.startsWith(`${base}dist/commands/`),
    exports: {
      ...scanner,
      scanPlanFiles: (dir: string) => scans.getStore()?.() ?? scanner.scanPlanFiles(dir),
    },
  });
  const { parseFileContent } = scanner;
  if (parseFileContent === undefined) return;
  const parsed = new Map<string, { readonly source: string; readonly entity: unknown }>();
  const parseOnce = (source: string, path: string) => {
    const before = parsed.get(path);
    if (before?.source === source) return before.entity;
    const entity = parseFileContent(source, path);
    parsed.set(path, { source, entity });
    return entity;
  };
  replaceModule({
    specifiers: ["./scanner-core.js"],
    from: (parent) => parent === `${base}dist/pipeline.js`,
    exports: { ...scanner, parseFileContent: parseOnce },
  });
}

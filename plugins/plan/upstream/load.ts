/** Loads a version of the plan plugin: the sections that it knows, and its vocabulary. */

import { importModule, importVersion, packageFolder } from "../../../src/packages/load.ts";
import type { Warning } from "../../../src/plugin/project.ts";
import { type CallState, currentCall } from "../../../src/packages/stand_in_call.ts";
import { replaceModule } from "../../../src/packages/replaced_modules.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import type { KnownSections } from "../entity/contents.ts";
import type { TakenId } from "../entity/entity.ts";
import { type Parse, readSections } from "./sections.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

export interface PlanPackage {
  readonly sections: KnownSections;
  /** The values that its handlers accept, if it exports them. */
  readonly vocabulary: Vocabulary | undefined;
  /** Deviations of this version from the known ones. */
  readonly warnings: Warning[];
}

/** The used exports of the plugin's `scanner`. */
interface Scanner {
  readonly parseFileContent: Parse;
  scanPlanFiles(dir: string): unknown;
}

/** Deno imports the text of a file without running it, also from its cache. */
const AS_TEXT = { with: { type: "text" } };

/** Loads a version, before its `cli-plugin` is imported. */
export async function loadPackage(version: PackageVersion): Promise<PlanPackage> {
  const scanner = await importVersion<Scanner & Record<string, unknown>>(version, "scanner");
  const base = await packageFolder(version);
  if (base !== undefined) answerScans(base, scanner);
  const warnings: Warning[] = [];
  const source = async () => {
    const { href } = new URL("dist/scanner-core.js", base);
    return (await importModule<{ default: string }>(href, version.code, AS_TEXT)).default;
  };
  return {
    sections: await readSections(scanner.parseFileContent, source, version, warnings),
    vocabulary: await readVocabulary(base, version, warnings),
    warnings,
  };
}

const answers = new WeakMap<CallState, () => readonly TakenId[]>();

/** Runs plugin code whose scan of the plan returns the given entities. */
export async function withScan<Value>(
  entities: () => readonly TakenId[],
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const call = currentCall();
  if (call === undefined) return await work();
  answers.set(call, entities);
  try {
    return await work();
  } finally {
    answers.delete(call);
  }
}

/** Intercepts the scans of the plugin's commands, which would read every file at each call. */
function answerScans(base: string, scanner: Scanner & Record<string, unknown>): void {
  replaceModule({
    specifiers: ["../scanner.js"],
    from: (parent) => parent.startsWith(`${base}dist/commands/`),
    exports: {
      ...scanner,
      scanPlanFiles: (dir: string) => {
        const call = currentCall();
        const entities = call === undefined ? undefined : answers.get(call);
        return entities === undefined ? scanner.scanPlanFiles(dir) : entities();
      },
    },
  });
}

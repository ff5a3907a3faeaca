/**
 * A version of the plan's npm package, with its commands and the stores of the plans. What the table
 * has for a version does not wait for the package: only its commands do.
 */

import { messageOf, RefraktError } from "../../../src/errors.ts";
import { fieldOf } from "../../../src/io/json.ts";
import { pluginFailure } from "../../../src/packages/failures.ts";
import {
  importModule,
  importVersion,
  loadVersion,
  packageFolder,
  publishedVersion,
} from "../../../src/packages/load.ts";
import { PLAN_PACKAGE } from "../../../src/packages/names.ts";
import type { PackageVersion } from "../../../src/packages/package.ts";
import { outsideCalls } from "../../../src/packages/stand_in_call.ts";
import { handlerContext } from "../../../src/plugin/cli_plugin.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import type { Project, Warning } from "../../../src/plugin/project.ts";
import type { KnownSections } from "../entity/contents.ts";
import { noteVocabulary, publishedRow, wantedVersion } from "../upstream/listed_version.ts";
import { type Parse, readSections } from "../upstream/sections.ts";
import { readVocabulary } from "../upstream/vocabulary.ts";
import { planStore } from "./mod.ts";

/** The sections of a version that does not tell them. */
const NO_SECTIONS: KnownSections = { byType: {} };

/**
 * The version of a project, which is loaded unless the table has it.
 *
 * @throws {RefraktError} `PLUGIN_LOAD_FAILED` or `CODE_NOT_TRUSTED`.
 */
export async function loadPlan(project: Project) {
  try {
    const wanted = wantedVersion(project);
    const row = publishedRow(wanted);
    const version = row === undefined ? await publishedVersion(project, PLAN_PACKAGE) : wanted;
    const work = () => outsideCalls(project.cwd, () => load(project, version, row));
    return await project.memo(["plan package", version.version, wanted.version], work);
  } catch (error) {
    throw pluginFailure(project, PLAN_PACKAGE, error);
  }
}

/** Reads the project's plan in slices, while no call waits for it. */
export async function readAhead(project: Project): Promise<void> {
  const { plan } = project;
  if (plan !== null) await (await loadPlan(project)).storeOf(project, plan.path).refresh();
}

/**
 * Loads a version, before its `cli-plugin` is imported.
 *
 * @returns Its sections, the values that its handlers accept, if it exports them, and its deviations
 * from the known versions.
 */
export async function loadPackage(version: PackageVersion) {
  const { parseFileContent } = await importVersion<{ parseFileContent: Parse }>(version, "scanner");
  const base = await packageFolder(version);
  const warnings: Warning[] = [];
  const unlessUnfamiliar = <Value>(what: string, hint: string, read: () => Promise<Value>) =>
    read().catch((error) => {
      const message = `${PLAN_PACKAGE} ${version.version} does not ${what}: ` +
        messageOf(error).split("\n")[0];
      warnings.push({ code: "PLUGIN_UNFAMILIAR", message, hint });
      return undefined;
    });
  const sections = await unlessUnfamiliar(
    "tell which sections it knows",
    "Dependencies are not recognized: look into the items that plan_next offers.",
    async () => {
      // Deno imports the parser as a text without running it, also from its cache.
      const { href } = new URL("dist/scanner-core.js", base);
      const asText = { with: { type: "text" } };
      const parser = await importModule<{ default: string }>(href, version.code, asText);
      return readSections(parseFileContent, parser.default);
    },
  );
  const vocabulary = await unlessUnfamiliar(
    "export its valid values like 0.25",
    "plan_update accepts any value: call plan_validate afterwards.",
    () => readVocabulary(base, version),
  );
  return { sections: sections ?? NO_SECTIONS, vocabulary, warnings };
}

async function load(
  project: Project,
  version: PackageVersion,
  row: ReturnType<typeof publishedRow>,
) {
  const loaded = row === undefined
    ? await loadPackage(version)
    : { sections: row.sections, vocabulary: row, warnings: [] };
  if (row === undefined) await noteVocabulary(project, loaded.vocabulary);
  return {
    ...loaded,
    storeOf: ({ cwd, memo }: Project, dir: string) =>
      memo([loaded, "store", cwd, dir], () => planStore(cwd, dir, loaded, memo.kept)),
    /** Runs a handler of the package; the caller states the type of its answer. */
    run: async <Answer>(
      name: string,
      input: Readonly<Record<string, unknown>>,
      context: CallContext,
    ): Promise<Answer> => {
      const { project } = context;
      const { module } = await outsideCalls(project.cwd, () => loadVersion(version, "cli-plugin"))
        .catch((error) => {
          throw pluginFailure(project, PLAN_PACKAGE, error);
        });
      const commands = fieldOf(module["default"] ?? module, "commands");
      const list: readonly unknown[] = Array.isArray(commands) ? commands : [];
      const command = list.find((each) => fieldOf(each, "name") === name);
      const handler = fieldOf(command, "mcpHandler");
      if (typeof handler !== "function") {
        throw new RefraktError("TOOL_FAILED", `${PLAN_PACKAGE} has no handler for ${name}`);
      }
      return await handler.call(command, input, handlerContext(context));
    },
  };
}

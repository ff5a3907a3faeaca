/**
 * `refrakt.contracts` and `refrakt.contracts_check`: the structure of every rune,
 * and whether a file still says the same.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { RefraktError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { defineTool, type Tool } from "../surface/tool.ts";
import { parseJson, readProjectFile } from "./json_files.ts";
import { memoized, type SiteContext, siteContext, withWarnings } from "./site_context.ts";

import type { StructureContract, ThemeConfig } from "./upstream.ts";

const contracts = new WeakMap<ThemeConfig, StructureContract>();

/** What {@linkcode checkContracts} finds. */
export interface ContractsCheck extends Record<string, unknown> {
  /** Whether the file is, byte for byte, what the CLI would write. */
  readonly upToDate: boolean;
  /** The file, relative to the project. */
  readonly file: string;
  /** How many runes the site's contract has. */
  readonly runes: number;
  /** Runes that the file lacks. */
  readonly added: readonly string[];
  /** Runes that only the file has. */
  readonly removed: readonly string[];
  /** Runes whose contract differs. */
  readonly changed: readonly string[];
  /** What else differs: `formatting`, or `header` (the schema, the description, the prefix). */
  readonly reason?: string;
}

/** The structure contract of a configuration, computed once. */
export function contractOf(context: SiteContext, config: ThemeConfig): StructureContract {
  let contract = contracts.get(config);
  if (contract === undefined) {
    contract = context.upstream.transform.generateStructureContract(config);
    contracts.set(config, contract);
  }
  return contract;
}

/** The contract of a site, as the CLI prints it, with the site's warnings. */
export async function siteContracts(
  project: Project,
  site: string | undefined,
): Promise<Record<string, unknown>> {
  const context = await siteContext(project, site);
  return withWarnings(context, { ...contractOf(context, context.config) });
}

/**
 * Compares a contracts file with the site.
 *
 * @throws {RefraktError} `NOT_FOUND` for a missing file, `VALIDATION_ERROR` for one that is not
 * JSON, `PERMISSION_DENIED` for one outside the project.
 */
export async function checkContracts(
  project: Project,
  file: string,
  site: string | undefined,
): Promise<ContractsCheck> {
  const context = await siteContext(project, site);
  const { shown, text } = readProjectFile(
    project,
    file,
    "The contracts file",
    (path) => `Generate it: npx refrakt contracts -o ${path}`,
  );
  const current = contractOf(context, context.config);
  const written = memoized(
    context,
    "contracts:text",
    () => `${JSON.stringify(current, null, "\t")}\n`,
  );
  const upToDate = text === written;
  // As JSON has it: undefined fields and functions are no part of a contract.
  const plain = JSON.parse(written) as StructureContract;
  const found = upToDate ? plain : contractIn(parseJson(text, shown), shown);
  const differences = compareRunes(plain.runes, found.runes);
  const result: ContractsCheck = {
    upToDate,
    file: shown,
    runes: Object.keys(current.runes).length,
    ...differences,
  };
  const same = Object.values(differences).every((names) => names.length === 0);
  if (upToDate || !same) return withWarnings(context, result);
  const { runes: _ours, ...head } = plain;
  const { runes: _theirs, ...foundHead } = found;
  const reason = isDeepStrictEqual(head, foundHead)
    ? "formatting: the file says the same, in another layout or order"
    : "header: the runes are the same; the fields beside them differ";
  return withWarnings(context, { ...result, reason });
}

function compareRunes(
  current: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): { added: string[]; removed: string[]; changed: string[] } {
  return {
    added: Object.keys(current).filter((name) => !Object.hasOwn(found, name)),
    removed: Object.keys(found).filter((name) => !Object.hasOwn(current, name)),
    changed: Object.keys(current).filter((name) =>
      Object.hasOwn(found, name) && !isDeepStrictEqual(current[name], found[name])
    ),
  };
}

function contractIn(value: unknown, shown: string): StructureContract {
  const runes = (value as { runes?: unknown } | null)?.runes;
  if (typeof runes !== "object" || runes === null || Array.isArray(runes)) {
    throw new RefraktError("VALIDATION_ERROR", `"${shown}" is not a contracts file: no "runes"`, {
      hint: "Give a file that refrakt contracts wrote.",
    });
  }
  return value as StructureContract;
}

/** The tools of this file. */
export const contractTools: readonly Tool[] = [
  defineTool({
    name: "refrakt.contracts",
    title: "Structure contracts",
    description:
      "The HTML contract of every rune of a site: BEM block, modifiers, data attributes, elements " +
      "and their order. For theme and CSS work; for one rune, refrakt.inspect is shorter.",
    input: z.strictObject({
      site: z.string().optional().describe("Needed where the project has several sites"),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    needs: ["site"],
    run: ({ site }, { project }) => siteContracts(project, site),
  }),
  defineTool({
    name: "refrakt.contracts_check",
    title: "Check contracts file",
    description:
      "Whether a generated contracts file is up to date with the site, and which runes differ.",
    input: z.strictObject({
      file: z.string().min(1).describe("The file, relative to the project"),
      site: z.string().optional(),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true },
    needs: ["site"],
    run: ({ file, site }, { project }) => checkContracts(project, file, site),
  }),
];

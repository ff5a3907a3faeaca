/** `refrakt_contracts` and `refrakt_contracts_check`: the HTML contract of runes. */

import { quotedName } from "../../../src/plain_text.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { RefraktError } from "../../../src/errors.ts";
import { defined, fieldOf, isObject } from "../../../src/io/json.ts";
import { defineTool, type Tool } from "../../../src/plugin/tool.ts";
import type { CallContext } from "../../../src/plugin/context.ts";
import { siteEngine } from "../engine/lazy.ts";
import { parseJson, readProjectFile } from "../engine/theme/json_files.ts";
import type { StructureContract } from "../engine/upstream/shapes.ts";
import { READS, SITE_NAME, WARNINGS } from "../fields.ts";

async function checkContracts(
  { file, site }: { readonly file: string; readonly site?: string | undefined },
  call: CallContext,
) {
  const { warnings, ...current } = await (await siteEngine()).contract({ site }, call);
  const { displayPath, text } = readProjectFile(
    call.project,
    file,
    "The contracts file",
    "Generate it: npx --package=@refrakt-md/cli refrakt contracts -o <path>",
  );
  const written = `${JSON.stringify(current, null, "\t")}\n`;
  const upToDate = text === written;
  // JSON drops undefined fields and functions.
  const plain = contractIn(JSON.parse(written), displayPath);
  const writtenContract = upToDate ? plain : contractIn(parseJson(text, displayPath), displayPath);
  const names = Object.keys(plain.runes);
  const shared = names.filter((name) => Object.hasOwn(writtenContract.runes, name));
  const differences = {
    added: names.filter((name) => !shared.includes(name)),
    removed: Object.keys(writtenContract.runes).filter((name) => !shared.includes(name)),
    changed: shared.filter((name) =>
      !isDeepStrictEqual(plain.runes[name], writtenContract.runes[name])
    ),
  };
  const same = Object.values(differences).every((names) => names.length === 0);
  const reason = isDeepStrictEqual(plain, writtenContract)
    ? "formatting: the content is the same in another layout or order"
    : "header: the runes are the same; other fields differ";
  return defined({
    warnings,
    upToDate,
    file: displayPath,
    runes: Object.keys(current.runes).length,
    ...differences,
    reason: upToDate || !same ? undefined : reason,
  });
}

function contractIn(value: unknown, displayPath: string): StructureContract {
  if (isObject(fieldOf(value, "runes"))) return value as StructureContract;
  const message = `${quotedName(displayPath)} is not a contracts file: no "runes"`;
  throw new RefraktError("VALIDATION_ERROR", message, {
    hint: "Pass a file that refrakt contracts wrote.",
  });
}

const CONTRACTS = z.looseObject({
  prefix: z.string().optional(),
  runes: z.record(z.string(), z.looseObject({ block: z.string() })),
  warnings: WARNINGS,
});

export const contractsTool: Tool = defineTool({
  name: "refrakt_contracts",
  title: "Show structure contracts",
  description: "The HTML contract of runes, for CSS: BEM block, modifiers, elements.",
  input: z.strictObject({
    runes: z.array(z.string()).max(100).optional().describe("Default: all"),
    site: SITE_NAME,
  }),
  output: CONTRACTS,
  ...READS,
  run: async (input, call) => await (await siteEngine()).contract(input, call),
});

const CHECK = z.object({
  upToDate: z.boolean(),
  file: z.string().optional(),
  runes: z.int().optional(),
  added: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
  changed: z.array(z.string()).optional(),
  reason: z.string().optional(),
  warnings: WARNINGS,
});

export const contractsCheckTool: Tool = defineTool({
  name: "refrakt_contracts_check",
  title: "Check contracts file",
  description: "Compares a contracts file with the current contract.",
  input: z.strictObject({
    file: z.string().describe("Its path"),
    site: SITE_NAME,
  }),
  output: CHECK,
  ...READS,
  run: (input, call) => checkContracts(input, call),
});

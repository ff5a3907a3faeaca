/** `ralph_switch`: makes another spec the current one. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/plugin/tool.ts";
import { withLock } from "../files.ts";
import { findFolder, listFolders, readPointer, writePointer } from "../folders.ts";
import { nextStep } from "../next.ts";
import { factsOf, rowOf } from "./status.ts";
import { readSpec } from "../spec.ts";
import { ralphTool } from "../tool.ts";

export const switchTool: Tool = ralphTool({
  name: "switch",
  title: "Switch to a spec",
  description: "Makes another spec the current one, and shows its status.",
  input: z.strictObject({ name: z.string().min(1).describe("Of the spec") }),
  output: { spec: z.looseObject({}) },
  run: async ({ name }, context) => {
    const { cwd } = context.project;
    const { spec, folder, stale } = await withLock(context, () => {
      const spec = readSpec(findFolder(cwd, name), false);
      const pointer = readPointer(cwd, listFolders(cwd));
      writePointer(cwd, name);
      return { spec, ...pointer };
    });
    const row = rowOf(spec, true);
    const previous = folder === null ? "(none)" : word(folder.name);
    return {
      message: folder?.name === name
        ? `'${word(name)}' is already the current spec`
        : `Switched: ${previous} → ${word(name)}`,
      facts: [`Phase: ${row.phase} (${row.status})`, ...factsOf(row)],
      step: nextStep(spec),
      warnings: stale === null ? [] : [`specs/.current-spec was stale: it named '${word(stale)}'.`],
      data: { spec: row },
    };
  },
});

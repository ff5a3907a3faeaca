/** `ralph_switch`: makes another spec the current one. */

import * as z from "zod";
import { word } from "../../../src/plain_text.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { withLock } from "../files.ts";
import { findFolder, listFolders, readPointer, writePointer } from "../folders.ts";
import { factsOf, rowOf } from "./status.ts";
import { readSpec } from "../spec.ts";
import { ralphTool } from "../tool.ts";

export const switchSpec: Tool = ralphTool({
  name: "switch",
  title: "Switch to a spec",
  description: "Makes another spec the current one, and shows its status.",
  input: z.strictObject({ name: z.string().min(1) }),
  output: { spec: z.looseObject({}) },
  run: async ({ name }, context) => {
    const { cwd } = context.project;
    const { text, folder } = await withLock(context, () => {
      findFolder(cwd, name);
      const pointer = readPointer(cwd, listFolders(cwd));
      if (pointer.text !== name) writePointer(cwd, name);
      return pointer;
    });
    const row = rowOf(readSpec(findFolder(cwd, name), false), true);
    const previous = folder === null ? "(none)" : word(folder.name);
    return {
      message: folder?.name === name
        ? `'${word(name)}' is already the current spec`
        : `Switched: ${previous} → ${word(name)}`,
      facts: [`Phase: ${row.phase} (${row.status})`, ...factsOf(row)],
      step: row,
      warnings: text !== null && folder === null
        ? [`specs/.current-spec was stale: it named '${word(text)}'.`]
        : [],
      data: { spec: row },
    };
  },
});

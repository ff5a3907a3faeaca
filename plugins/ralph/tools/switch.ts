/** `ralph_switch`: makes another spec the current one. */

import * as z from "zod";
import type { Tool } from "../../../src/tools/tool.ts";
import { withLock } from "../files.ts";
import { shownName } from "../names.ts";
import { factsOf, rowOf } from "../rows.ts";
import { findSpec, listSpecs, readPointer, writePointer } from "../specs.ts";
import { ralphTool } from "../tool.ts";
import { look } from "../view.ts";

export const switchSpec: Tool = ralphTool({
  name: "switch",
  title: "Switch to a spec",
  description: "Makes another spec the current one, and shows its status.",
  input: z.strictObject({ name: z.string().min(1) }),
  output: { spec: z.looseObject({}) },
  run: async ({ name }, context) => {
    const { cwd } = context.project;
    const { pointer, spec } = await withLock(context, () => {
      const specs = listSpecs(cwd);
      const spec = findSpec(specs, name);
      const pointer = readPointer(cwd, specs);
      if (pointer.text !== name) writePointer(cwd, name);
      return { spec, pointer };
    });
    const row = rowOf(look(spec, false), true);
    const previous = pointer.spec === null ? "(none)" : shownName(pointer.spec.name);
    const isStale = pointer.text !== null && pointer.spec === null;
    return {
      message: pointer.spec?.name === name
        ? `'${shownName(name)}' is already the current spec`
        : `Switched: ${previous} → ${shownName(name)}`,
      facts: [`Phase: ${row.phase} (${row.status})`, ...factsOf(row)],
      step: row,
      warnings: isStale
        ? [`specs/.current-spec was stale: it named '${shownName(pointer.text)}'.`]
        : [],
      data: { spec: row },
    };
  },
});

/**
 * `ralph_switch`: makes another spec the current one.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/tools/plugin.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { rowOf } from "../rows.ts";
import { findSpec, listSpecs, readPointer, writePointer } from "../specs.ts";
import { type Answer, ralphTool } from "../tool.ts";
import { look } from "../view.ts";

/** The tool. */
export const switchSpec: CliPluginCommand = ralphTool({
  name: "switch",
  title: "Switch spec",
  description: "Makes another spec the current one and shows how it stands.",
  input: z.strictObject({ name: z.string().min(1) }),
  output: { spec: "object" },
  run: ({ name }, context) => run(name, context),
});

async function run(wanted: string, { cwd, signal, log }: McpHandlerContext): Promise<Answer> {
  // An unknown name must fail alike where nothing can be locked.
  findSpec(listSpecs(cwd), wanted);
  const { previous, spec, stale } = await withLock(cwd, signal, () => {
    const specs = listSpecs(cwd);
    const spec = findSpec(specs, wanted);
    const pointer = readPointer(cwd, specs);
    if (pointer.text !== spec.name) writePointer(cwd, spec.name);
    return {
      spec,
      previous: pointer.spec?.name ?? null,
      stale: pointer.spec === null ? pointer.text : null,
    };
  });
  const switched = previous !== spec.name;
  const row = rowOf(look(spec, false), true);
  log("debug", "Spec switched", { spec: spec.name, switched });
  return {
    message: switched
      ? `Switched: ${previous === null ? "(none)" : shownName(previous)} → ${shownName(spec.name)}`
      : `'${shownName(spec.name)}' is already the current spec`,
    facts: [
      `Phase: ${row.phase} (${row.status})`,
      `Tasks: ${row.total > 0 ? `${row.done}/${row.total}` : "-"}`,
      `Documents: ${row.artifacts.join(", ") || "none"}`,
    ],
    step: row,
    warnings: stale === null
      ? []
      : [`specs/.current-spec was stale: it named '${shownName(stale)}'.`],
    data: { spec: row },
  };
}

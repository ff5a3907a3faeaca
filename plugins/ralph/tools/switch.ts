/**
 * `ralph_switch`: makes another spec the current one.
 *
 * @module
 */

import { z } from "zod";
import type { CliPluginCommand, McpHandlerContext } from "../../../src/surface/plugin.ts";
import { type TextResult, withText } from "../../../src/surface/result.ts";
import { withLock } from "../lock.ts";
import { shownName } from "../names.ts";
import { callOf, describeSpec } from "../overview.ts";
import { follow, row } from "../schemas.ts";
import { findSpec, listSpecs, readPointer, writePointer } from "../specs.ts";

const Input = z.strictObject({ name: z.string().min(1).describe("Spec to switch to") });

const Output = row.extend({ message: z.string(), previous: z.string().nullable(), ...follow });

/** The tool. */
export const switchSpec: CliPluginCommand = {
  name: "switch",
  toolName: "ralph_switch",
  title: "Switch spec",
  description: "Makes another spec the current one and shows how it stands.",
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  inputSchema: Input,
  outputSchema: Output,
  mcpHandler: (input: z.output<typeof Input>, context) => run(input.name, context),
};

async function run(wanted: string, context: McpHandlerContext): Promise<TextResult> {
  const { cwd } = context;
  // An unknown name must fail alike where nothing can be locked.
  findSpec(listSpecs(cwd), wanted);
  const { previous, spec, stale } = await withLock(cwd, context.signal, () => {
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
  const row = describeSpec(spec, spec.name);
  const notes = stale === null
    ? []
    : [`specs/.current-spec was stale: it named '${shownName(stale)}'.`];
  const message = switched
    ? `Switched: ${previous === null ? "(none)" : shownName(previous)} → ${shownName(spec.name)}`
    : `'${shownName(spec.name)}' is already the current spec`;
  context.log("debug", "Spec switched", { spec: spec.name, switched });
  const text = [
    message,
    "",
    `- Phase: ${row.phase} (${row.status})`,
    `- Tasks: ${row.total > 0 ? `${row.done}/${row.total}` : "-"}`,
    `- Documents: ${row.artifacts.join(", ") || "none"}`,
    ...notes.map((note) => `- Note: ${note}`),
    "",
    `Next: ${callOf(row.next, row.nextArgs)}`,
  ].join("\n");
  return withText(text, { message, previous, switched, ...row, warnings: notes });
}

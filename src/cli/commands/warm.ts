/**
 * `warm`: downloads in advance what the first calls need.
 *
 * @module
 */

import { messageOf, RefraktError } from "../../errors.ts";
import { callTool } from "../../tools/call.ts";
import type { CallContext } from "../../tools/context.ts";
import type { Toolset } from "../../tools/registry.ts";
import { columns } from "../columns.ts";
import { print, printJson, printNote } from "../print.ts";
import { paintFor } from "../terminal.ts";
import { terminalContext } from "./context.ts";
import type { Command } from "./types.ts";

/** One thing to load. */
interface Step {
  /** What it is called. */
  readonly name: string;
  /** Loads it; an error is reported, and the other steps go on. */
  run(): Promise<unknown>;
}

/** Tools of the site that together load all of its packages. */
const SITE_TOOLS: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ["refrakt.inspect_list", {}],
  ["refrakt.inspect", { rune: "hint" }],
  ["refrakt.inspect_audit", { rune: "hint" }],
  ["refrakt.contracts", {}],
  ["refrakt.validate", {}],
];

/** The command. */
export const warm: Command = {
  name: "warm",
  usage: "warm",
  help: "Download everything that this project needs, so that later starts need no network",
  examples: ["warm"],
  mostArgs: 0,
  run: async ({ workspace, flags }) => {
    const context = terminalContext(workspace);
    const results: { name: string; error?: string }[] = [];
    const perform = async ({ name, run }: Step) => {
      printNote(`Loading ${name}\n`);
      try {
        await run();
        results.push({ name });
      } catch (error) {
        const hint = error instanceof RefraktError && error.hint !== undefined
          ? `. ${error.hint}`
          : "";
        results.push({ name, error: `${messageOf(error)}${hint}` });
      }
    };
    await perform({ name: "the protocol", run: () => import("../../mcp/stdio.ts") });
    await perform({ name: "the plugins", run: () => workspace.toolset() });
    await perform({ name: "the plan's parser", run: () => workspace.warm() });
    const toolset = await workspace.toolset();
    for (const step of siteSteps(toolset, context)) await perform(step);
    for (
      const { message } of toolset.warnings.filter(({ code }) => code === "PLUGIN_LOAD_FAILED")
    ) {
      results.push({ name: "a plugin", error: message });
    }
    const ready = results.every(({ error }) => error === undefined);
    const { green, red } = paintFor(Deno.stdout);
    if (flags.values["json"] === true) printJson({ ready, steps: results });
    else {
      print(columns(
        results.map(({ name, error }) => [name, error ?? "ready"]),
        { paint: (name) => results.find((r) => r.name === name)?.error ? red(name) : green(name) },
      ));
    }
    return ready ? 0 : 1;
  },
};

/** A first call of everything that loads packages, for each site. */
function siteSteps({ project, findTool }: Toolset, context: CallContext): Step[] {
  return (project.site?.names ?? []).flatMap((site) =>
    SITE_TOOLS.flatMap(([name, input]): Step[] => {
      const tool = findTool(name);
      return tool === undefined
        ? []
        : [{ name: `${name} of ${site}`, run: () => callTool(tool, { ...input, site }, context) }];
    })
  );
}

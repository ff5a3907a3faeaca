/** `warm` downloads what starts need; `cache clear` removes what they have kept for the next ones. */

import { callByName } from "../../host/call.ts";
import { clearKept, keptBytes } from "../../io/kept.ts";
import { usageError } from "../flags.ts";
import { print, printJson, printNote, table } from "../terminal.ts";
import { type Command, terminalCaller } from "./command.ts";
import { sentence } from "./doctor.ts";

export const warm: Command = {
  name: "warm",
  usage: "warm",
  help: "Download everything that this project needs, so that later starts need no network",
  mostArgs: 0,
  run: async ({ open, flags }) => {
    const workspace = await open();
    const steps: { name: string; error?: string }[] = [];
    const load = async (name: string, run: () => Promise<unknown>) => {
      printNote(`Loading ${name}\n`);
      try {
        await run();
        steps.push({ name });
      } catch (error) {
        steps.push({ name, error: sentence(error) });
      }
    };
    await load("the protocol", () => import("../../mcp/stdio.ts"));
    await load("the plugins", () => workspace.inventory("lists"));
    await load("the plan's parser", () => workspace.warm());
    const { project, warnings } = await workspace.inventory("all");
    const calls = workspace.plugins.flatMap((plugin) => plugin.preparation?.(project) ?? []);
    for (const [title, tool, input] of calls) {
      await load(title, () => callByName(workspace, tool, input, terminalCaller()));
    }
    for (const { code, message } of warnings) {
      if (code === "PLUGIN_LOAD_FAILED") steps.push({ name: "a plugin", error: message });
    }
    const ready = steps.every(({ error }) => error === undefined);
    if (flags.values["json"] === true) printJson({ ready, steps });
    else print(table(steps.map(({ name, error }) => [name, error ?? "ready"])));
    return ready ? 0 : 1;
  },
};

export const cache: Command = {
  name: "cache",
  usage: "cache clear",
  help: "Remove what is kept for the next start, of all projects",
  needs: [1, "what to do: clear"],
  mostArgs: 1,
  run: async ({ args: [what] }) => {
    if (what !== "clear") throw usageError(`cache cannot ${what}`, "cache clear");
    if (Deno.build.standalone || !("caches" in globalThis)) {
      return print("Nothing is kept here\n");
    }
    const bytes = await keptBytes();
    await clearKept();
    print(`Removed ${(bytes / 1e6).toFixed(1)} MB\n`);
  },
};

/** A program that serves one plugin of this package. */

import { textOf } from "../io/json.ts";
import type { OnlyPlugin } from "../host/open_workspace.ts";
import type { Program } from "./commands/command.ts";
import { PLUGIN_FLAGS } from "./flag_table.ts";
import { runProgram } from "./program.ts";
import { chosenTools } from "./serve_flags.ts";

/** A plugin, and how its program is described and started. */
export type PluginProgram = OnlyPlugin & Pick<Program, "about" | "launch">;

/** The program of a plugin. */
export function programOf({ about, launch, ...only }: PluginProgram) {
  const program: Program = {
    name: only.name,
    about,
    launch,
    flags: PLUGIN_FLAGS,
    commands: ["call", "read", "list", "doctor", "help"],
    open: async (flags) => {
      const { values } = flags;
      const { openWorkspace } = await import("../host/open_workspace.ts");
      return openWorkspace({
        cwd: textOf(values["cwd"]),
        readOnly: values["read-only"] === true,
        tools: chosenTools(flags),
        plugins: [only.plugin.name],
        only,
      });
    },
  };
  return { main: (args: readonly string[]): Promise<void> => runProgram(program, args) };
}

/** The program `ralph-specum`: the server with only the tools of Ralph. */

import { textOf } from "../io/json.ts";
import { RALPH } from "../bundled.ts";
import { RALPH_FLAGS } from "./flag_table.ts";
import type { Program } from "./commands/command.ts";
import { runProgram } from "./program.ts";
import { chosenTools } from "./serve_flags.ts";

const INSTRUCTIONS = "Ralph Specum: a spec-driven workflow in five phases (research, " +
  "requirements, design, tasks, execution). Call ralph_status first: it returns the next step, as " +
  "every result does; ralph_start creates a spec. Each phase tool gives instructions to follow; " +
  "when its document is written, call ralph_complete_phase. In execution, ralph_implement hands " +
  "out one task, and ralph_task_result takes its command and exit code. Errors carry errorCode " +
  "and hint; the hint names the next tool to call.";

const PROGRAM: Program = {
  name: "ralph-specum",
  about: "the Ralph Specum workflow as a Model Context Protocol server",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore \\
         jsr:@refrakt/mcp/ralph`,
  flags: RALPH_FLAGS,
  commands: ["call", "read", "list", "doctor", "help"],
  open: async (flags) => {
    const { values } = flags;
    const { openWorkspace } = await import("../host/open_workspace.ts");
    return openWorkspace({
      cwd: textOf(values["cwd"]),
      readOnly: values["read-only"] === true,
      tools: chosenTools(flags),
      plugins: ["ralph"],
      only: {
        name: "ralph-specum",
        title: "Ralph Specum",
        instructions: INSTRUCTIONS,
        source: RALPH,
      },
    });
  },
};

export async function main(args: readonly string[]): Promise<void> {
  await runProgram(PROGRAM, args);
}

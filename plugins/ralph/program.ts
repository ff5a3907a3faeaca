/** The program `ralph-specum`: the server with only the tools of Ralph. */

import { RALPH } from "./plugin.ts";

export const RALPH_PROGRAM = {
  name: "ralph-specum",
  title: "Ralph Specum",
  about: "the Ralph Specum workflow as a Model Context Protocol server",
  launch: `deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore \\
         jsr:@refrakt/mcp/ralph`,
  instructions: "Ralph Specum: a spec-driven workflow in five phases (research, " +
    "requirements, design, tasks, execution). Call ralph_status first: it returns the next step, as " +
    "every result does; ralph_start creates a spec. Each phase tool gives instructions to follow; " +
    "when its document is written, call ralph_complete_phase. In execution, ralph_implement hands " +
    "out one task, and ralph_task_result takes its command and exit code. Errors carry errorCode " +
    "and hint; the hint names the next tool to call.",
  plugin: RALPH,
};

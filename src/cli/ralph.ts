/**
 * The program that serves the Ralph workflow alone.
 *
 * @module
 */

import { RefraktError } from "../errors.ts";
import { writeStdout } from "../sandbox/pipes.ts";
import { VERSION } from "../version.ts";
import { runProgram } from "./exit.ts";
import { describeFlags, parseFlags } from "./flags.ts";
import { COMMON_FLAGS, serveOptions } from "./serve_flags.ts";

const INSTRUCTIONS = "Ralph Specum: a spec-driven workflow in five phases (research, " +
  "requirements, design, tasks, execution). Call ralph_status first; ralph_start begins a spec. " +
  "Each phase tool returns instructions to follow; when its artifact is written, call " +
  "ralph_complete_phase. In execution, ralph_implement hands out one task at a time. Errors carry " +
  "errorCode and hint; the hint names the next tool to call.";

/** Runs the program. */
export async function main(args: readonly string[]): Promise<void> {
  await runProgram(() => run(args));
}

async function run(args: readonly string[]): Promise<number | undefined> {
  const flags = parseFlags(args, COMMON_FLAGS);
  if (flags.values["help"]) {
    writeStdout(helpText());
    return 0;
  }
  if (flags.values["version"]) {
    writeStdout(`${VERSION}\n`);
    return 0;
  }
  if (flags.rest.length > 0) {
    throw new RefraktError("INVALID_ARGS", `Unknown argument: ${flags.rest[0]}`, {
      hint: "It takes flags only; see --help.",
    });
  }
  const [{ openSingleWorkspace }, { serveOnStdio }] = await Promise.all([
    import("../workspace/single.ts"),
    import("../server/stdio.ts"),
  ]);
  const cwd = flags.values["cwd"] as string | undefined;
  await serveOnStdio(
    openSingleWorkspace({
      ...(cwd === undefined ? {} : { cwd }),
      name: "ralph-specum",
      title: "Ralph Specum",
      instructions: INSTRUCTIONS,
      plugin: "ralph",
      load: async () => (await import("../../plugins/ralph/plugin.ts")).ralphPlugin,
    }),
    serveOptions(flags),
  );
  return undefined;
}

function helpText(): string {
  return `ralph-specum ${VERSION}: the Ralph Specum workflow as a Model Context Protocol server

Usage: deno run --no-config --no-prompt --allow-read=. --allow-write=specs,.gitignore \\
         jsr:@refrakt/mcp/ralph [flags]

It serves MCP on stdin and stdout.

Flags:
${describeFlags(COMMON_FLAGS)}
`;
}

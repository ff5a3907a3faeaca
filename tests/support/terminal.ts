/** Runs of the program on a real pseudo-terminal, which `script` of util-linux makes. */

import { programOf, README_PERMISSIONS } from "./server.ts";

/** Why the tests on a terminal are skipped here; `undefined` if they can run. */
export const NO_TERMINAL: string | undefined = Deno.build.os !== "linux"
  ? "script has other arguments here"
  : findsScript()
  ? undefined
  : "script of util-linux is not installed";

export interface TerminalOptions {
  /** The reported width; 80 by default. */
  columns?: number;
  env?: Record<string, string>;
  /** Stops the program after it has printed this. */
  until?: RegExp;
}

/**
 * Runs the program with stdin, stdout and stderr on a terminal; returns all output, and what is
 * left of it after the progress lines are erased.
 */
export async function onTerminal(
  cwd: string,
  args: readonly string[],
  { columns = 80, env = {}, until }: TerminalOptions = {},
): Promise<{ code: number; shown: string; left: string }> {
  const program = [Deno.execPath(), "run", ...README_PERMISSIONS, programOf(), ...args];
  const line = program.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const { NO_COLOR: _inherited, ...rest } = Deno.env.toObject();
  const child = new Deno.Command("script", {
    args: ["-qefc", `stty cols ${columns}; exec ${line}`, "/dev/null"],
    cwd,
    clearEnv: true,
    env: { ...rest, TERM: "xterm", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let shown = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += chunk;
    if (until?.test(shown)) break;
  }
  await child.stdin.close();
  if (until !== undefined) child.kill("SIGKILL");
  const { code } = await child.status;
  shown = shown.replaceAll("\r\n", "\n");
  // deno-lint-ignore no-control-regex -- the codes are what a terminal does not show
  return { code, shown, left: shown.replaceAll(/.*\r\x1b\[K/g, "") };
}

function findsScript(): boolean {
  try {
    const { stdout } = new Deno.Command("script", { args: ["--version"] }).outputSync();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

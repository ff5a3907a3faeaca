/** One-shot runs of the program, as by a person or a CI job. */

import { join } from "node:path";
import { type Run, runProcess } from "./process.ts";
import { programOf, README_PERMISSIONS, ROOT } from "./server.ts";
import { makeProject, readTree, writeFiles } from "./project.ts";

/** Permissions of a read-only job. */
export const READ_ONLY: readonly string[] = ["--no-prompt", "--allow-read=."];

/** The documented permissions, in a process that poses as a compiled binary. */
export const AS_BINARY: readonly string[] = [
  `--preload=${ROOT}tests/support/as_binary.ts`,
  ...README_PERMISSIONS,
];

/** Runs the program in a directory until it exits; `grants` replace the documented permissions. */
export async function refrakt(
  cwd: string,
  args: readonly string[],
  { grants = README_PERMISSIONS, input }: { grants?: readonly string[]; input?: string } = {},
): Promise<Run> {
  return await runProcess(
    Deno.execPath(),
    ["run", ...grants, programOf(), ...args],
    cwd,
    input,
  );
}

/** A temporary copy of one of the examples. */
export function copyExample(name: string): string {
  const copy = makeProject();
  writeFiles(copy, readTree(join(ROOT, "examples", name)));
  return copy;
}

/** One-shot runs of the program, as a person or a CI job makes them. */

import { join } from "node:path";
import { type Run, runProcess } from "./process.ts";
import { README_PERMISSIONS, ROOT } from "./server.ts";
import { makeProject, readTree, writeFiles } from "./project.ts";

/** The grants of a job that only looks. */
export const READ_ONLY: readonly string[] = ["--no-prompt", "--allow-read=."];

/** The grants for `--isolate`; the code of the Workers lies in the checkout. */
export const ISOLATED: readonly string[] = [
  "--no-prompt",
  "--unstable-worker-options",
  `--allow-read=.,${ROOT}`,
];

/** The documented grants, in a process that takes itself for a compiled binary. */
export const AS_BINARY: readonly string[] = [
  `--preload=${ROOT}tests/support/as_binary.ts`,
  ...README_PERMISSIONS,
];

/** Runs the program in a directory until it ends; `grants` are in place of the documented ones. */
export async function refrakt(
  cwd: string,
  args: readonly string[],
  { grants = README_PERMISSIONS, input }: { grants?: readonly string[]; input?: string } = {},
): Promise<Run> {
  return await runProcess(
    Deno.execPath(),
    ["run", ...grants, `${ROOT}mod.ts`, ...args],
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

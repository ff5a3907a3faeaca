/** Looks for programs on the PATH. */

/**
 * Whether a program is on the PATH, without reading the variable: starts it with `--version`. Deno
 * reports a missing program as not found, and an existing one without permission as denied.
 */
export function isOnPath(program: string): boolean {
  try {
    new Deno.Command(program, {
      args: ["--version"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).outputSync();
    return true;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

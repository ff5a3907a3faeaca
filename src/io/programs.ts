/**
 * Which programs this machine has.
 *
 * @module
 */

/**
 * Whether a program is on the PATH, which itself may not be read. Starting it is
 * tried: without the permission the runtime refuses a program that exists, and
 * says of one that does not that it is not found. Where the permission is there,
 * the program runs with `--version`, and its output is dropped.
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

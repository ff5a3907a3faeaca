/**
 * Runs Deno for the build.
 */

/** Runs a Deno command in the checkout, and returns its output. */
export async function runDeno(root: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  if (code !== 0) {
    throw new Error(`deno ${args[0]} failed: ${new TextDecoder().decode(stderr).trim()}`);
  }
  return new TextDecoder().decode(stdout);
}

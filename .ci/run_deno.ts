/** Runs Deno for the build. */

/** Runs a Deno command in the checkout, and returns its output. */
export async function runDeno(root: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  if (code === 0) return said;
  throw new Error(`deno ${args.slice(0, 6).join(" ")} failed: ${said}`.trim());
}

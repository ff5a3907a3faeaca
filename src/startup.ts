/**
 * Starts a program whose npm dependencies may not be found.
 *
 * @module
 */

/**
 * Imports the program and runs it. Nothing before that imports npm packages, so
 * that a failure can still be explained.
 *
 * @param load Imports the module with the program's `main`.
 */
export async function startProgram(
  load: () => Promise<{ main: (args: readonly string[]) => Promise<void> }>,
): Promise<void> {
  try {
    const { main } = await load();
    await main(Deno.args);
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${startupSentence(error)}\n`));
    Deno.exit(1);
  }
}

/**
 * The sentence for a failed start. In a project with a `package.json`, Deno looks
 * for npm packages in that project alone, unless it is told not to.
 */
export function startupSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/node_modules|package\.json|Could not find a matching package/i.test(message)) {
    return "Error: @refrakt/mcp cannot find its own npm dependencies, because Deno uses this " +
      "project's package.json: add --no-config to the deno run command.";
  }
  return `Error: ${message}`;
}

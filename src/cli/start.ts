/**
 * Starts a program. The runtime may be too old, and npm dependencies may be missing.
 *
 * @module
 */

import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { runtimeProblem } from "../runtime.ts";

/**
 * Imports the program and runs it. Nothing is imported before that needs npm packages or a new
 * Deno, so that a failure can be explained.
 *
 * @param load Imports the module with the program's `main`.
 */
export async function startProgram(
  load: () => Promise<{ main: (args: readonly string[]) => Promise<void> }>,
): Promise<void> {
  const problem = runtimeProblem();
  if (problem !== undefined) {
    Deno.stderr.writeSync(new TextEncoder().encode(`Error: ${problem}\n`));
    Deno.exit(1);
  }
  try {
    const { main } = await load();
    await main(Deno.args);
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${startupSentence(error)}\n`));
    Deno.exit(1);
  }
}

/**
 * The sentence for a failed start. A checkout finds its npm dependencies by its own deno.json, which Deno does not look
 * at with `--no-config`; the published package has none, and only what Deno makes of the
 * project's files can be in its way.
 */
export function startupSentence(
  error: unknown,
  isCheckout: boolean = import.meta.url.startsWith("file:"),
): string {
  const sentence = `Error: ${error instanceof Error ? error.message : String(error)}`;
  if (!DENO_MESSAGES.ownPackages.test(sentence)) return sentence;
  return isCheckout
    ? "Error: @refrakt/mcp cannot find its own npm dependencies: a checkout has them in its " +
      "deno.json. Start it with --config=<checkout>/deno.json in place of --no-config and " +
      "--node-modules-dir, or run jsr:@refrakt/mcp."
    : `${sentence}\nWith --no-config in the deno run command, Deno leaves the project's ` +
      "package.json and deno.json alone.";
}

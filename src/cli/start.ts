/** Starts a program, and explains an unsupported runtime or missing npm dependencies. */

import { messageOf, rawMessage, RefraktError } from "../errors.ts";
import { DENO_MESSAGES } from "../io/deno_messages.ts";
import { runtimeProblem } from "../runtime.ts";

/**
 * Imports and runs a program. Modules that need npm packages or a recent Deno must be imported by
 * `load`, so that a failure can be explained.
 */
export async function startProgram(
  load: () => Promise<{ main: (args: readonly string[]) => Promise<void> }>,
): Promise<void> {
  try {
    const problem = runtimeProblem();
    if (problem !== undefined) throw new Error(problem);
    const { main } = await load();
    await main(Deno.args);
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${errorText(error)}\n`));
    Deno.exit(1);
  }
}

/**
 * An error as text. A checkout needs its own deno.json for its npm dependencies, which
 * `--no-config` disables; the published package only conflicts with the project's files.
 */
export function errorText(
  error: unknown,
  isCheckout: boolean = import.meta.url.startsWith("file:"),
): string {
  if (error instanceof RefraktError) {
    return `${error.code}: ${error.message}${error.hint === undefined ? "" : `\n${error.hint}`}`;
  }
  const sentence = `Error: ${messageOf(error)}`;
  if (!DENO_MESSAGES.ownPackages.test(rawMessage(error))) return sentence;
  return isCheckout
    ? "Error: @refrakt/mcp cannot find its own npm dependencies: a checkout has them in its " +
      "deno.json. Start it with --config=<checkout>/deno.json in place of --no-config and " +
      "--node-modules-dir, or run jsr:@refrakt/mcp."
    : `${sentence}\nAdd --no-config to the deno run command: Deno then ignores the project's ` +
      "package.json and deno.json.";
}

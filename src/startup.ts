/**
 * What to say when the program cannot even be loaded.
 *
 * @module
 */

/**
 * The sentence for a failed start. In a project with a `package.json`, Deno looks
 * for npm packages in that project alone, unless it is told not to.
 */
export function startupSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/node_modules|package\.json|byonm|Could not find a matching package/i.test(message)) {
    return "Error: @refrakt/mcp cannot find its own npm dependencies, because Deno uses this " +
      "project's package.json: add --no-config to the deno run command.";
  }
  return `Error: @refrakt/mcp cannot start: ${message}`;
}

/**
 * Which Deno the server runs on. It imports nothing, so that it can be asked on
 * a runtime that is too old for everything else.
 *
 * @module
 */

/** The oldest Deno that the server runs on: `registerHooks` of `node:module` came with it. */
export const OLDEST_DENO = "2.9.0";

/** The Deno that the tests run on, and that npm brings where none is installed. */
export const TESTED_DENO = "2.9.6";

/** Where the server does not run on this Deno, a sentence that says so and how to update. */
export function runtimeProblem(version: string = Deno.version.deno): string | undefined {
  if (isAtLeast(version, OLDEST_DENO)) return undefined;
  const [major, minor] = OLDEST_DENO.split(".");
  return `@refrakt/mcp needs Deno ${major}.${minor} or newer, and this is Deno ${version}: ` +
    `update it with "deno upgrade", or start the server with "npx -y deno@${TESTED_DENO} run …".`;
}

function isAtLeast(version: string, oldest: string): boolean {
  const [have, want] = [version, oldest].map((text) => text.split(/[.+-]/).map(Number));
  for (let i = 0; i < 3; i++) {
    if (have![i] !== want![i]) return have![i]! > want![i]!;
  }
  return true;
}

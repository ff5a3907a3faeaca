/**
 * Checks the Deno version. Imports nothing, so that it loads on versions that are too old for
 * everything else.
 */

/** The oldest supported Deno: `registerHooks` of `node:module` came with it. */
export const OLDEST_DENO = "2.9.0";

/** The Deno version of the tests, and of the npx command in messages. */
export const TESTED_DENO = "2.9.6";

/** Returns why the server does not run on this Deno and how to update, or `undefined`. */
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

/**
 * Two commands of the plan plugin run until they are stopped, or build a site.
 * They are not offered, and what they bring along (a highlighter, a renderer) is
 * a third of the plugin's import: it stays out.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { replaceModule } from "../../src/sandbox/modules.ts";

/** The versions whose modules for these commands export what is replaced here. */
const KNOWN = /^0\.25\./;

/**
 * Leaves the two commands' modules out. Runs before the plugin is imported.
 *
 * @param base The folder of the package, with a slash at the end.
 * @param version Its version.
 */
export function leaveOutLongRunning(base: string, version: string): void {
  if (!KNOWN.test(version)) return;
  for (const [name, command] of [["runServe", "serve"], ["runBuild", "build"]] as const) {
    replaceModule({
      specifiers: [`./commands/${command}.js`],
      from: (parent) => parent === `${base}dist/cli-plugin.js`,
      exports: {
        [name]: () => {
          throw new RefraktError("TOOL_FAILED", `plan.${command} is not available here`, {
            hint: `Run it in a terminal: npx refrakt plan ${command}`,
          });
        },
      },
    });
  }
}

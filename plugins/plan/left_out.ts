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
 * @returns Whether the plugin has asked for both since, or its version is another.
 */
export function leaveOutLongRunning(base: string, version: string): () => boolean {
  if (!KNOWN.test(version)) return () => true;
  const left = new Set<string>();
  for (const [name, command] of [["runServe", "serve"], ["runBuild", "build"]] as const) {
    replaceModule({
      specifiers: [`./commands/${command}.js`],
      from: (parent) => {
        const isMeant = parent === `${base}dist/cli-plugin.js`;
        if (isMeant) left.add(command);
        return isMeant;
      },
      exports: {
        [name]: () => {
          throw new RefraktError("TOOL_FAILED", `plan.${command} is not available here`, {
            hint: `Run it in a terminal: npx refrakt plan ${command}`,
          });
        },
      },
    });
  }
  return () => left.size === 2;
}

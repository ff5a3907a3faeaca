/**
 * Two commands of the plan plugin run until they are stopped, or build a site.
 * They are not offered, and what they bring along (a highlighter, a renderer) is
 * a third of the plugin's import: it stays out.
 *
 * @module
 */

import { RefraktError } from "../../src/errors.ts";
import { replaceModule } from "../../src/sandbox/modules.ts";
import type { LoadingPackage } from "../../src/surface/adapter.ts";

/** The versions whose modules for these commands export what is replaced here. */
const KNOWN = /^0\.25\./;

let done = false;

/** Leaves the two commands' modules out. Runs before the plugin is imported. */
export function leaveOutLongRunning({ version }: LoadingPackage): void {
  if (done || !KNOWN.test(version)) return;
  done = true;
  for (const [name, command] of [["runServe", "serve"], ["runBuild", "build"]] as const) {
    replaceModule({
      specifiers: [`./commands/${command}.js`],
      from: (parent) => /\/@refrakt-md\/plan\/0\.25\.[^/]*\/dist\/cli-plugin\.js$/.test(parent),
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

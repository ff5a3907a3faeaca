/**
 * Whether the plugin's own code uses what was put in the place of its scan.
 *
 * @module
 */

import { PLAN_PACKAGE } from "../../src/npm/names.ts";
import type { Warning } from "../../src/project/project.ts";
import { runAsCall } from "../../src/sandbox/call.ts";
import type { PlanPlugin } from "./commands.ts";

/**
 * Asks the plugin for the next work item of a plan without entities. In 0.25 its commands
 * import the scan as `../scanner.js`; where they do not, it reads the disk itself.
 */
export async function scanWarning(plugin: PlanPlugin): Promise<Warning[]> {
  const { version, scans } = plugin;
  const before = scans.count;
  const signal = new AbortController().signal;
  const context = { cwd: "/", planDir: "/plan", signal, progress: () => {}, log: () => {} };
  try {
    await runAsCall(
      "/",
      () => plugin.withScan(() => [], () => plugin.original("next")({ dir: "/plan" }, context)),
    );
  } catch {
    // What it says of an empty plan does not matter.
  }
  if (scans.count > before) return [];
  return [{
    code: "PLUGIN_UNFAMILIAR",
    message: `${PLAN_PACKAGE} ${version.version} does not scan the plan as 0.25 does`,
    hint:
      "Its tools work, but read every file at each call, and may leave a cache file in the plan.",
  }];
}

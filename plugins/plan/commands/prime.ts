/** `prime`: prints where work on the plan stands, for the start of an agent's session. */

import { PLAN_PACKAGE } from "../../../src/npm/names.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import type { PluginCommandInput } from "../../../src/tools/adapter.ts";
import { readPrime } from "../queries/prime.ts";
import { loadPlan } from "../store/loaded.ts";
import { placeAt } from "../store/place.ts";

/** Prints nothing without a plan; with `--json`, the answer of a session hook. */
export async function prime({ open, terminal, values }: PluginCommandInput): Promise<number> {
  const context = await open();
  const { project } = context;
  if (project.plan === null) return 0;
  const loaded = await loadPlan(packageVersion(project, PLAN_PACKAGE));
  const original = () => {
    throw new TypeError("Only the plan is read, without the plugin's commands");
  };
  const plugin = { ...loaded, original };
  const text = await readPrime(placeAt(plugin, context, project.plan.path));
  // As the session hooks of clients answer.
  const output = { hookEventName: "SessionStart", additionalContext: text };
  if (values["json"] === true) terminal.json({ hookSpecificOutput: output });
  else terminal.print(`${text}\n`);
  return 0;
}

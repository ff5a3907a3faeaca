/** `prime`: prints where work on the plan stands, for the start of an agent's session. */

import { PLAN_PACKAGE } from "../../../src/npm/names.ts";
import { packageVersion } from "../../../src/npm/versions.ts";
import type { PluginCommandInput } from "../../../src/tools/adapter.ts";
import { readPrime } from "../queries/prime.ts";
import { loadPlan } from "../store/loaded.ts";
import { placeAt } from "../store/place.ts";

/** The JSON that session hooks of some clients answer with; the others take the text. */
const ANSWERS: Readonly<Record<string, (text: string) => object>> = {
  "gemini-cli": (additionalContext) => ({
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext },
  }),
  "cursor": (text) => ({ additional_context: text }),
};

/** Prints nothing without a plan. */
export async function prime(
  { open, terminal, args: [client = ""] }: PluginCommandInput,
): Promise<number> {
  const context = await open();
  const { project } = context;
  if (project.plan === null) return 0;
  const loaded = await loadPlan(packageVersion(project, PLAN_PACKAGE));
  const original = () => {
    throw new TypeError("Only the plan is read, without the plugin's commands");
  };
  const plugin = { ...loaded, original };
  const text = await readPrime(placeAt(plugin, context, project.plan.path));
  const answer = Object.hasOwn(ANSWERS, client) ? ANSWERS[client] : undefined;
  if (answer === undefined) terminal.print(`${text}\n`);
  else terminal.json(answer(text));
  return 0;
}

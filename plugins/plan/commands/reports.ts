/** `prime` and `today`: print where work on the plan stands, and who has changed what since a time. */

import { textOf } from "../../../src/io/json.ts";
import type { PluginCommandInput } from "../../../src/plugin/plugin.ts";
import { openPlan } from "../queries/access.ts";
import { readToday, todayList } from "../queries/today.ts";
import { readPrime } from "../queries/status.ts";
import { existingPlan } from "../store/place.ts";

export async function today({ args: [since = "1d"], open, terminal, values }: PluginCommandInput) {
  const plan = await openPlan(await existingPlan(await open()));
  const asked = { since, workingTree: true, by: textOf(values["by"]) };
  const changes = await readToday(plan, asked);
  if (values["json"] === true) terminal.json(changes);
  else terminal.print(todayList(plan, changes, since));
  for (const warning of changes.warnings) terminal.note(`${warning}\n`);
  return 0;
}

/** The JSON that session hooks of some clients answer with; the others take the text. */
const ANSWERS: Readonly<Record<string, (text: string) => object>> = {
  "gemini-cli": (additionalContext) => ({
    hookSpecificOutput: { hookEventName: "SessionStart", additionalContext },
  }),
  "cursor": (text) => ({ additional_context: text }),
};

/** Prints nothing without a plan. */
export async function prime({ open, terminal, args: [client = ""] }: PluginCommandInput) {
  const context = await open();
  if (context.project.plan === null) return 0;
  const text = await readPrime(await existingPlan(context));
  const answer = Object.hasOwn(ANSWERS, client) ? ANSWERS[client] : undefined;
  if (answer === undefined) terminal.print(`${text}\n`);
  else terminal.json(answer(text));
  return 0;
}

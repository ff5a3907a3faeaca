/** `prime`: prints where work on the plan stands, for the start of an agent's session. */

import type { PluginCommandInput } from "../../../src/tools/adapter.ts";
import { readPrime } from "../queries/prime.ts";
import { commandPlan } from "./command_plan.ts";

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
  const place = await commandPlan(await open());
  if (place === undefined) return 0;
  const text = await readPrime(place);
  const answer = Object.hasOwn(ANSWERS, client) ? ANSWERS[client] : undefined;
  if (answer === undefined) terminal.print(`${text}\n`);
  else terminal.json(answer(text));
  return 0;
}

/** `today`: prints who has changed what in the plan since a time. */

import { textOf } from "../../../src/io/json.ts";
import { planMissing } from "../../../src/project/plan.ts";
import type { PluginCommandInput } from "../../../src/tools/adapter.ts";
import { openPlan } from "../queries/access.ts";
import { readToday, standUp } from "../queries/today.ts";
import { commandPlan } from "./command_plan.ts";

export async function today(
  { args: [since = "1d"], open, terminal, values }: PluginCommandInput,
): Promise<number> {
  const context = await open();
  const place = await commandPlan(context);
  if (place === undefined) throw planMissing(context.project.cwd, context.project.planDir);
  const plan = await openPlan(place);
  const asked = { since, workingTree: true, by: textOf(values["by"]) };
  const found = await readToday(plan, asked);
  if (values["json"] === true) terminal.json(found);
  else terminal.print(standUp(plan, found, since));
  for (const warning of found.warnings) terminal.note(`${warning}\n`);
  return 0;
}

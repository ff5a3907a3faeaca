/** `plan_next_id`: the next free id. */

import * as z from "zod";
import type { PlanView } from "../queries/access.ts";
import { askPlugin } from "../queries/plugin_answers.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { uncheckedPlaces } from "../tool_parts/fields.ts";
import { readTool } from "../tool_parts/plan_tool.ts";

export const nextIdTool = readTool({
  name: "plan_next_id",
  title: "Find the next free id",
  description: "Returns the next free id for a spec, work item, bug or decision.",
  input: { type: z.enum(["work", "bug", "spec", "decision"]).describe("Of the new entity") },
  output: z.object({ nextId: z.string(), unchecked: uncheckedPlaces() }),
  run: async ({ type }, plan) => {
    const { ids, unchecked } = await takenIds(plan);
    const answer = await nextFreeId(plan, type, ids);
    return { ...answer, unchecked: uncheckedSentence(unchecked) };
  },
});

/**
 * The plugin's answer: the next id of a type that no entity has.
 *
 * @param elsewhere The ids that are taken outside the plan's files.
 */
export async function nextFreeId(
  plan: PlanView,
  type: string,
  elsewhere: ReadonlyMap<string, string>,
): Promise<{ nextId: string }> {
  const taken = plan.store.numbered(elsewhere);
  return await askPlugin(plan, "next-id", { type }, taken);
}

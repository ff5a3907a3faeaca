/** `plan_next_id`: the next free id. */

import * as z from "zod";
import { uncheckedSentence } from "../queries/elsewhere.ts";
import { takenIds } from "../queries/taken_ids.ts";
import { uncheckedPlaces } from "../tool_parts/fields.ts";
import { nextFreeId } from "../write/draft.ts";
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

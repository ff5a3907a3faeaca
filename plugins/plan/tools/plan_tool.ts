/** Declares plan tools: listed with a plan, and with unreadable files in every answer. */

import { isContentResult, isTextResult } from "../../../src/tools/result.ts";
import type { ZodSchema } from "../../../src/tools/schema.ts";
import {
  defineTool,
  type Listing,
  type Tool,
  type ToolDefinition,
} from "../../../src/tools/tool.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { few } from "../store/failures.ts";
import { planPlace } from "../store/place.ts";
import type { PlanStore } from "../store/mod.ts";

/** How many files and folders are listed. */
const NAMED = 5;

/** Listed in projects with a plan; a call may still name another plan by `dir`. */
export const WITH_PLAN: Listing = { with: ["plan"] };

/** Declares a tool whose answers get `unreadable` if something could not be read. */
export function planTool<Source extends ZodSchema<{ readonly dir?: string | undefined }>>(
  { storeOf }: Pick<PlanPlugin, "storeOf">,
  definition: ToolDefinition<Source>,
): Tool {
  return defineTool<Source>({
    listed: WITH_PLAN,
    ...definition,
    run: async (input, context) => {
      const answer = Object(await definition.run(input, context));
      const place = planPlace(context, input.dir);
      const unreadable = unreadableIn(storeOf(context.project.cwd, place));
      if (unreadable === undefined) return answer;
      if (!isTextResult(answer) && !isContentResult(answer)) return { ...answer, unreadable };
      const data = { ...answer.data, unreadable };
      if (!isTextResult(answer)) return { ...answer, data };
      const text = `${answer.text}\n\nSome of the plan could not be read: ${unreadable}`;
      return { ...answer, data, text };
    },
  });
}

/** Summarizes what the last scan could not read. */
export function unreadableIn(store: Pick<PlanStore, "unreadable">): string | undefined {
  const unread = store.unreadable();
  return unread.length === 0 ? undefined : few(unread, NAMED);
}

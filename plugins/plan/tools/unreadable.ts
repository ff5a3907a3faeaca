/** Adds unreadable files and folders to every answer about the plan. */

import { isContentResult, isTextResult } from "../../../src/tools/result.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../queries/ask_plugin.ts";
import { few } from "../store/failures.ts";
import { planPlace } from "../store/place.ts";
import type { PlanStore } from "../store/mod.ts";

/** How many files and folders are listed. */
const NAMED = 5;

/** These commands list every problem of the plan's files themselves. */
const LISTING = ["status", "validate"];

/** Adds `unreadable` to the answers of a command if something could not be read. */
export function reportingUnreadable(
  command: CliPluginCommand,
  { storeOf }: Pick<PlanPlugin, "storeOf">,
): CliPluginCommand {
  const { mcpHandler } = command;
  if (mcpHandler === undefined || LISTING.includes(command.name)) return command;
  return {
    ...command,
    mcpHandler: async (input: { readonly dir?: string }, context) => {
      const answer = Object(await mcpHandler(input, context));
      const unreadable = unreadableIn(storeOf(context.cwd, planPlace(context, input.dir)));
      if (unreadable === undefined) return answer;
      if (!isTextResult(answer) && !isContentResult(answer)) return { ...answer, unreadable };
      const data = { ...answer.data, unreadable };
      if (!isTextResult(answer)) return { ...answer, data };
      const text = `${answer.text}\n\nSome of the plan could not be read: ${unreadable}`;
      return { ...answer, data, text };
    },
  };
}

/** Summarizes what the last scan could not read. */
export function unreadableIn(store: Pick<PlanStore, "unreadable">): string | undefined {
  const unread = store.unreadable();
  return unread.length === 0 ? undefined : few(unread, NAMED);
}

/**
 * What could not be read stands in every answer about the plan: it costs the files or
 * folders alone, and nobody takes the rest for the whole.
 *
 * @module
 */

import { isContentResult, isTextResult } from "../../../src/tools/result.ts";
import type { CliPluginCommand } from "../../../src/tools/plugin.ts";
import type { PlanPlugin } from "../commands.ts";
import { few } from "../failures.ts";
import { planPlace } from "../place.ts";
import type { PlanStore } from "../store/mod.ts";

/** How many files and folders are named. */
const NAMED = 5;

/** The commands that list every problem of the plan's files themselves. */
const LISTING = ["status", "validate"];

/** A command whose answers say in `unreadable` what the store could not read. */
export function tellingUnreadable(
  command: CliPluginCommand,
  { storeOf }: Pick<PlanPlugin, "storeOf">,
): CliPluginCommand {
  const { mcpHandler } = command;
  if (mcpHandler === undefined || LISTING.includes(command.name)) return command;
  return {
    ...command,
    mcpHandler: async (input: { readonly dir?: string }, context) => {
      const answer = await mcpHandler(input, context);
      if (typeof answer !== "object" || answer === null) return answer;
      const unreadable = unreadableIn(storeOf(context.cwd, planPlace(context, input.dir)));
      return unreadable === undefined ? answer : withUnreadable(answer, unreadable);
    },
  };
}

/** What the last look could not read, in short; `undefined` where it could read everything. */
export function unreadableIn(store: Pick<PlanStore, "unreadable">): string | undefined {
  const unread = store.unreadable();
  return unread.length === 0 ? undefined : few(unread, NAMED);
}

function withUnreadable(answer: object, unreadable: string): object {
  const text = `Not everything could be read: ${unreadable}`;
  if (isTextResult(answer)) {
    const { text: own, data } = answer;
    return { ...answer, text: `${own}\n\n${text}`, data: { ...data, unreadable } };
  }
  if (isContentResult(answer)) {
    const { content, data } = answer;
    return {
      ...answer,
      content: [...content, { type: "text", text }],
      data: data === undefined ? undefined : { ...data, unreadable },
    };
  }
  return { ...answer, unreadable };
}

/**
 * The messages of the plan's prompts: sentences, lists, and entities as embedded resources.
 *
 * @module
 */

import { plainLine } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { Prompt, PromptMessage } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { type Item, openPlan, type PlanView, sourceText, uriOf } from "../queries/access.ts";
import { blockedNote, blockersOf } from "../queries/dependencies.ts";
import { unreadableIn } from "../tools/unreadable.ts";

/** The longest text of an embedded entity. */
const LONGEST = 12_000;

/** The longest line of a list, and the longest name in a sentence. */
const [MOST_LINE, MOST_NAME] = [1500, 200];

/** How many lines a list has. */
const MOST_LINES = 60;

/** A prompt about the plan. */
export interface PlanPrompt extends Pick<Prompt, "name" | "title" | "description"> {
  /** Its arguments; those that the plan knows values of are completed. */
  readonly arguments?: NonNullable<Prompt["arguments"]>;
  /** Its messages. */
  messages(
    call: PromptCall,
    args: Readonly<Record<string, string>>,
  ): readonly PromptMessage[] | Promise<readonly PromptMessage[]>;
}

/** What a prompt is made from. */
export interface PromptCall {
  /** The loaded plugin. */
  readonly plugin: PlanPlugin;
  /** The plan as it is now. */
  readonly plan: PlanView;
  /** The context in which the plugin's handlers run. */
  readonly context: McpHandlerContext;
}

/** Opens the plan for a prompt. */
export async function openPrompt(
  plugin: PlanPlugin,
  { project: { cwd, planDir }, ...channels }: CallContext,
): Promise<PromptCall> {
  const context: McpHandlerContext = { ...channels, cwd, planDir };
  return { plugin, plan: await openPlan(context, undefined, plugin), context };
}

/** Adds what could not be read of the plan. */
export function withUnreadable(
  { plan }: PromptCall,
  messages: readonly PromptMessage[],
): readonly PromptMessage[] {
  const unreadable = unreadableIn(plan.store);
  if (unreadable === undefined) return messages;
  return [...messages, ...dataOr("", `Not everything could be read: ${unreadable}`)];
}

/** A message of the user's. */
export function say(text: string): PromptMessage {
  return { role: "user", content: text };
}

/** An entity as an embedded resource; a long one by its beginning. */
export function embed(plan: PlanView, item: Item): PromptMessage {
  const source = sourceText(plan, item);
  const text = source.length <= LONGEST
    ? source
    : `${source.slice(0, LONGEST)}\n[… ${source.length - LONGEST} more characters: plan.get]\n`;
  return {
    role: "user",
    content: { type: "resource", resource: { uri: uriOf(item), mimeType: "text/markdown", text } },
  };
}

/**
 * Lists about the plan as an embedded resource: titles and other words of the repository are data,
 * and stay out of our own sentences. Without any, a sentence says so.
 */
export function dataOr(nothing: string, ...lists: readonly string[]): PromptMessage[] {
  const text = lists.filter((list) => list !== "").join("\n\n");
  if (text === "") return nothing === "" ? [] : [say(nothing)];
  return [{
    role: "user",
    content: {
      type: "resource",
      resource: { uri: "refrakt://plan/index", mimeType: "text/plain", text: `${text}\n` },
    },
  }];
}

/** A name of the plan within a sentence of ours: one line, between quotes. */
export function quoted(name: string): string {
  return JSON.stringify(plainLine(name, MOST_NAME));
}

/** Entities as lines under a heading; nothing where there are none. */
export function listOf(
  heading: string,
  items: readonly Item[],
  note: (item: Item) => string = () => "",
): string {
  if (items.length === 0) return "";
  const lines = items.slice(0, MOST_LINES).map((item) => {
    const said = note(item);
    const line = `- ${item.id} (${item.status}) ${item.title}${said === "" ? "" : `: ${said}`}`;
    return plainLine(line, MOST_LINE);
  });
  const rest = items.length - lines.length;
  if (rest > 0) lines.push(`- and ${rest} more: plan.list has them`);
  return `${heading} (${items.length}):\n${lines.join("\n")}`;
}

/** What an item waits for, in words; empty where nothing blocks it. */
export function waitingFor(plan: PlanView): (item: Item) => string {
  return (item) => {
    const ids = blockersOf(plan, item).map(({ id }) => id).join(", ");
    return ids === "" ? blockedNote(plan, item) ?? "" : `waits for ${ids}`;
  };
}

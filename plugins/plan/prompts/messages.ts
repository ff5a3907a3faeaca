/**
 * The messages of the plan's prompts: sentences, lists, and entities as embedded resources.
 *
 * @module
 */

import { plainLine } from "../../../src/plain_text.ts";
import type { McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { Prompt, PromptMessage } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { type Item, type PlanView, sourceText, uriOf } from "../queries/access.ts";
import { blockedNote, blockersOf } from "../queries/dependencies.ts";

/** The longest text of an embedded entity, line of a list and name in a sentence. */
const [MOST_TEXT, MOST_LINE, MOST_NAME] = [12_000, 1500, 200];

/** How many lines a list has. */
const MOST_LINES = 60;

/** A prompt about the plan. Arguments that the plan knows values of are completed. */
export interface PlanPrompt extends Pick<Prompt, "name" | "title" | "description" | "arguments"> {
  messages(
    call: PromptCall,
    args: Readonly<Record<string, string>>,
  ): readonly PromptMessage[] | Promise<readonly PromptMessage[]>;
}

/** What a prompt is made from. */
export interface PromptCall {
  readonly plugin: PlanPlugin;
  readonly plan: PlanView;
  readonly context: McpHandlerContext;
}

/** A message of the user's. */
export function say(text: string): PromptMessage {
  return { role: "user", content: text };
}

function resource(uri: string, mimeType: string, text: string): PromptMessage {
  return { role: "user", content: { type: "resource", resource: { uri, mimeType, text } } };
}

/** An entity as an embedded resource; a long one by its beginning. */
export function embed(plan: PlanView, item: Item): PromptMessage {
  const source = sourceText(plan, item);
  const rest = source.length - MOST_TEXT;
  const text = rest <= 0
    ? source
    : `${source.slice(0, MOST_TEXT)}\n[… ${rest} more characters: plan.get]\n`;
  return resource(uriOf(item), "text/markdown", text);
}

/**
 * Lists about the plan as an embedded resource: titles and other words of the repository are data,
 * and stay out of our own sentences. Without any, a sentence says so.
 */
export function dataOr(nothing: string, ...lists: readonly string[]): PromptMessage[] {
  const text = lists.filter((list) => list !== "").join("\n\n");
  if (text !== "") return [resource("refrakt://plan/index", "text/plain", `${text}\n`)];
  return nothing === "" ? [] : [say(nothing)];
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

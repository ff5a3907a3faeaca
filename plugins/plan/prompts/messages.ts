/**
 * What the plan's prompts are made of: entities as embedded resources, lists as
 * lines, and values that complete their arguments.
 *
 * @module
 */

import { plainLine } from "../../../src/plain_text.ts";
import type { CallContext } from "../../../src/tools/context.ts";
import type { McpHandlerContext } from "../../../src/tools/plugin.ts";
import type { PromptMessage } from "../../../src/tools/prompt.ts";
import type { PlanPlugin } from "../commands.ts";
import { type Item, openPlan, type PlanView, sourceText, uriOf } from "../queries/access.ts";
import { byId } from "../queries/order.ts";
import { byNumber } from "../queries/values.ts";
import { unreadableIn } from "../tools/unreadable.ts";

/** The longest text of an embedded entity. */
const LONGEST = 12_000;

/** The longest line of a list, and the longest name in a sentence. */
const [MOST_LINE, MOST_NAME] = [1500, 200];

/** How many values complete an argument. */
const MOST_VALUES = 100;

/** A plan, and the context in which the plugin's handlers run. */
export interface PromptCall {
  /** The plan as it is now. */
  readonly plan: PlanView;
  /** What handlers are told. */
  readonly context: McpHandlerContext;
}

/** Opens the plan, and works on it. */
export async function withPlan<Value>(
  plugin: PlanPlugin,
  context: CallContext,
  work: (call: PromptCall) => Value | Promise<Value>,
): Promise<Value> {
  const { project: { cwd, planDir }, ...channels } = context;
  const handlerContext: McpHandlerContext = { ...channels, cwd, planDir };
  const plan = await openPlan(handlerContext, undefined, plugin);
  return await work({ plan, context: handlerContext });
}

/** The messages of a prompt about the plan; what could not be read of it is said after them. */
export function ofPlan(
  plugin: PlanPlugin,
  context: CallContext,
  messages: (call: PromptCall) => readonly PromptMessage[] | Promise<readonly PromptMessage[]>,
): Promise<readonly PromptMessage[]> {
  return withPlan(plugin, context, async (call) => {
    const said = await messages(call);
    const unreadable = unreadableIn(call.plan.store);
    return unreadable === undefined
      ? said
      : [...said, ...dataOr("", `Not everything could be read: ${unreadable}`)];
  });
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
  const text = parts(...lists);
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
  most = 30,
): string {
  if (items.length === 0) return "";
  const lines = items.slice(0, most).map((item) => {
    const said = note(item);
    const line = `- ${item.id} (${item.status}) ${item.title}${said === "" ? "" : `: ${said}`}`;
    return plainLine(line, MOST_LINE);
  });
  if (items.length > most) lines.push(`- and ${items.length - most} more: plan.list has them`);
  return `${heading} (${items.length}):\n${lines.join("\n")}`;
}

function parts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** The ids that begin with what was typed: what is open first. */
export function completeIds(plan: PlanView, value: string, types: readonly string[]): string[] {
  const typed = value.toLowerCase();
  const order = byId(plan);
  return plan.items.filter(({ id, type }) =>
    types.includes(type) && id.toLowerCase().startsWith(typed)
  ).sort((a, b) => Number(a.finished) - Number(b.finished) || order(a, b))
    .slice(0, MOST_VALUES).map(({ id }) => id);
}

/** The milestones that begin with what was typed: those that are not complete first. */
export function completeMilestones(plan: PlanView, value: string): string[] {
  const known = plan.items.filter(({ type, id }) => type === "milestone" && id.startsWith(value));
  return known.sort((a, b) => Number(a.finished) - Number(b.finished) || byNumber(b.id, a.id))
    .map(({ id }) => id);
}

/** Spans that begin with what was typed. */
export function completeSpans(value: string): string[] {
  return ["1d", "7d", "14d", "30d", "90d"].filter((span) => span.startsWith(value));
}

/** Builds the messages of the plan's prompts: sentences, lists and embedded entities. */

import { shortLine, shortText } from "../../../src/plain_text.ts";
import type { Prompt, PromptMessage } from "../../../src/plugin/prompt.ts";
import { noteOf, waitsFor } from "../queries/waits.ts";
import type { Entity } from "../entity/entity.ts";
import { type PlanView, sourceText, uriOf } from "../queries/access.ts";
import { uncheckedSentence } from "../queries/elsewhere.ts";

/** The most characters of an embedded entity, and of a list's line. */
const [MAX_TEXT, MAX_LINE] = [12_000, 1500];

const MAX_LINES = 60;

/** A prompt about the plan. Arguments with known values have completions. */
export interface PlanPrompt extends Pick<Prompt, "name" | "title" | "description" | "arguments"> {
  messages(
    plan: PlanView,
    args: Readonly<Record<string, string>>,
  ): readonly PromptMessage[] | Promise<readonly PromptMessage[]>;
}

/** A message of the user. */
export function say(text: string): PromptMessage {
  return { role: "user", content: text };
}

function resource(uri: string, mimeType: string, text: string): PromptMessage {
  return { role: "user", content: { type: "resource", resource: { uri, mimeType, text } } };
}

/** Embeds an entity as a resource; long ones are cut. */
export function embed(plan: PlanView, item: Entity): PromptMessage {
  const source = sourceText(plan, item);
  const rest = source.length - MAX_TEXT;
  const text = rest <= 0
    ? source
    : `${shortText(source, MAX_TEXT)}\n[… ${rest} more characters: plan_get]\n`;
  return resource(uriOf(item), "text/markdown", text);
}

/**
 * Embeds lists about the plan as a resource, because titles and other text of the repository are
 * data and must not mix with instructions. Says `nothing` if all lists are empty.
 */
export function embedLists(nothing: string, ...lists: readonly string[]): PromptMessage[] {
  const text = lists.filter((list) => list !== "").join("\n\n");
  if (text !== "") return [resource("refrakt://plan/index", "text/plain", `${text}\n`)];
  return nothing === "" ? [] : [say(nothing)];
}

/** Says what could not be read; its names are data of the repository, too. */
export function notChecked(unchecked: readonly string[] = []): PromptMessage[] {
  const sentence = uncheckedSentence(unchecked);
  return embedLists("", sentence === undefined ? "" : `Not checked: ${sentence}`);
}

/** Formats entities as lines under a heading; empty without entities. */
export function listOf(
  heading: string,
  items: readonly Entity[],
  note: (item: Entity) => string = () => "",
): string {
  if (items.length === 0) return "";
  const lines = items.slice(0, MAX_LINES).map((item) => {
    const remark = note(item);
    const line = `- ${item.id} (${item.status}) ${item.title}${remark === "" ? "" : `: ${remark}`}`;
    return shortLine(line, MAX_LINE);
  });
  const rest = items.length - lines.length;
  if (rest > 0) lines.push(`- and ${rest} more: plan_list has them`);
  return `${heading} (${items.length}):\n${lines.join("\n")}`;
}

/** Describes what keeps somebody from taking up an item; empty if nothing does. */
export function waitingFor(plan: PlanView): (item: Entity) => string {
  return (item) => {
    const ids = waitsFor(plan, item).map(({ id }) => id).join(", ");
    const reasons = [ids && `waits for ${ids}`, plan.taken?.taken.get(item.id) ?? ""];
    return reasons.filter(Boolean).join("; ") || (noteOf(plan, item) ?? "");
  };
}

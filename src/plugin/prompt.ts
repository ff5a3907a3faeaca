/** Prompts: starts of a conversation that users choose in their client. */

import { asObject } from "../io/json.ts";
import { blockProblem, type ContentBlock, type ListedEntry } from "./content.ts";
import type { CallContext } from "./context.ts";

/** An argument of a prompt. */
export interface PromptArgument {
  /** The name. */
  readonly name: string;
  /** What it means. */
  readonly description: string;
  /** Whether the argument is required. */
  readonly required?: boolean;
}

/** A message of a prompt. */
export interface PromptMessage {
  /** The speaker. */
  readonly role: "user" | "assistant";
  /** A text, or a block such as an embedded resource. */
  readonly content: string | ContentBlock;
}

/** The text of one user message, or several messages. */
export type RenderedPrompt = string | readonly PromptMessage[];

/** A prompt. */
export interface Prompt extends ListedEntry {
  /** A stable name. */
  readonly name: string;
  /** The arguments, in order. */
  readonly arguments?: readonly PromptArgument[];
  /** Listed only if the project has these. */
  readonly requires?: readonly string[];
  /** Renders the messages. */
  render(
    args: Readonly<Record<string, string>>,
    context: CallContext,
  ): RenderedPrompt | Promise<RenderedPrompt>;
}

/** Whether the `render` of a prompt returned what it should. */
export function isRendered(value: unknown): value is RenderedPrompt {
  if (!Array.isArray(value)) return typeof value === "string";
  return value.every((message) => {
    const { role, content } = asObject(message);
    return (role === "user" || role === "assistant") &&
      (typeof content === "string" || blockProblem(content) === undefined);
  });
}

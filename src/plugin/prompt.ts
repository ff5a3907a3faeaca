/** Prompts: starts of a conversation that users choose in their client. */

import type { ContentBlock, ListedEntry } from "./content.ts";
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

/**
 * A prompt is the beginning of a conversation, which a person picks in their client.
 *
 * @module
 */

import type { ContentBlock, Icon, Meta } from "./content.ts";
import type { CallContext } from "./context.ts";
import type { Requirement } from "./tool.ts";

/** One argument of a prompt. */
export interface PromptArgument {
  /** Its name. */
  readonly name: string;
  /** What it means. */
  readonly description: string;
  /** Whether the prompt cannot do without it. */
  readonly required?: boolean;
}

/** One message of a prompt. */
export interface PromptMessage {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** What is said: a text, or a block such as an embedded resource. */
  readonly content: string | ContentBlock;
}

/** What a prompt becomes: the text of one message of the user's, or several messages. */
export type RenderedPrompt = string | readonly PromptMessage[];

/** A prompt as the registry keeps it. */
export interface Prompt {
  /** A stable name. */
  readonly name: string;
  /** A short name for people. */
  readonly title: string;
  /** What it is for. */
  readonly description: string;
  /** Its arguments, in order. */
  readonly arguments?: readonly PromptArgument[];
  /** Listed only where the project has these. */
  readonly requires?: readonly Requirement[];
  /** Pictures for clients that show some. */
  readonly icons?: readonly Icon[];
  /** Passed to clients as it is. */
  readonly _meta?: Meta;
  /** Values for an argument that begin with what was typed; `others` are those already given. */
  complete?(
    argument: string,
    value: string,
    context: CallContext,
    others: Readonly<Record<string, string>>,
  ): readonly string[] | Promise<readonly string[]>;
  /** Renders what is sent. */
  render(
    args: Readonly<Record<string, string>>,
    context: CallContext,
  ): RenderedPrompt | Promise<RenderedPrompt>;
}

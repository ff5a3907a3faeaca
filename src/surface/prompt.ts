/**
 * A prompt is a message that a person picks in their client.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import type { Need } from "./tool.ts";

/** One argument of a prompt. */
export interface PromptArgument {
  /** Its name. */
  readonly name: string;
  /** What it means. */
  readonly description: string;
  /** Whether the prompt cannot do without it. */
  readonly required?: boolean;
}

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
  readonly needs?: readonly Need[];
  /** Values for an argument that begin with what was typed. */
  complete?(
    argument: string,
    value: string,
    context: CallContext,
  ): readonly string[] | Promise<readonly string[]>;
  /** Renders the text that is sent as the user's message. */
  render(
    args: Readonly<Record<string, string>>,
    context: CallContext,
  ): string | Promise<string>;
}

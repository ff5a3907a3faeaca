/** `prompts/list` and `prompts/get`. */

import type { GetPromptResult, Prompt as ListedPrompt } from "@modelcontextprotocol/server";
import { encodeBlock } from "../plugin/content.ts";
import { renderPrompt } from "../host/read.ts";
import type { Prompt, RenderedPrompt } from "../plugin/prompt.ts";
import { progressOf } from "./progress.ts";
import { requestError } from "./results.ts";
import { boundedDescription, listedFields, mutable } from "./listing.ts";
import { callerOf } from "./caller.ts";
import { completedText } from "./unlisted_tools.ts";
import { answerList, audienceOf, failureOf, type Session } from "./session.ts";

export function handlePrompts(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler(
    "prompts/list",
    (request) =>
      answerList(session, "prompts", request, "lists", (inventory) => ({
        prompts: inventory.listedPrompts().map(listedPrompt),
      })),
  );

  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    await using progress = progressOf(context);
    try {
      const caller = callerOf(session, context, params.name, progress.send);
      const { name, arguments: args = {} } = params;
      const { prompt, rendered } = await renderPrompt(workspace, name, args, caller);
      const audience = await audienceOf(session, context);
      return {
        description: prompt.description,
        messages: messagesOf(rendered, (text) => completedText(text, audience)),
      };
    } catch (error) {
      throw requestError(await failureOf(session, context, error, "RESOURCE_FAILED"));
    }
  });
}

function listedPrompt(prompt: Prompt): ListedPrompt {
  return {
    name: prompt.name,
    ...listedFields(prompt),
    arguments: (prompt.arguments ?? []).map((argument) => ({
      ...argument,
      description: boundedDescription(argument.description),
    })),
  };
}

/** @param complete Completes our texts; resources are the project's. */
function messagesOf(
  rendered: RenderedPrompt,
  complete: (text: string) => string,
): GetPromptResult["messages"] {
  const messages = typeof rendered === "string"
    ? [{ role: "user" as const, content: rendered }]
    : rendered;
  return messages.map(({ role, content }) => {
    const block = typeof content === "string"
      ? { type: "text" as const, text: complete(content) }
      : content;
    return { role, content: mutable(encodeBlock(block)) };
  });
}

/** `prompts/list` and `prompts/get`. */

import type { GetPromptResult, Prompt as ListedPrompt } from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";
import { renderPrompt, toRefraktError, unknownPrompt } from "../tools/call.ts";
import { encodeBlock } from "../tools/content.ts";
import { findPrompt } from "../tools/lookup.ts";
import type { Prompt, RenderedPrompt } from "../tools/prompt.ts";
import { progressOf } from "./progress.ts";
import { requestError } from "./results.ts";
import { boundedDescription, listedFields, mutable } from "./listing.ts";
import { contextOf } from "./call_context.ts";
import { completedError, completedText } from "./unlisted_tools.ts";
import { answerList, audienceOf, type Session } from "./session.ts";

export function handlePrompts(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler(
    "prompts/list",
    (request) =>
      answerList(session, "prompts", request, workspace.toolset, (toolset) => ({
        prompts: toolset.listedPrompts().map(listedPrompt),
      })),
  );

  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    await using progress = progressOf(context);
    const { toolset, prompt } = await findPrompt(workspace, params.name);
    const audience = audienceOf(session, toolset, context);
    const failure = async (error: RefraktError) =>
      requestError(await completedError(error, audience));
    if (prompt === undefined) throw await failure(unknownPrompt(toolset, params.name));
    const callContext = contextOf(session, toolset, context, prompt.name, progress.send);
    try {
      const rendered = await renderPrompt(prompt, params.arguments ?? {}, callContext);
      return {
        description: prompt.description,
        messages: await messagesOf(rendered, (text) => completedText(text, audience)),
      };
    } catch (error) {
      throw await failure(toRefraktError(error, callContext, "RESOURCE_FAILED"));
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
async function messagesOf(
  rendered: RenderedPrompt,
  complete: (text: string) => Promise<string>,
): Promise<GetPromptResult["messages"]> {
  const messages = typeof rendered === "string"
    ? [{ role: "user" as const, content: rendered }]
    : rendered;
  return await Promise.all(messages.map(async ({ role, content }) => ({
    role,
    content: mutable(
      encodeBlock(
        typeof content === "string" ? { type: "text", text: await complete(content) } : content,
      ),
    ),
  })));
}

/**
 * `prompts/list` and `prompts/get`.
 *
 * @module
 */

import type { GetPromptResult, Prompt as ListedPrompt } from "@modelcontextprotocol/server";
import { renderPrompt, toRefraktError, unknownPrompt } from "../tools/call.ts";
import { InputNeeded } from "../tools/context.ts";
import { encodeBlock } from "../tools/content.ts";
import { findPrompt } from "../tools/lookup.ts";
import type { Prompt, RenderedPrompt } from "../tools/prompt.ts";
import { withProgress } from "./progress.ts";
import { replyOf, requestError } from "./results.ts";
import { mutable } from "./sdk_types.ts";
import { boundedDescription, boundedTitle } from "./descriptions.ts";
import { contextOf } from "./call_context.ts";
import { checkCursor, noteListed, reuseOfList, type Session } from "./session.ts";

/** Registers the handlers. */
export function handlePrompts(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler("prompts/list", async (request) => {
    checkCursor(request);
    const toolset = await workspace.toolset();
    noteListed(session, "prompts", toolset);
    return { prompts: toolset.listedPrompts().map(listed), ...reuseOfList(session, toolset) };
  });

  server.setRequestHandler(
    "prompts/get",
    ({ params }, context) =>
      withProgress(context, async (progress) => {
        const { toolset, prompt } = await findPrompt(workspace, params.name);
        if (prompt === undefined) throw requestError(unknownPrompt(toolset, params.name));
        const callContext = contextOf(session, toolset, context, prompt.name, progress);
        try {
          const rendered = await renderPrompt(prompt, params.arguments ?? {}, callContext);
          return { description: prompt.description, messages: messagesOf(rendered) };
        } catch (error) {
          if (error instanceof InputNeeded) return replyOf(error);
          throw requestError(toRefraktError(error, callContext, "RESOURCE_FAILED"));
        }
      }),
  );
}

function listed(prompt: Prompt): ListedPrompt {
  const { name, title, description, icons, _meta } = prompt;
  return {
    name,
    title: boundedTitle(title),
    description: boundedDescription(description),
    arguments: (prompt.arguments ?? []).map((argument) => ({
      ...argument,
      description: boundedDescription(argument.description),
    })),
    ...(icons === undefined ? {} : { icons: mutable(icons) }),
    ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
  };
}

function messagesOf(rendered: RenderedPrompt): GetPromptResult["messages"] {
  const messages = typeof rendered === "string"
    ? [{ role: "user" as const, content: rendered }]
    : rendered;
  return messages.map(({ role, content }) => ({
    role,
    content: mutable(
      encodeBlock(typeof content === "string" ? { type: "text", text: content } : content),
    ),
  }));
}

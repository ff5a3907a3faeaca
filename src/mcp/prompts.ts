/** `prompts/list`, `prompts/get`, and `completion/complete` for prompts and resources. */

import type {
  CompleteRequest,
  GetPromptResult,
  Prompt as ListedPrompt,
} from "@modelcontextprotocol/server";
import type { RefraktError } from "../errors.ts";
import { completeArgument, renderPrompt, toRefraktError, unknownPrompt } from "../tools/call.ts";
import { shortLine, shown } from "../plain_text.ts";
import { type CallContext, InputNeeded } from "../tools/context.ts";
import { encodeBlock } from "../tools/content.ts";
import { findPrompt } from "../tools/lookup.ts";
import type { Prompt, RenderedPrompt } from "../tools/prompt.ts";
import type { Toolset } from "../tools/registry.ts";
import { uriTemplate } from "../tools/uri.ts";
import { progressOf } from "./progress.ts";
import { replyOf, requestError } from "./results.ts";
import { boundedDescription, listedFields, mutable } from "./listing.ts";
import { contextOf } from "./call_context.ts";
import { completedError, completedText } from "./spelled_text.ts";
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
      if (error instanceof InputNeeded) return replyOf(error);
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

/** @param spell What is our text; resources are the project's. */
async function messagesOf(
  rendered: RenderedPrompt,
  spell: (text: string) => Promise<string>,
): Promise<GetPromptResult["messages"]> {
  const messages = typeof rendered === "string"
    ? [{ role: "user" as const, content: rendered }]
    : rendered;
  return await Promise.all(messages.map(async ({ role, content }) => ({
    role,
    content: mutable(
      encodeBlock(
        typeof content === "string" ? { type: "text", text: await spell(content) } : content,
      ),
    ),
  })));
}

/** The limit of the specification. */
const MOST_VALUES = 100;

const MOST_VALUE = 200;

export function handleCompletion(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const toolset = await workspace.toolset();
    const callContext = contextOf(session, toolset, context, "completion");
    const values = await valuesFor(toolset, params, callContext);
    const most = values.slice(0, MOST_VALUES).map((value) => shortLine(shown(value), MOST_VALUE));
    return {
      completion: { values: most, total: values.length, hasMore: values.length > most.length },
    };
  });
}

async function valuesFor(
  { prompts, resources }: Toolset,
  { ref, argument: { name, value }, context }: CompleteRequest["params"],
  callContext: CallContext,
): Promise<readonly string[]> {
  const entry = ref.type === "ref/prompt"
    ? prompts.find((prompt) => prompt.name === ref.name)
    : resources.find((resource) => uriTemplate(resource) === ref.uri || resource.uri === ref.uri);
  const others = context?.arguments ?? {};
  return await completeArgument(entry, { argument: name, value, others }, callContext);
}

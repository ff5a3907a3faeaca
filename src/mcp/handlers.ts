/** Handlers of requests: tools, resources, prompts and completions. */

import type { GetPromptResult, Resource as SdkResource, Tool } from "@modelcontextprotocol/server";
import { callByName } from "../host/call.ts";
import type { Inventory } from "../host/inventory.ts";
import { completeParameter, readResource, renderPrompt } from "../host/read.ts";
import { shapeResult } from "../host/shape.ts";
import { asObject } from "../io/json.ts";
import { shortLine, withEscapes } from "../plain_text.ts";
import { encodeBlock } from "../plugin/content.ts";
import type { PromptMessage } from "../plugin/prompt.ts";
import { bodyText, type Resource, type ResourceBody } from "../plugin/resource.ts";
import { nameKey, type ToolDeclaration } from "../plugin/tool.ts";
import { isStatic, uriTemplate } from "../plugin/uri.ts";
import {
  type Audience,
  boundedDescription,
  boundedTitle,
  completedAnswer,
  completedText,
  errorMessage,
  listedFields,
  mutable,
  requestError,
  resourceError,
} from "./results.ts";
import {
  answerList,
  audienceOf,
  callerOf,
  failureOf,
  type Session,
  showsViews,
} from "./session.ts";

/** Claude Code writes longer results to a file unless the tool's `_meta` declares a limit. */
const CUT_BY_CLIENTS = 50_000;
const SIZE_KEY = "anthropic/maxResultSizeChars";
/** Claude Code shows the model only tools with this key, until it searches for others. */
const ALWAYS_KEY = "anthropic/alwaysLoad";
/** How many tools a model sees at once. */
const MOST_ALWAYS = 6;

export function handleTools(session: Session): void {
  const { server, workspace, listChanges, options } = session;
  server.setRequestHandler("tools/list", (request, context) => {
    const views = showsViews(session, context);
    return answerList(session, "tools", request, (inventory) => {
      const tools = inventory.listedTools(views);
      const always = tools.filter((tool) => tool.listed.rank !== undefined)
        .sort((a, b) => a.listed.rank! - b.listed.rank!)
        .slice(0, MOST_ALWAYS);
      return {
        tools: tools.map((tool) => ({
          name: options.toolNames === "dotted" ? tool.name.replace("_", ".") : tool.name,
          ...listedFields({ ...tool, _meta: metaOf(tool, session, views, always) }),
          inputSchema: inputSchema(tool, inventory),
          outputSchema: outputSchema(tool),
          annotations: tool.annotations,
        })),
      };
    });
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: input } = params;
    await using caller = callerOf(session, context, name);
    const called = [nameKey(name)];
    try {
      const { tool, value } = await callByName(workspace, name, input, caller);
      // Texts of npm plugins stay as they are.
      const answer = tool.verify === undefined
        ? completedAnswer(value, await audienceOf(session, context, called))
        : value;
      return mutable(shapeResult(answer, workspace.results));
    } catch (error) {
      return errorMessage(await failureOf(session, context, error, "TOOL_FAILED", called));
    } finally {
      listChanges.compare();
    }
  });
}

function metaOf(
  tool: ToolDeclaration,
  { workspace: { results: { budget } } }: Session,
  views: boolean,
  always: readonly ToolDeclaration[],
) {
  const { ui: _ui, "ui/resourceUri": _legacy, ...plain } = tool._meta ?? {};
  const meta: Record<string, unknown> = views ? { ...tool._meta } : plain;
  if (budget > CUT_BY_CLIENTS) meta[SIZE_KEY] = budget;
  if (always.includes(tool)) meta[ALWAYS_KEY] = true;
  return Object.keys(meta).length === 0 ? undefined : meta;
}

/** The schema without the arguments that mean nothing in this project. */
function inputSchema(tool: ToolDeclaration, inventory: Inventory): Tool["inputSchema"] {
  const { json } = tool.input;
  const omitted = inventory.omittedOf(tool);
  if (omitted.length === 0) return json as Tool["inputSchema"];
  const properties = Object.entries(asObject(json["properties"]))
    .filter(([name]) => !omitted.includes(name));
  return { ...json, properties: Object.fromEntries(properties) } as Tool["inputSchema"];
}

function outputSchema({ output }: ToolDeclaration): Tool["outputSchema"] {
  return output?.problem === undefined ? output?.json as Tool["outputSchema"] : undefined;
}

/** How long clients may cache fixed resources, in milliseconds. */
const FIXED_TTL_MS = 3_600_000;

export function handleResources(session: Session): void {
  const { server, workspace, era } = session;
  server.setRequestHandler("resources/list", (request, context) => {
    return answerList(session, "resources", request, (inventory) => ({
      resources: inventory.listedResources().filter(isStatic)
        // Only hosts that can show views list them.
        .filter(({ uri }) => !uri.startsWith("ui://") || showsViews(session, context))
        .map((entry) => ({ uri: entry.uri, ...listedResource(entry) })),
    }));
  });

  server.setRequestHandler("resources/templates/list", (request) => {
    return answerList(session, "resources", request, (inventory) => ({
      resourceTemplates: inventory.listedResources()
        .map((entry) => ({ uriTemplate: uriTemplate(entry), ...listedResource(entry) }))
        .filter((entry) => entry.uriTemplate.includes("{")),
    }));
  });

  server.setRequestHandler("resources/read", async ({ params: { uri } }, context) => {
    await using caller = callerOf(session, context, uri);
    try {
      const { body, mimeType, fixed } = await readResource(workspace, uri, caller);
      const completed = completedBody(body, uri, await audienceOf(session, context));
      const text = bodyText(completed);
      const content = { uri, mimeType, ..."blob" in body ? { blob: text } : { text } };
      const ttlMs = fixed ? FIXED_TTL_MS : 0;
      return {
        contents: [mutable({ ...content, _meta: body._meta })],
        ttlMs: era === "legacy" ? undefined : ttlMs,
      };
    } catch (error) {
      throw resourceError(await failureOf(session, context, error, "RESOURCE_FAILED"), uri);
    }
  });
}

/** Adds the commands of tools that the client does not list to this package's texts. */
function completedBody(body: ResourceBody, uri: string, audience: Audience): ResourceBody {
  if ("data" in body && uri.startsWith("refrakt://")) {
    return { ...body, data: completedAnswer(body.data, audience) };
  }
  if (!("text" in body) || uri !== "refrakt://prime") return body;
  return { ...body, text: completedText(body.text, audience) };
}

function listedResource(entry: Resource): Omit<SdkResource, "uri"> {
  return { name: boundedTitle(entry.name), ...listedFields(entry), mimeType: entry.mimeType };
}

export function handlePrompts(session: Session): void {
  const { server, workspace } = session;
  server.setRequestHandler("prompts/list", (request) => {
    return answerList(session, "prompts", request, (inventory) => ({
      prompts: inventory.listedPrompts().map((prompt) => ({
        name: prompt.name,
        ...listedFields(prompt),
        arguments: (prompt.arguments ?? []).map((argument) => ({
          ...argument,
          description: boundedDescription(argument.description),
        })),
      })),
    }));
  });

  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    await using caller = callerOf(session, context, name);
    try {
      const { description, messages } = await renderPrompt(workspace, name, args, caller);
      const audience = await audienceOf(session, context);
      return { description, messages: completedMessages(messages, audience) };
    } catch (error) {
      throw requestError(await failureOf(session, context, error, "RESOURCE_FAILED"));
    }
  });
}

/** Completes texts of this package in messages; embedded resources belong to the project. */
function completedMessages(
  messages: readonly PromptMessage[],
  audience: Audience,
): GetPromptResult["messages"] {
  return messages.map(({ role, content }) => {
    const block = typeof content === "string"
      ? { type: "text" as const, text: completedText(content, audience) }
      : content;
    return { role, content: mutable(encodeBlock(block)) };
  });
}

/** The limit of the specification. */
const MOST_COMPLETIONS = 100;

/** In characters. */
const LONGEST_VALUE = 200;

/** Completes parameters of resource templates; arguments of prompts have no completions. */
export function handleCompletion(session: Session): void {
  session.server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const { ref, argument: { name: parameter, value } } = params;
    const typed = [parameter, value, params.context?.arguments ?? {}] as const;
    const uri = ref.type === "ref/resource" ? ref.uri : "";
    await using caller = callerOf(session, context, "completion");
    const all = await completeParameter(session.workspace, uri, typed, caller);
    const values = all.slice(0, MOST_COMPLETIONS)
      .map((text) => shortLine(withEscapes(text), LONGEST_VALUE));
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}

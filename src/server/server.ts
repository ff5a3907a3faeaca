/**
 * Serves a workspace over MCP. This room alone knows the SDK.
 *
 * @module
 */

import { type McpRequestContext, Server, type ServerContext } from "@modelcontextprotocol/server";
import { RefraktError } from "../errors.ts";
import { callTool, readResource, toRefraktError, unknownTool } from "../surface/call.ts";
import type { CallContext, LogLevel } from "../surface/context.ts";
import type { Overflow } from "../surface/overflow.ts";
import { findTool, surfaceFor } from "../surface/lookup.ts";
import type { Surface } from "../surface/registry.ts";
import { isStatic, uriTemplate } from "../surface/uri.ts";
import type { Workspace } from "../surface/workspace.ts";
import { type NameStyle, nameStyle, spelled, titleFor } from "./clients.ts";
import { CAPABILITIES } from "./greeting.ts";
import { isWanted, logLine } from "./log.ts";
import { watchLists } from "./notify.ts";
import { errorMessage, requestError, resourceError, successMessage } from "./results.ts";

const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** What the server needs of a workspace. */
export interface ServedWorkspace extends Workspace {
  /** Where long results are kept. */
  readonly overflow: Overflow;
  /** The most characters of a result. */
  readonly budget: number;
}

/** How a workspace is served. */
export interface ServeOptions {
  /** The spelling of tool names; chosen by the client's name by default. */
  readonly toolNames?: NameStyle;
  /** The least severe messages that go to stderr; `info` by default. */
  readonly logLevel?: LogLevel;
  /** The least severe messages for a client that has set no level; none by default. */
  readonly clientLogLevel?: LogLevel;
}

/**
 * Makes a server for one connection.
 *
 * @param workspace What is served.
 * @param options How.
 * @param request The era of the connection, from the SDK.
 * @param listened In the newer era, the resources that the client listens to.
 */
export function createMcpServer(
  workspace: ServedWorkspace,
  options: ServeOptions = {},
  request: Pick<McpRequestContext, "era"> = { era: "legacy" },
  listened: ReadonlySet<string> = new Set(),
): Server {
  const server = new Server(
    { ...workspace.info },
    {
      capabilities: CAPABILITIES,
      instructions: workspace.instructions(),
    },
  );
  const stderrLevel = options.logLevel ?? "info";
  let clientLevel: string | undefined = options.clientLogLevel;
  const lists = watchLists(server, workspace, request.era, listened);
  server.oninitialized = () => void workspace.warm().catch(() => {});
  const styleFor = (context: ServerContext): NameStyle => {
    const envelope = context.mcpReq.envelope as Record<string, unknown> | undefined;
    const info = envelope?.[CLIENT_INFO] as { name?: string } | undefined;
    return nameStyle(info?.name ?? server.getClientVersion()?.name, options.toolNames);
  };

  const contextOf = (
    surface: Surface,
    context: ServerContext,
    what: string,
    reports: Promise<void>[] = [],
  ): CallContext => {
    const { mcpReq } = context;
    const token = mcpReq._meta?.progressToken;
    const envelope = mcpReq.envelope as Record<string, unknown> | undefined;
    const level = request.era === "modern" ? envelope?.[LOG_LEVEL] : clientLevel;
    const confirm = confirmer(server, request.era);
    return {
      project: surface.project,
      signal: mcpReq.signal,
      progress: (update) => {
        if (token === undefined) return;
        const report = mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: token, ...update },
        });
        reports.push(report.catch(() => {}));
      },
      log: (severity, message, data) => {
        logLine(stderrLevel, severity, what, message, data);
        if (!isWanted(severity, level as string | undefined)) return;
        mcpReq.notify({
          method: "notifications/message",
          params: { level: severity, logger: what, data: { message, ...data } },
        }).catch(() => {});
      },
      ...(confirm === undefined ? {} : { confirm }),
    };
  };

  server.setRequestHandler("tools/list", async (_request, context) => {
    const surface = await workspace.surface();
    const style = styleFor(context);
    lists.noteListed(surface);
    return {
      tools: surface.listedTools().map((tool) => ({
        name: spelled(tool.name, style),
        title: titleFor(tool, style),
        description: tool.description,
        inputSchema: tool.input.json as { type: "object" },
        ...(tool.output === undefined ? {} : { outputSchema: tool.output as { type: "object" } }),
        annotations: { title: titleFor(tool, style), ...tool.annotations },
      })),
    };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { surface, tool } = await findTool(workspace, params.name);
    if (tool === undefined) return errorMessage(unknownTool(surface, params.name));
    const reports: Promise<void>[] = [];
    const callContext = contextOf(surface, context, tool.name, reports);
    try {
      const value = await callTool(tool, params.arguments, callContext);
      return successMessage(value, workspace.budget, workspace.overflow);
    } catch (error) {
      return errorMessage(toRefraktError(error, callContext, "TOOL_FAILED"));
    } finally {
      await settleReports(reports);
      lists.check();
    }
  });

  server.setRequestHandler("resources/list", async () => {
    const surface = await workspace.surface();
    lists.noteListed(surface);
    return {
      resources: surface.listedResources().filter(isStatic).map((entry) => ({
        uri: entry.uri,
        name: entry.name,
        title: entry.title,
        description: entry.description,
        mimeType: entry.mimeType,
      })),
    };
  });

  server.setRequestHandler("resources/templates/list", async () => {
    const surface = await workspace.surface();
    return {
      resourceTemplates: surface.listedResources()
        .filter((entry) => uriTemplate(entry).includes("{"))
        .map((entry) => ({
          uriTemplate: uriTemplate(entry),
          name: entry.name,
          title: entry.title,
          description: entry.description,
          mimeType: entry.mimeType,
        })),
    };
  });

  server.setRequestHandler("resources/read", async ({ params }, context) => {
    const surface = await surfaceFor(workspace, params.uri);
    const callContext = contextOf(surface, context, params.uri);
    try {
      const { body, mimeType } = await readResource(surface, params.uri, callContext);
      const text = "text" in body ? body.text : JSON.stringify(body.data);
      return { contents: [{ uri: params.uri, mimeType, text }] };
    } catch (error) {
      throw resourceError(toRefraktError(error, callContext, "RESOURCE_FAILED"), params.uri);
    }
  });

  server.setRequestHandler("resources/subscribe", async ({ params }, context) => {
    const surface = await surfaceFor(workspace, params.uri);
    const callContext = contextOf(surface, context, params.uri);
    await lists.subscribe(params.uri, surface, callContext);
    return {};
  });

  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    lists.unsubscribe(params.uri);
    return {};
  });

  server.setRequestHandler("prompts/list", async () => {
    const surface = await workspace.surface();
    return {
      prompts: surface.listedPrompts().map((prompt) => ({
        name: prompt.name,
        title: prompt.title,
        description: prompt.description,
        arguments: (prompt.arguments ?? []).map((argument) => ({ ...argument })),
      })),
    };
  });

  server.setRequestHandler("prompts/get", async ({ params }, context) => {
    let surface = await workspace.surface();
    const byName = (entry: { name: string }) => entry.name === params.name;
    if (!surface.prompts.some(byName)) surface = await workspace.wholeSurface();
    const prompt = surface.prompts.find(byName);
    if (prompt === undefined) {
      throw requestError(
        new RefraktError("NOT_FOUND", `Unknown prompt: ${JSON.stringify(params.name)}`, {
          hint: "Call prompts/list to see the prompts.",
        }),
      );
    }
    const callContext = contextOf(surface, context, prompt.name);
    try {
      const text = await prompt.render(params.arguments ?? {}, callContext);
      return {
        description: prompt.description,
        messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
      };
    } catch (error) {
      throw requestError(toRefraktError(error, callContext, "RESOURCE_FAILED"));
    }
  });

  server.setRequestHandler("completion/complete", async ({ params }, context) => {
    const surface = await workspace.surface();
    const callContext = contextOf(surface, context, "completion");
    const { ref, argument } = params;
    const others = params.context?.arguments ?? {};
    let values: readonly string[] = [];
    try {
      if (ref.type === "ref/prompt") {
        const prompt = surface.prompts.find((entry) => entry.name === ref.name);
        values = await prompt?.complete?.(argument.name, argument.value, callContext) ?? [];
      } else {
        const resource = surface.resources.find((entry) =>
          uriTemplate(entry) === ref.uri || entry.uri === ref.uri
        );
        values = await resource?.complete?.(argument.name, argument.value, callContext, others) ??
          [];
      }
    } catch {
      // Nothing to offer; a completion is no place for an error.
    }
    const shown = values.slice(0, 100);
    return {
      completion: { values: shown, total: values.length, hasMore: values.length > shown.length },
    };
  });

  server.setRequestHandler("logging/setLevel", ({ params }) => {
    clientLevel = params.level;
    return {};
  });

  return server;
}

/**
 * Progress may not come after the answer. A client may forget a call as soon as it
 * has parsed the answer, so the two are not to be read in one go either.
 */
async function settleReports(reports: readonly Promise<void>[]): Promise<void> {
  if (reports.length === 0) return;
  await Promise.all(reports);
  await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A yes-or-no question to the person, for clients that can show one. */
function confirmer(
  server: Server,
  era: "legacy" | "modern",
): ((question: string) => Promise<boolean>) | undefined {
  if (era !== "legacy" || server.getClientCapabilities()?.elicitation === undefined) {
    return undefined;
  }
  return async (question) => {
    try {
      const answer = await server.elicitInput({
        mode: "form",
        message: question,
        requestedSchema: {
          type: "object",
          properties: { confirm: { type: "boolean", title: "Confirm", default: false } },
          required: ["confirm"],
        },
      });
      return answer.action === "accept" && answer.content?.["confirm"] === true;
    } catch {
      return false;
    }
  };
}

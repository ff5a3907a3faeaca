/** The MCP server of one connection: the SDK's server with this project's handlers. */

import {
  type JSONRPCMessage,
  type McpRequestContext,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { asObject, fieldOf } from "../io/json.ts";
import { shownData } from "../plain_text.ts";
import { newAgentId } from "../host/call.ts";
import type { Workspace } from "../host/open_workspace.ts";
import { handleCompletion, handlePrompts, handleResources, handleTools } from "./handlers.ts";
import { isNotFoundCode } from "./results.ts";
import {
  type ListChanges,
  type ListName,
  type ServeOptions,
  type Session,
  VIEWS_EXTENSION,
  watchLists,
} from "./session.ts";

function withErrorCode(message: JSONRPCMessage, era: McpRequestContext["era"]): JSONRPCMessage {
  if (!("error" in message)) return message;
  const { error } = message;
  const { errorCode, uri } = asObject(error.data);
  if (errorCode === undefined && error.message.startsWith("[")) {
    // The SDK reports Zod issues with a request's parameters as an internal error.
    return { ...message, error: { ...error, code: ProtocolErrorCode.InvalidParams } };
  }
  const isMissing = uri !== undefined && isNotFoundCode(errorCode);
  if (era !== "legacy" || !isMissing) return message;
  return { ...message, error: { ...error, code: ProtocolErrorCode.ResourceNotFound } };
}

/** A message with hidden characters as escapes, except in ids, which must be those of the client. */
function shownMessage(message: JSONRPCMessage): JSONRPCMessage {
  const escaped = shownData(message);
  if (escaped === message) return message;
  const { progressToken } = asObject(fieldOf(message, "params"));
  if (progressToken !== undefined) Object.assign(fieldOf(escaped, "params")!, { progressToken });
  if ("id" in message) Object.assign(escaped, { id: message.id });
  return escaped;
}

/** Creates the server of a connection; over HTTP, the servers of all requests share `shared`. */
export function createMcpServer(
  workspace: Workspace,
  options: ServeOptions = {},
  { era }: Pick<McpRequestContext, "era"> = { era: "legacy" },
  shared?: ListChanges,
): Server {
  // Over HTTP, only the modern era has a request that stays open for notifications.
  const listChanged = shared === undefined || era !== "legacy";
  const server = new Server(workspace.info, {
    capabilities: {
      tools: { listChanged },
      resources: { listChanged },
      prompts: { listChanged },
      completions: {},
      extensions: { [VIEWS_EXTENSION]: {} },
    },
    // The server sends no requests, so the SDK's validator of responses is not bundled.
    jsonSchemaValidator: {
      getValidator: () => {
        throw new Error("The server sends no requests");
      },
    },
    instructions: workspace.instructions(),
  });
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(shownMessage(withErrorCode(message, era)), options);
    await connect(transport);
  };
  const notify = (list: ListName) =>
    // Fails if the client has gone.
    void server.notification({ method: `notifications/${list}/list_changed` }).catch(() => {});
  const listChanges = shared ?? watchLists(workspace, notify);
  const agentId = newAgentId();
  const session: Session = { server, workspace, options, era, listChanges, agentId };
  if (shared === undefined) server.onclose = listChanges.stop;
  server.oninitialized = () => void workspace.warm().catch(() => {});
  handleTools(session);
  handleResources(session);
  handlePrompts(session);
  handleCompletion(session);
  return server;
}

/** The MCP server of one connection: the SDK's server with this project's handlers. */

import {
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type McpRequestContext,
  ProtocolErrorCode,
  Server,
  type Transport,
} from "@modelcontextprotocol/server";
import { asObject, fieldOf, textOf } from "../io/json.ts";
import { shownData } from "../plain_text.ts";
import type { Workspace } from "../tools/workspace.ts";
import { nameStyle, spelled } from "./clients.ts";
import { type ListChanges, type ListName, watchLists } from "./list_changes.ts";
import { handlePrompts } from "./prompts.ts";
import { handleCompletion, handleResources } from "./resources.ts";
import { isNotFoundCode } from "./results.ts";
import { type ServeOptions, type Session, VIEWS_EXTENSION } from "./session.ts";
import { handleTools } from "./tools.ts";

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  extensions: { [VIEWS_EXTENSION]: {} },
};

/** Requests that are answered with instructions. */
const INSTRUCTING: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

/** The SDK's server with the client's spelling in instructions, and legacy error codes. */
class CheckedServer extends Server {
  /** Unanswered requests whose answers have instructions. Those cannot be cancelled. */
  readonly #open = new Map<string | number, { method: string; params?: unknown }>();

  constructor(
    readonly era: McpRequestContext["era"],
    readonly instructionsFor: (clientName: string | undefined) => string,
    ...rest: ConstructorParameters<typeof Server>
  ) {
    super(...rest);
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(shownMessage(this.#outgoing(message)), options);
    const note = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message && INSTRUCTING.has(message.method)) {
        this.#open.set(message.id, message);
      }
      note?.(message, extra);
    };
    await super.connect(transport);
  }

  #outgoing(message: JSONRPCMessage): JSONRPCMessage {
    if (!("id" in message) || message.id === undefined || "method" in message) return message;
    const request = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (!("error" in message)) {
      const { instructions } = message.result;
      if (request === undefined || instructions === undefined) return message;
      const result = { ...message.result, instructions: this.instructionsFor(clientOf(request)) };
      return { ...message, result };
    }
    const { errorCode, uri } = asObject(message.error.data);
    if (errorCode === undefined && message.error.message.startsWith("[")) {
      // The SDK reports Zod issues with a request's parameters as an internal error.
      return { ...message, error: { ...message.error, code: ProtocolErrorCode.InvalidParams } };
    }
    const isMissing = uri !== undefined && isNotFoundCode(errorCode);
    if (this.era !== "legacy" || !isMissing) return message;
    return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
  }
}

/**
 * A message with hidden characters as escapes, except in ids, which must be those of the client. The
 * only way out to MCP clients.
 */
function shownMessage(message: JSONRPCMessage): JSONRPCMessage {
  const shown = shownData(message);
  if (shown === message) return message;
  const { progressToken } = asObject(fieldOf(message, "params"));
  if (progressToken !== undefined) Object.assign(fieldOf(shown, "params")!, { progressToken });
  if ("id" in message) Object.assign(shown, { id: message.id });
  return shown;
}

/** The client name in `initialize` or `server/discover`. */
function clientOf({ params }: { params?: unknown }): string | undefined {
  const { clientInfo, _meta } = asObject(params);
  return textOf(fieldOf(clientInfo ?? asObject(_meta)[CLIENT_INFO_META_KEY], "name"));
}

/** Creates the server of a connection; over HTTP, the servers of all requests share `shared`. */
export function createMcpServer(
  workspace: Workspace,
  options: ServeOptions = {},
  { era }: Pick<McpRequestContext, "era"> = { era: "legacy" },
  shared?: ListChanges,
): Server {
  const server = new CheckedServer(
    era,
    (clientName) => {
      const style = nameStyle(clientName, options.toolNames);
      return workspace.instructions((name) => spelled(name, style));
    },
    { ...workspace.info },
    {
      capabilities: CAPABILITIES,
      // Clients are asked nothing, and the SDK's own validator is not in the bundle.
      jsonSchemaValidator: {
        getValidator: () => {
          throw new Error("The server sends no requests");
        },
      },
      // Replaced in the answer by those for the client.
      instructions: workspace.info.title,
    },
  );
  const listChanges = shared ?? watchLists(workspace, (list) => void notifyOf(server, list));
  const session: Session = { server, workspace, options, era, listChanges };
  if (shared === undefined) server.onclose = listChanges.stop;
  server.oninitialized = () => void workspace.warm().catch(() => {});
  handleTools(session);
  handleResources(session);
  handlePrompts(session);
  handleCompletion(session);
  return server;
}

async function notifyOf(server: Server, list: ListName): Promise<void> {
  try {
    await server.notification({ method: `notifications/${list}/list_changed` });
  } catch {
    // The client has gone.
  }
}

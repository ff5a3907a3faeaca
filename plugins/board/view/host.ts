/// <reference lib="dom" />
/** The view's side of MCP Apps: JSON-RPC with the host over `postMessage`. */

const PROTOCOL_VERSION = "2026-01-26";

const OWN_HOST = "refrakt-mcp";

type Fields = Record<string, unknown>;

/** The parts of the host context that views use. */
interface HostContext {
  theme?: "light" | "dark";
  styles?: { variables?: Record<string, string> };
  displayMode?: string;
  availableDisplayModes?: string[];
  containerDimensions?: { height?: number; maxHeight?: number };
  toolInfo?: { tool?: { name?: string } };
  /** The address of the project's folder in the user's editor, such as `vscode://file/home/ada/site/`. */
  "refrakt/editor"?: string;
  /** The address of the folder with the files of previewed pages. */
  "refrakt/files"?: string;
  /** When the user last looked at it, ISO 8601. */
  "refrakt/last-visit"?: string;
}

/** A message from the host. */
interface Received {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: HostContext & { arguments?: Fields };
  result?: unknown;
  error?: { message: string };
}

interface ToolAnswer<Data> {
  isError?: boolean;
  content: { text?: string }[];
  structuredContent?: Data;
  _meta?: Fields;
}

/** The data of a tool's answer, and what it has for the view alone: `_meta["refrakt/<name>"]`. */
export interface ToolData<Data, Shown = undefined> {
  readonly data: Data;
  readonly viewData: Shown;
}

export type Host = Awaited<ReturnType<typeof connect>>;

/**
 * Connects to the host and follows its theme.
 *
 * @param namespace The namespace of the view's tools.
 */
export async function connect(name: string, namespace: string) {
  const waiting = new Map<unknown, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<Fields>();
  let last = 0;
  const receiver = {
    /** Receives later arguments, such as after the browser's Back. */
    onInput: (_args: Fields): void => {},
  };
  const context: HostContext = {};
  const send = (message: Fields) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = <Result>(method: string, params: Fields): Promise<Result> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set(++last, answer);
    send({ id: last, method, params });
    return answer.promise as Promise<Result>;
  };
  addEventListener("message", (event: MessageEvent<Received>) => {
    // Only the embedding page is the host.
    if (event.source !== parent || event.data?.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = event.data;
    if (method === undefined) {
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error.message));
      waiting.delete(id);
      return;
    }
    if (method === "ui/notifications/host-context-changed") apply(Object.assign(context, params));
    if (method === "ui/notifications/tool-input") {
      opened.resolve(params.arguments ?? {});
      receiver.onInput(params.arguments ?? {});
    }
    // Pings and `ui/resource-teardown`.
    if (id !== undefined) send({ id, result: {} });
  });
  const { hostContext = {}, hostCapabilities = {}, hostInfo } = await request<{
    hostContext?: HostContext;
    hostCapabilities?: { updateModelContext?: unknown };
    hostInfo?: { name?: string };
  }>("ui/initialize", {
    appInfo: { name, version: "1.0.0" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: PROTOCOL_VERSION,
  });
  apply(Object.assign(context, hostContext));
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(document.documentElement);
  // Spell tool names like the host.
  const separator = hostContext.toolInfo?.tool?.name?.includes(".") ? "." : "_";
  return Object.assign(receiver, {
    /** The prefix of an address that opens a file of the project in the user's editor. */
    editor: hostContext["refrakt/editor"],
    /** The address of the folder with the files of previewed pages. */
    files: hostContext["refrakt/files"],
    /** When the user last looked at the view, ISO 8601. */
    lastVisit: hostContext["refrakt/last-visit"],
    /** Shows what the view is about in the title of our own page. */
    entitle: (title: string): void => {
      if (hostInfo?.name === OWN_HOST) send({ method: "refrakt/title", params: { title } });
    },
    /** The arguments of the call that opened the view. */
    input: opened.promise,
    /** Whether a conversation with an agent is beside the view: not on our own page. */
    hasAgent: hostInfo?.name !== OWN_HOST,
    /** Whether the host can show the view on the whole screen. */
    canFill: hostContext.availableDisplayModes?.includes("fullscreen") === true,
    /** Calls a tool of the view's namespace, such as `list` for `plan_list`. */
    call: async <Data, Shown = undefined>(
      tool: string,
      args: Fields,
    ): Promise<ToolData<Data, Shown>> => {
      const name = `${namespace}${separator}${tool}`;
      const answer = await request<ToolAnswer<Data>>("tools/call", { name, arguments: args });
      const { isError, structuredContent: data, content, _meta: meta = {} } = answer;
      if (isError === true) throw new Error(content.map(({ text }) => text ?? "").join("\n"));
      if (data === undefined) throw new Error("The host withholds the data of the result.");
      return { data, viewData: meta[`refrakt/${tool}`] as Shown };
    },
    /** Asks the host to open a URL; it may refuse. */
    visit: (url: string): Promise<void> =>
      request("ui/open-link", { url }).then(() => {}, () => {}),
    /**
     * Reports the view's state to the host, as arguments of the tool that opens the view.
     *
     * @param text What the user looks at, for the model.
     */
    remember: (args: Fields, text?: string): void => {
      if (hostCapabilities.updateModelContext === undefined) return;
      const content = text === undefined ? {} : { content: [{ type: "text", text }] };
      request("ui/update-model-context", { structuredContent: args, ...content }).catch(() => {});
    },
    /** Sends a message to the conversation; `false` if the host refuses. */
    say: (text: string): Promise<boolean> =>
      request<{ isError?: boolean }>("ui/message", {
        role: "user",
        content: [{ type: "text", text }],
      }).then((answer) => answer?.isError !== true, () => false),
    /** Switches between the whole screen and the conversation. */
    fill: async (): Promise<void> => {
      const mode = context.displayMode === "fullscreen" ? "inline" : "fullscreen";
      const answer = await request<{ mode?: string }>("ui/request-display-mode", { mode })
        .catch(() => undefined);
      if (answer?.mode !== undefined) apply(Object.assign(context, { displayMode: answer.mode }));
    },
    /** Copies a text; `false` if the browser refuses. */
    copy: (text: string): Promise<boolean> =>
      navigator.clipboard.writeText(text).then(() => true, () => false),
  });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The height in a host that sets none, in pixels. */
const HEIGHT = 720;

/** Follows the host's theme and size: never one's own frame, which would grow with the content. */
function apply({ theme, styles, containerDimensions = {}, displayMode = "" }: HostContext): void {
  const { dataset, style } = document.documentElement;
  const { height, maxHeight } = containerDimensions;
  const isFull = displayMode === "fullscreen" && height === undefined && maxHeight === undefined;
  const pixels = height ?? (displayMode === "fullscreen" ? maxHeight : undefined) ??
    Math.min(maxHeight ?? HEIGHT, HEIGHT);
  style.setProperty("--height", isFull ? "100vh" : `${pixels}px`);
  if (theme !== undefined) dataset["theme"] = style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--")) style.setProperty(name, value);
  }
}

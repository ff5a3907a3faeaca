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
  readonly shown: Shown;
}

export interface Host {
  /** The prefix of an address that opens a file of the project in the user's editor. */
  readonly editor: string | undefined;
  /** The address of the folder with the files of previewed pages. */
  readonly files: string | undefined;
  /** When the user last looked at the view, ISO 8601. */
  readonly lastVisit: string | undefined;
  /** Shows what the view is about in the title of our own page. */
  entitle(title: string): void;
  /** The arguments of the call that opened the view. */
  readonly input: Promise<Fields>;
  /** Receives later arguments, such as after the browser's Back. */
  onInput: (args: Fields) => void;
  /** Whether a conversation with an agent is beside the view. */
  readonly hasAgent: boolean;
  /** Whether the host can show the view on the whole screen. */
  readonly canFill: boolean;
  /** Calls a tool of the view's namespace, such as `list` for `plan_list`. */
  call<Data, Shown = undefined>(name: string, args: Fields): Promise<ToolData<Data, Shown>>;
  /** Asks the host to open a URL; it may refuse. */
  visit(url: string): Promise<void>;
  /**
   * Reports the view's state to the host, as arguments of the tool that opens the view.
   *
   * @param text What the user looks at, for the model.
   */
  remember(args: Fields, text?: string): void;
  /** Sends a message to the conversation; `false` if the host refuses. */
  say(text: string): Promise<boolean>;
  /** Switches between the whole screen and the conversation. */
  fill(): Promise<void>;
  /** Copies a text; `false` if the browser refuses. */
  copy(text: string): Promise<boolean>;
}

/**
 * Connects to the host and follows its theme.
 *
 * @param namespace The namespace of the view's tools.
 */
export async function connect(name: string, namespace: string): Promise<Host> {
  const waiting = new Map<unknown, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<Fields>();
  let last = 0;
  const own: Pick<Host, "onInput"> = { onInput: () => {} };
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
    if (method === "ui/notifications/host-context-changed") follow(Object.assign(context, params));
    if (method === "ui/notifications/tool-input") {
      opened.resolve(params.arguments ?? {});
      own.onInput(params.arguments ?? {});
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
  follow(Object.assign(context, hostContext));
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(document.documentElement);
  // Spell tool names like the host.
  const separator = hostContext.toolInfo?.tool?.name?.includes(".") ? "." : "_";
  const host: Omit<Host, "onInput"> = {
    editor: hostContext["refrakt/editor"],
    files: hostContext["refrakt/files"],
    lastVisit: hostContext["refrakt/last-visit"],
    entitle: (title) => {
      if (hostInfo?.name === OWN_HOST) send({ method: "refrakt/title", params: { title } });
    },
    input: opened.promise,
    // Our own page has no agent beside it.
    hasAgent: hostInfo?.name !== OWN_HOST,
    canFill: hostContext.availableDisplayModes?.includes("fullscreen") === true,
    call: async <Data, Shown>(tool: string, args: Fields) => {
      const name = `${namespace}${separator}${tool}`;
      const answer = await request<ToolAnswer<Data>>("tools/call", { name, arguments: args });
      const { isError, structuredContent: data, content, _meta: meta = {} } = answer;
      if (isError === true) throw new Error(content.map(({ text }) => text ?? "").join("\n"));
      if (data === undefined) throw new Error("The host withholds the data of the result.");
      return { data, shown: meta[`refrakt/${tool}`] as Shown };
    },
    visit: (url) => request("ui/open-link", { url }).then(() => {}, () => {}),
    remember: (args, text) => {
      if (hostCapabilities.updateModelContext === undefined) return;
      const content = text === undefined ? {} : { content: [{ type: "text", text }] };
      request("ui/update-model-context", { structuredContent: args, ...content }).catch(() => {});
    },
    say: (text) =>
      request<{ isError?: boolean }>("ui/message", {
        role: "user",
        content: [{ type: "text", text }],
      }).then((answer) => answer?.isError !== true, () => false),
    fill: async () => {
      const mode = context.displayMode === "fullscreen" ? "inline" : "fullscreen";
      const answer = await request<{ mode?: string }>("ui/request-display-mode", { mode })
        .catch(() => undefined);
      if (answer?.mode !== undefined) follow(Object.assign(context, { displayMode: answer.mode }));
    },
    copy: async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        return false;
      }
    },
  };
  return Object.assign(own, host);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The height in a host that sets none, in pixels. */
const HEIGHT = 720;

/** Follows the host's theme and size: never one's own frame, which would grow with the content. */
function follow({ theme, styles, containerDimensions = {}, displayMode = "" }: HostContext): void {
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

/// <reference lib="dom" />
/**
 * The view's side of MCP Apps: JSON-RPC with the host by `postMessage`.
 *
 * @module
 */

const PROTOCOL_VERSION = "2026-01-26";

/** What a tool answers. */
export interface ToolAnswer {
  /** Whether it is an error. */
  isError?: boolean;
  /** The text. */
  content: { type: string; text?: string }[];
  /** The data. */
  structuredContent?: Record<string, unknown>;
  /** What is for views alone. */
  _meta?: Record<string, unknown>;
}

/** What the host says about itself, as far as a view uses it. */
export interface HostContext {
  /** Light or dark. */
  theme?: "light" | "dark";
  /** The host's colours and fonts, as custom properties. */
  styles?: { variables?: Record<string, string> };
  /** The tool that opened the view. */
  toolInfo?: { tool?: { name?: string } };
}

/** A connected host. */
export interface Host {
  /** Calls a tool of the view's server: `list` for `plan.list`. */
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The same, with everything that the tool answers. */
  ask(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  /** Asks the host to open an address of the web; it may refuse. */
  visit(url: string): Promise<void>;
}

/** How a view connects. */
export interface ConnectOptions {
  /** The namespace of its tools; `plan` by default. */
  namespace?: string;
  /** Is told the arguments of the call that opened the view. */
  onInput?(args: Record<string, unknown>): void;
}

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
}

/** Connects to the host that shows this view, and follows its theme. */
export async function connect(
  name: string,
  { namespace = "plan", onInput }: ConnectOptions = {},
): Promise<Host> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const send = (message: Omit<Message, "jsonrpc">) =>
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = <Result>(method: string, params: Record<string, unknown>): Promise<Result> => {
    const id = ++last;
    return new Promise<Result>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as Result), reject });
      send({ id, method, params });
    });
  };
  addEventListener("message", (event: MessageEvent<Message>) => {
    // Only the page that embeds this view is the host.
    if (event.source !== parent || event.data?.jsonrpc !== "2.0") return;
    const { id, method, params, result, error } = event.data;
    if (method === undefined) {
      const call = waiting.get(id as number);
      waiting.delete(id as number);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error.message));
      return;
    }
    if (method === "ui/notifications/host-context-changed") follow(params as HostContext);
    if (method === "ui/notifications/tool-input") {
      onInput?.((params?.["arguments"] ?? {}) as Record<string, unknown>);
    }
    // The host asks whether the view is there, and tells it that it will go.
    if (id !== undefined) send({ id, result: {} });
  });
  const { hostContext = {} } = await request<{ hostContext?: HostContext }>("ui/initialize", {
    appInfo: { name, version: "1.0.0" },
    appCapabilities: {},
    protocolVersion: PROTOCOL_VERSION,
  });
  follow(hostContext);
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { offsetWidth: width, offsetHeight: height } = document.documentElement;
    send({ method: "ui/notifications/size-changed", params: { width, height } });
  }).observe(document.documentElement);
  // Tools are called as the host lists them.
  const separator = hostContext.toolInfo?.tool?.name?.includes(".") ? "." : "_";
  const ask = async (name: string, args: Record<string, unknown>): Promise<ToolAnswer> => {
    const answer = await request<ToolAnswer>("tools/call", {
      name: `${namespace}${separator}${name}`,
      arguments: args,
    });
    if (answer.isError !== true) return answer;
    throw new Error(answer.content.map(({ text }) => text ?? "").join("\n"));
  };
  return {
    ask,
    call: async (name, args) => (await ask(name, args)).structuredContent ?? {},
    visit: (url) => request<unknown>("ui/open-link", { url }).then(() => {}, () => {}),
  };
}

function follow({ theme, styles }: HostContext): void {
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--")) document.documentElement.style.setProperty(name, value);
  }
}

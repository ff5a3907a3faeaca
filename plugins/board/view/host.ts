/// <reference lib="dom" />
/**
 * The view's side of MCP Apps: JSON-RPC with the host by `postMessage`.
 *
 * @module
 */

const PROTOCOL_VERSION = "2026-01-26";

/** What a tool answers. */
export interface ToolAnswer<Data = Record<string, unknown>> {
  /** Whether it is an error. */
  isError?: boolean;
  /** The text. */
  content: { type: string; text?: string }[];
  /** The data. */
  structuredContent?: Data;
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
  /** Calls a tool of the view's server, `list` for `plan.list`, and gives the data of its answer. */
  call<Data>(name: string, args: Record<string, unknown>): Promise<Data>;
  /** The same, with everything that the tool answers. */
  ask<Data>(name: string, args: Record<string, unknown>): Promise<ToolAnswer<Data>>;
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

/** What a view sends: a request, a notification or an answer. */
interface Sent {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

/** What the host sends, with the parameters of the notifications that a view hears. */
interface Received {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: HostContext & { arguments?: Record<string, unknown> };
  result?: unknown;
  error?: { message: string };
}

/** Connects to the host that shows this view, and follows its theme. */
export async function connect(
  name: string,
  { namespace = "plan", onInput }: ConnectOptions = {},
): Promise<Host> {
  const waiting = new Map<unknown, { resolve(value: unknown): void; reject(error: Error): void }>();
  let last = 0;
  const send = (message: Sent) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = <Result>(method: string, params: Record<string, unknown>): Promise<Result> => {
    const id = ++last;
    return new Promise<Result>((resolve, reject) => {
      waiting.set(id, { resolve: (value) => resolve(value as Result), reject });
      send({ id, method, params });
    });
  };
  addEventListener("message", (event: MessageEvent<Received>) => {
    // Only the page that embeds this view is the host.
    if (event.source !== parent || event.data?.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = event.data;
    if (method === undefined) {
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error.message));
      return;
    }
    if (method === "ui/notifications/host-context-changed") follow(params);
    if (method === "ui/notifications/tool-input") onInput?.(params.arguments ?? {});
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
  const ask: Host["ask"] = async <Data>(name: string, args: Record<string, unknown>) => {
    const answer = await request<ToolAnswer<Data>>("tools/call", {
      name: `${namespace}${separator}${name}`,
      arguments: args,
    });
    if (answer.isError !== true) return answer;
    throw new Error(answer.content.map(({ text }) => text ?? "").join("\n"));
  };
  return {
    ask,
    call: async <Data>(name: string, args: Record<string, unknown>) => {
      const { structuredContent } = await ask<Data>(name, args);
      if (structuredContent === undefined) {
        throw new Error("The host keeps back the answer's data.");
      }
      return structuredContent;
    },
    visit: (url) => request<unknown>("ui/open-link", { url }).then(() => {}, () => {}),
  };
}

/**
 * What a tool answers for views alone.
 *
 * @param key Its key in `_meta`.
 * @param what Who needs it, as people call it.
 * @throws {Error} Where the host does not pass it on.
 */
export function shownBy<Shown>(answer: ToolAnswer<unknown>, key: string, what: string): Shown {
  const shown = answer._meta?.[key];
  if (shown === undefined) throw new Error(`The host keeps back what the ${what} shows.`);
  return shown as Shown;
}

/** Why a call failed, in a sentence. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function follow({ theme, styles }: HostContext): void {
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--")) document.documentElement.style.setProperty(name, value);
  }
}

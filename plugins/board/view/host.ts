/// <reference lib="dom" />
/**
 * The view's side of MCP Apps: JSON-RPC with the host over `postMessage`.
 *
 * @module
 */

const PROTOCOL_VERSION = "2026-01-26";

/** The pause after which what is shown is remembered, in milliseconds: not every key pressed. */
const REMEMBER_MS = 250;

/** The result of a tool. */
export interface ToolAnswer<Data = Record<string, unknown>> {
  /** Whether it is an error. */
  isError?: boolean;
  /** The text. */
  content: { type: string; text?: string }[];
  /** The data. */
  structuredContent?: Data;
  /** Data for views only. */
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
  /** The arguments of the call that opened the view. */
  readonly input: Promise<Record<string, unknown>>;
  /** Calls a tool of the view's namespace, such as `list` for `plan.list`, and returns its data. */
  call<Data>(name: string, args: Record<string, unknown>): Promise<Data>;
  /** Calls a tool and returns the data that it keeps for views under `key` of `_meta`, too. */
  ask<Shown, Data = unknown>(
    name: string,
    args: Record<string, unknown>,
    key: string,
  ): Promise<{ shown: Shown; data: Data }>;
  /** Asks the host to open a web address; it may refuse. */
  visit(url: string): Promise<void>;
  /** Tells the host what is shown, as the arguments of a call that would open it. */
  remember(args: Record<string, unknown>): void;
}

/** A request, a notification or a response of the view. */
interface Sent {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
}

/** A message from the host, with the parameters that a view reads. */
interface Received {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: HostContext & { arguments?: Record<string, unknown> };
  result?: unknown;
  error?: { message: string };
}

/** What the host answers to `ui/initialize`. */
interface Initialized {
  hostContext?: HostContext;
  hostCapabilities?: { updateModelContext?: unknown };
}

/**
 * Connects to the host that shows this view, and follows its theme.
 *
 * @param name The name of the view.
 * @param namespace The namespace of its tools.
 */
export async function connect(name: string, namespace: string): Promise<Host> {
  const waiting = new Map<unknown, { resolve(value: unknown): void; reject(error: Error): void }>();
  const opened = Promise.withResolvers<Record<string, unknown>>();
  let last = 0;
  let remembering: ReturnType<typeof setTimeout> | undefined;
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
    if (method === "ui/notifications/tool-input") opened.resolve(params.arguments ?? {});
    // Pings and the announcement of the view's end.
    if (id !== undefined) send({ id, result: {} });
  });
  const { hostContext = {}, hostCapabilities = {} } = await request<Initialized>("ui/initialize", {
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
  // Tool names are spelled as the host lists them.
  const separator = hostContext.toolInfo?.tool?.name?.includes(".") ? "." : "_";
  const callTool = async <Data>(tool: string, args: Record<string, unknown>) => {
    const answer = await request<ToolAnswer<Data>>("tools/call", {
      name: `${namespace}${separator}${tool}`,
      arguments: args,
    });
    const { structuredContent: data, _meta: meta = {}, content } = answer;
    if (answer.isError === true) throw new Error(content.map(({ text }) => text ?? "").join("\n"));
    if (data === undefined) throw new Error("The host withholds the data of the result.");
    return { data, meta };
  };
  return {
    input: opened.promise,
    call: async <Data>(tool: string, args: Record<string, unknown>) =>
      (await callTool<Data>(tool, args)).data,
    ask: async <Shown, Data>(tool: string, args: Record<string, unknown>, key: string) => {
      const { data, meta } = await callTool<Data>(tool, args);
      if (meta[key] === undefined) throw new Error(`The host withholds _meta["${key}"].`);
      return { shown: meta[key] as Shown, data };
    },
    visit: (url) => request<unknown>("ui/open-link", { url }).then(() => {}, () => {}),
    remember: (args) => {
      if (hostCapabilities.updateModelContext === undefined) return;
      clearTimeout(remembering);
      remembering = setTimeout(() => {
        request<unknown>("ui/update-model-context", { structuredContent: args }).catch(() => {});
      }, REMEMBER_MS);
    },
  };
}

/** The message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function follow({ theme, styles }: HostContext): void {
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--")) document.documentElement.style.setProperty(name, value);
  }
}

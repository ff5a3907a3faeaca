/**
 * A model for clients that takes no key: it answers as four APIs do, asks for one call of a tool, and
 * keeps what the client then sends of the result.
 */

import { asObject, fieldOf } from "../../src/io/json.ts";

/** What a client sent to the model. */
export interface Seen {
  /** The names of the tools in the first request that has any, as the client spells them. */
  readonly tools: readonly string[];
  /** The result of the call, as the model reads it; `undefined` if the client did not call. */
  readonly result: string | undefined;
  /** Whether the server's instructions are in a request. */
  has(text: string): boolean;
}

export interface FakeModel extends AsyncDisposable {
  readonly port: number;
  /** What was sent since the last call of this. */
  take(): Seen;
}

/** The tools, results and answers of an API. */
interface Api {
  readonly path: RegExp;
  tools(body: unknown): unknown[];
  results(body: unknown): unknown[];
  call(name: string, input: object): unknown[];
  end(): unknown[];
}

const list = (value: unknown): unknown[] => Array.isArray(value) ? value : [];
const field = (value: unknown, ...names: string[]): unknown =>
  names.reduce((inner, name) => fieldOf(inner, name), value);
const ID = "call_1";

const APIS: readonly Api[] = [
  {
    path: /\/messages$/,
    tools: (body) => list(field(body, "tools")),
    results: (body) =>
      list(field(body, "messages")).flatMap((one) => list(field(one, "content")))
        .filter((part) => field(part, "type") === "tool_result")
        .map((part) => field(part, "content")),
    call: (name, input) =>
      anthropic({ type: "tool_use", id: ID, name, input: {} }, {
        type: "input_json_delta",
        partial_json: JSON.stringify(input),
      }, "tool_use"),
    end: () =>
      anthropic({ type: "text", text: "" }, { type: "text_delta", text: "Done" }, "end_turn"),
  },
  {
    path: /\/responses$/,
    tools: (body) =>
      list(field(body, "tools")).flatMap((tool) =>
        field(tool, "type") === "namespace"
          ? list(field(tool, "tools")).map((one) => ({
            name: field(one, "name"),
            namespace: field(tool, "name"),
          }))
          : [tool]
      ),
    results: (body) =>
      list(field(body, "input")).filter((one) => field(one, "type") === "function_call_output")
        .map((one) => field(one, "output")),
    call: (name, input) => {
      const [own, namespace] = name.split("\n");
      return responses({
        type: "function_call",
        id: "fc_1",
        call_id: ID,
        name: own,
        ...(namespace === undefined ? {} : { namespace }),
        arguments: JSON.stringify(input),
      });
    },
    end: () =>
      responses({
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "Done", annotations: [] }],
      }),
  },
  {
    path: /\/chat\/completions$/,
    tools: (body) => list(field(body, "tools")).map((tool) => field(tool, "function")),
    results: (body) =>
      list(field(body, "messages")).filter((one) => field(one, "role") === "tool")
        .map((one) => field(one, "content")),
    call: (name, input) =>
      completion({
        tool_calls: [{
          index: 0,
          id: ID,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        }],
      }, "tool_calls"),
    end: () => completion({ content: "Done" }, "stop"),
  },
  {
    path: /enerateContent$/,
    tools: (body) =>
      list(field(body, "tools")).flatMap((one) => list(field(one, "functionDeclarations"))),
    results: (body) =>
      list(field(body, "contents")).flatMap((one) => list(field(one, "parts")))
        .flatMap((part) => field(part, "functionResponse", "response") ?? []),
    call: (name, args) => gemini({ functionCall: { name, args } }),
    end: () => gemini({ text: "Done" }),
  },
];

/** Starts the model, which calls the tool whose name ends so. */
export function startFakeModel(tool: RegExp, input: object): FakeModel {
  let bodies: { readonly api: Api; readonly body: unknown; readonly text: string }[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url.replace(/:(\w*enerateContent)/, "/$1"));
      const api = APIS.find(({ path }) => path.test(pathname));
      if (api === undefined || request.method !== "POST") return Response.json({}, { status: 404 });
      const text = await request.text();
      const body: unknown = JSON.parse(text);
      bodies.push({ api, body, text });
      const isCalled = api.results(body).length > 0;
      const wanted = isCalled
        ? undefined
        : api.tools(body).map(nameOf).find((name) => tool.test(name));
      const events = wanted === undefined ? api.end() : api.call(wanted, input);
      const isStream = field(body, "stream") === true || pathname.endsWith("streamGenerateContent");
      if (!isStream) return Response.json(whole(api, events));
      const lines = events.map((event) => {
        const type = field(event, "type");
        const head = typeof type === "string" ? `event: ${type}\n` : "";
        return `${head}data: ${JSON.stringify(event)}\n\n`;
      });
      return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  );
  return {
    port: server.addr.port,
    take: () => {
      const taken = bodies;
      bodies = [];
      const first = taken.find(({ api, body }) => api.tools(body).length > 0);
      const results = taken.flatMap(({ api, body }) => api.results(body));
      return {
        tools: first?.api.tools(first.body).map((one) => nameOf(one).split("\n")[0]!) ?? [],
        result: results.length === 0 ? undefined : textOf(results[0]),
        has: (text) => taken.some((one) => one.text.includes(JSON.stringify(text).slice(1, -1))),
      };
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A name, with the namespace that Codex gives it in a second line. */
function nameOf(tool: unknown): string {
  const [name, namespace] = [field(tool, "name"), field(tool, "namespace")];
  return namespace === undefined ? String(name) : `${name}\n${namespace}`;
}

/** The text of a result: of its parts, or of what wraps it. */
function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  const parts = Array.isArray(result) ? result : list(field(result, "content"));
  if (parts.length > 0) {
    return parts.map((part) => String(field(part, "text") ?? JSON.stringify(part))).join("\n");
  }
  return String(field(result, "output") ?? JSON.stringify(result));
}

/** The answer of a request without a stream. */
function whole(api: Api, events: readonly unknown[]): unknown {
  const last = events.at(-1);
  if (field(last, "type") === "response.completed") return field(last, "response");
  if (!api.path.test("/chat/completions")) return last;
  const [choice] = list(field(events[0], "choices"));
  return {
    ...asObject(events[0]),
    object: "chat.completion",
    choices: [{
      index: 0,
      finish_reason: field(list(field(events[1], "choices"))[0], "finish_reason"),
      message: asObject(field(choice, "delta")),
    }],
  };
}

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

function anthropic(content_block: object, delta: object, stop_reason: string): unknown[] {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "fake", content: [] };
  return [
    { type: "message_start", message: { ...message, stop_reason: null, usage: USAGE } },
    { type: "content_block_start", index: 0, content_block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ];
}

function responses(item: object): unknown[] {
  const response = { id: "resp_1", object: "response", created_at: 0, model: "fake" };
  const done = { ...response, status: "completed", output: [item], usage: USAGE };
  return [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: done },
  ];
}

function completion(delta: object, finish_reason: string): unknown[] {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 0, model: "fake" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return [
    { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: null, ...delta } }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
  ];
}

function gemini(part: object): unknown[] {
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const content = { role: "model", parts: [part] };
  return [{ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata }];
}

/** The fixtures that the official conformance suite requires, made with the public API. */

import {
  type CallContext,
  type ContentBlock,
  type Contributor,
  defineTool,
  type InputRequest,
  type Prompt,
  RefraktError,
  type Resource,
  withContent,
} from "../../src/lib/plugin.ts";

/** The smallest valid image and sound. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const PROPERTIES = (type: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type }]));

/** A tool with these string arguments. */
function tool(name: string, run: Parameters<typeof defineTool>[0]["run"], ...args: string[]) {
  const properties = PROPERTIES("string", ...args);
  const input = { type: "object", properties, required: args, additionalProperties: false };
  return defineTool({ name, title: name, description: "For the suite.", input, run });
}

/** A form with string fields. */
function form(message: string, ...fields: string[]): InputRequest {
  const properties = PROPERTIES("string", ...fields);
  return elicit(message, { type: "object", properties, required: fields });
}

function elicit(message: string, requestedSchema: Record<string, unknown>): InputRequest {
  return { method: "elicitation/create", params: { message, requestedSchema } };
}

function sample(text: string, maxTokens: number): InputRequest {
  const messages = [{ role: "user", content: { type: "text", text } }];
  return { method: "sampling/createMessage", params: { messages, maxTokens } };
}

async function ask(
  context: CallContext,
  requests: Record<string, InputRequest>,
  // deno-lint-ignore no-explicit-any -- looked into freely
): Promise<Record<string, any>> {
  if (context.ask === undefined) {
    throw new RefraktError("TOOL_FAILED", "The client can answer nothing");
  }
  return await context.ask(requests);
}

const IMAGE: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };

const ENUMS = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: {
    type: "string",
    oneOf: [
      { const: "value1", title: "First Option" },
      { const: "value2", title: "Second Option" },
      { const: "value3", title: "Third Option" },
    ],
  },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: {
    type: "array",
    items: {
      anyOf: [
        { const: "value1", title: "First Choice" },
        { const: "value2", title: "Second Choice" },
        { const: "value3", title: "Third Choice" },
      ],
    },
  },
};

const DEFAULTS = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

async function completed(context: CallContext, properties: Record<string, unknown>) {
  const schema = { type: "object", properties };
  const { form } = await ask(context, { form: elicit("Fill it in", schema) });
  return `Elicitation completed: action=${form.action}, content=${JSON.stringify(form.content)}`;
}

/** A tool that reports progress step by step. */
const stepwise =
  <Step>(steps: Step[], report: (context: CallContext, step: Step) => void) =>
  async (_input: unknown, context: CallContext) => {
    for (const step of steps) {
      report(context, step);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return "Done";
  };

const embedded = (uri: string, mimeType: string, text: string): ContentBlock => ({
  type: "resource",
  resource: { uri, mimeType, text },
});

const NAME = { user_name: form("What is your name?", "name") };
const GREETING = { greeting: sample("Generate a greeting", 50) };
const ROOTS = { client_roots: { method: "roots/list" } } as const;

const tools = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_error_handling", () => {
    throw new RefraktError("TOOL_FAILED", "This tool intentionally returns an error for testing");
  }),
  tool(
    "test_tool_with_logging",
    stepwise(
      ["started", "processing", "completed"],
      ({ log }, step) => log("info", `Tool execution ${step}`),
    ),
  ),
  tool("test_logging_tool", stepwise(["A message"], ({ log }, text) => log("info", text))),
  tool(
    "test_tool_with_progress",
    stepwise([0, 50, 100], (context, progress) => context.progress({ progress, total: 100 })),
  ),
  tool("test_image_content", () => withContent([IMAGE])),
  tool(
    "test_audio_content",
    () => withContent([{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
  ),
  tool("test_embedded_resource", () => {
    const text = "This is an embedded resource content.";
    return withContent([embedded("test://embedded-resource", "text/plain", text)]);
  }),
  tool("test_multiple_content_types", () =>
    withContent([
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ])),
  tool("test_sampling", async ({ prompt }, context) => {
    const { answer } = await ask(context, { answer: sample(String(prompt), 100) });
    return `LLM response: ${answer.content.text}`;
  }, "prompt"),
  tool("test_elicitation", async ({ message }, context) => {
    const { given } = await ask(context, { given: form(String(message), "username", "email") });
    return `User response: action=${given.action}, content=${JSON.stringify(given.content)}`;
  }, "message"),
  tool("test_elicitation_sep1034_defaults", (_input, context) => completed(context, DEFAULTS)),
  tool("test_elicitation_sep1330_enums", (_input, context) => completed(context, ENUMS)),
  ...["elicitation", "tampered_state"].map((kind) =>
    tool(`test_input_required_result_${kind}`, async (_input, context) => {
      const { user_name } = await ask(context, NAME);
      return `Hello, ${user_name.content.name}!`;
    })
  ),
  tool("test_input_required_result_sampling", async (_input, context) => {
    const { capital_question } = await ask(context, {
      capital_question: sample("What is the capital of France?", 100),
    });
    return String(capital_question.content.text);
  }),
  tool("test_input_required_result_list_roots", async (_input, context) => {
    const { client_roots } = await ask(context, ROOTS);
    return client_roots.roots.map(({ uri }: { uri: string }) => uri).join();
  }),
  tool("test_input_required_result_request_state", async (_input, context) => {
    const properties = PROPERTIES("boolean", "ok");
    const schema = { type: "object", properties, required: ["ok"] };
    await ask(context, { confirm: elicit("Please confirm", schema) });
    return "state-ok";
  }),
  tool("test_input_required_result_multiple_inputs", async (_input, context) => {
    const answers = await ask(context, { ...NAME, ...GREETING, ...ROOTS });
    const { user_name, greeting, client_roots } = answers;
    return `${greeting.content.text} ${user_name.content.name} ${client_roots.roots.length}`;
  }),
  tool("test_input_required_result_multi_round", async (_input, context) => {
    const { step1 } = await ask(context, { step1: form("Step 1: What is your name?", "name") });
    const { step2 } = await ask(context, {
      step2: form("Step 2: What is your favorite color?", "color"),
    });
    return `${step1.content.name} likes ${step2.content.color}`;
  }),
  ...[
    ["test_input_required_result_capabilities", { ...NAME, ...GREETING }] as const,
    ["test_missing_capability", GREETING] as const,
  ].map(([name, requests]) =>
    tool(name, async (_input, context) => {
      await ask(context, requests);
      return "Done";
    })
  ),
  tool("test_streaming_elicitation", async (_input, context) => {
    context.progress({ progress: 1, total: 2 });
    await ask(context, NAME);
    return "Done";
  }),
];

const resource = (uri: string, mimeType: string, read: Resource["read"]): Resource => ({
  uri,
  name: uri.replaceAll(/\W+/g, "-"),
  title: uri,
  description: "For the suite.",
  mimeType,
  read,
});

const prompt = (name: string, render: Prompt["render"], ...args: string[]): Prompt => ({
  name,
  title: name,
  description: "For the suite.",
  arguments: args.map((arg) => ({ name: arg, description: "A text", required: true })),
  complete: (_argument, value) => ["paris", "park"].filter((word) => word.startsWith(value)),
  render,
});

const user = (content: string | ContentBlock) => ({ role: "user" as const, content });

export const forTheSuite: Contributor = () => ({
  tools,
  resources: [
    resource("test://static-text", "text/plain", () => ({
      text: "This is the content of the static text resource.",
    })),
    resource("test://static-binary", "image/png", () => ({ blob: Uint8Array.fromBase64(PNG) })),
    resource("test://watched-resource", "text/plain", () => ({ text: "Subscribe to it." })),
    resource("test://template/{id}/data", "application/json", ({ id }) => ({
      data: { id, templateTest: true, data: `Data for ID: ${id}` },
    })),
  ],
  prompts: [
    prompt("test_simple_prompt", () => "This is a simple prompt for testing."),
    prompt(
      "test_prompt_with_arguments",
      ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      ...["arg1", "arg2"],
    ),
    prompt("test_prompt_with_embedded_resource", ({ resourceUri }) => [
      user(embedded(resourceUri!, "text/plain", "Embedded resource content for testing.")),
      user("Please process the embedded resource above."),
    ], "resourceUri"),
    prompt("test_prompt_with_image", () => [user(IMAGE), user("Please analyze the image above.")]),
    prompt("test_input_required_result_prompt", async (_args, context) => {
      const { user_context } = await ask(context, {
        user_context: form("What context should the prompt use?", "context"),
      });
      return `In the context of ${user_context.content.context}`;
    }),
  ],
});

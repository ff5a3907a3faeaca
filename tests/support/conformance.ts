/** What the official conformance suite asks for, made with the public API. */

import {
  type CallContext,
  type ContentBlock,
  type Contributor,
  defineTool,
  type InputRequest,
  type JsonSchema,
  RefraktError,
  withContent,
} from "../../src/lib/plugin.ts";

const NOTHING = { type: "object", additionalProperties: false };

/** The smallest image and sound that there are. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

function tool(
  name: string,
  run: Parameters<typeof defineTool>[0]["run"],
  input: JsonSchema = NOTHING,
) {
  return defineTool({ name, title: name, description: "For the suite.", input, run });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

/** A form of fields that are texts. */
function form(message: string, ...fields: string[]): InputRequest {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
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

const TEXT_ARGUMENT = (name: string) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});

const tools = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_error_handling", () => {
    throw new RefraktError("TOOL_FAILED", "This tool intentionally returns an error for testing");
  }),
  tool("test_tool_with_logging", async (_input, context) => {
    for (const step of ["started", "processing", "completed"]) {
      context.log("info", `Tool execution ${step}`);
      await pause();
    }
    return "Done";
  }),
  tool("test_logging_tool", (_input, context) => {
    context.log("info", "A message");
    return "Done";
  }),
  tool("test_tool_with_progress", async (_input, context) => {
    for (const progress of [0, 50, 100]) {
      context.progress({ progress, total: 100 });
      await pause();
    }
    return "Done";
  }),
  tool("test_image_content", () => withContent([IMAGE])),
  tool(
    "test_audio_content",
    () => withContent([{ type: "audio", data: WAV, mimeType: "audio/wav" }]),
  ),
  tool("test_embedded_resource", () =>
    withContent([{
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }])),
  tool("test_multiple_content_types", () =>
    withContent([
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ])),
  tool("test_sampling", async ({ prompt }, context) => {
    const { answer } = await ask(context, { answer: sample(String(prompt), 100) });
    return `LLM response: ${answer.content.text}`;
  }, TEXT_ARGUMENT("prompt")),
  tool("test_elicitation", async ({ message }, context) => {
    const { form: given } = await ask(context, {
      form: form(String(message), "username", "email"),
    });
    return `User response: action=${given.action}, content=${JSON.stringify(given.content)}`;
  }, TEXT_ARGUMENT("message")),
  tool("test_elicitation_sep1034_defaults", (_input, context) => completed(context, DEFAULTS)),
  tool("test_elicitation_sep1330_enums", (_input, context) => completed(context, ENUMS)),
  tool("test_input_required_result_elicitation", async (_input, context) => {
    const { user_name } = await ask(context, { user_name: form("What is your name?", "name") });
    return `Hello, ${user_name.content.name}!`;
  }),
  tool("test_input_required_result_sampling", async (_input, context) => {
    const { capital_question } = await ask(context, {
      capital_question: sample("What is the capital of France?", 100),
    });
    return String(capital_question.content.text);
  }),
  tool("test_input_required_result_list_roots", async (_input, context) => {
    const { client_roots } = await ask(context, { client_roots: { method: "roots/list" } });
    return client_roots.roots.map(({ uri }: { uri: string }) => uri).join();
  }),
  tool("test_input_required_result_request_state", async (_input, context) => {
    const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    await ask(context, { confirm: elicit("Please confirm", schema) });
    return "state-ok";
  }),
  tool("test_input_required_result_multiple_inputs", async (_input, context) => {
    const { user_name, greeting, client_roots } = await ask(context, {
      user_name: form("What is your name?", "name"),
      greeting: sample("Generate a greeting", 50),
      client_roots: { method: "roots/list" },
    });
    return `${greeting.content.text} ${user_name.content.name} ${client_roots.roots.length}`;
  }),
  tool("test_input_required_result_multi_round", async (_input, context) => {
    const { step1 } = await ask(context, { step1: form("Step 1: What is your name?", "name") });
    const { step2 } = await ask(context, {
      step2: form("Step 2: What is your favorite color?", "color"),
    });
    return `${step1.content.name} likes ${step2.content.color}`;
  }),
  tool("test_input_required_result_tampered_state", async (_input, context) => {
    const { user_name } = await ask(context, { user_name: form("What is your name?", "name") });
    return `Hello, ${user_name.content.name}!`;
  }),
  tool("test_input_required_result_capabilities", async (_input, context) => {
    await ask(context, {
      user_name: form("What is your name?", "name"),
      greeting: sample("Generate a greeting", 50),
    });
    return "Done";
  }),
  tool("test_missing_capability", async (_input, context) => {
    await ask(context, { greeting: sample("Generate a greeting", 50) });
    return "Done";
  }),
  tool("test_streaming_elicitation", async (_input, context) => {
    context.progress({ progress: 1, total: 2 });
    await ask(context, { user_name: form("What is your name?", "name") });
    return "Done";
  }),
];

/** The fixtures; `listChanged` is called where the lists are to be announced as changed. */
export const forTheSuite: Contributor = () => ({
  tools,
  resources: [
    {
      uri: "test://static-text",
      name: "static-text",
      title: "Static text",
      description: "For the suite.",
      mimeType: "text/plain",
      read: () => ({ text: "This is the content of the static text resource." }),
    },
    {
      uri: "test://static-binary",
      name: "static-binary",
      title: "Static bytes",
      description: "For the suite.",
      mimeType: "image/png",
      read: () => ({ blob: Uint8Array.from(atob(PNG), (character) => character.charCodeAt(0)) }),
    },
    {
      uri: "test://watched-resource",
      name: "watched",
      title: "Watched",
      description: "For the suite.",
      mimeType: "text/plain",
      read: () => ({ text: "It can be subscribed to." }),
    },
    {
      uri: "test://template/{id}/data",
      name: "template",
      title: "Template",
      description: "For the suite.",
      mimeType: "application/json",
      read: ({ id }) => ({ data: { id, templateTest: true, data: `Data for ID: ${id}` } }),
    },
  ],
  prompts: [
    {
      name: "test_simple_prompt",
      title: "Simple prompt",
      description: "For the suite.",
      render: () => "This is a simple prompt for testing.",
    },
    {
      name: "test_prompt_with_arguments",
      title: "Prompt with arguments",
      description: "For the suite.",
      arguments: [
        { name: "arg1", description: "First", required: true },
        { name: "arg2", description: "Second", required: true },
      ],
      complete: (_argument, value) => ["paris", "park"].filter((word) => word.startsWith(value)),
      render: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
    },
    {
      name: "test_prompt_with_embedded_resource",
      title: "Prompt with a resource",
      description: "For the suite.",
      arguments: [{ name: "resourceUri", description: "The resource", required: true }],
      render: ({ resourceUri }) => [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri!,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        { role: "user", content: "Please process the embedded resource above." },
      ],
    },
    {
      name: "test_prompt_with_image",
      title: "Prompt with an image",
      description: "For the suite.",
      render: () => [
        { role: "user", content: IMAGE },
        { role: "user", content: "Please analyze the image above." },
      ],
    },
    {
      name: "test_input_required_result_prompt",
      title: "Prompt that asks",
      description: "For the suite.",
      render: async (_args, context) => {
        const { user_context } = await ask(context, {
          user_context: form("What context should the prompt use?", "context"),
        });
        return `In the context of ${user_context.content.context}`;
      },
    },
  ],
});

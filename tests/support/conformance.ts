/** The fixtures that the official conformance suite requires, made with the public API. */

import {
  type CallContext,
  type ContentBlock,
  defineTool,
  type Prompt,
  RefraktError,
  type Resource,
  withContent,
} from "../../src/lib/plugin.ts";
import type { Plugin } from "../../src/lib/plugin.ts";

/** The smallest valid image and sound. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

const PROPERTIES = (type: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type }]));

function tool(name: string, run: Parameters<typeof defineTool>[0]["run"], ...args: string[]) {
  const properties = PROPERTIES("string", ...args);
  const input = { type: "object", properties, required: args, additionalProperties: false };
  return defineTool({ name, title: name, description: "For the suite.", input, run });
}

const IMAGE: ContentBlock = { type: "image", data: PNG, mimeType: "image/png" };

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

const tools = [
  tool("test_simple_text", () => "This is a simple text response for testing."),
  tool("test_error_handling", () => {
    throw new RefraktError("TOOL_FAILED", "This tool intentionally returns an error for testing");
  }),
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
  render,
});

const user = (content: string | ContentBlock) => ({ role: "user" as const, content });

export const FIXTURES: Plugin = {
  name: "fixtures",
  tools,
  resources: [
    resource("test://static-text", "text/plain", () => ({
      text: "This is the content of the static text resource.",
    })),
    resource("test://static-binary", "image/png", () => ({ blob: Uint8Array.fromBase64(PNG) })),
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
  ],
};

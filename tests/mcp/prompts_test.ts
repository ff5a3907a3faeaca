import assert from "node:assert/strict";
import { RefraktError } from "../../src/lib/plugin.ts";
import type { Prompt } from "../../src/tools/prompt.ts";
import { withClient } from "../support/in_process.ts";

const prompt = (name: string, render: Prompt["render"], more: Partial<Prompt> = {}): Prompt => ({
  name,
  title: `The prompt ${name}`,
  description: "For the test.",
  render,
  ...more,
});

const PROMPTS: Prompt[] = [
  prompt("plain", ({ whom }) => `Hello, ${whom}`, {
    arguments: [{ name: "whom", description: "Whom\nto greet", required: true }],
  }),
  prompt("failing", () => {
    throw new RefraktError("NOT_FOUND", "There is none", { hint: "Make one." });
  }),
  prompt("site_only", () => "never", { requires: ["site"] }),
];

Deno.test("prompts that apply are listed; an error has its code and hint, an unknown name the nearest one", () =>
  withClient({ prompts: PROMPTS }, async (client) => {
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), ["failing", "plain"]);
    const plain = await client.getPrompt({ name: "plain", arguments: { whom: "Ada" } });
    assert.deepEqual([plain.description, plain.messages], ["For the test.", [
      { role: "user", content: { type: "text", text: "Hello, Ada" } },
    ]]);
    await assert.rejects(client.getPrompt({ name: "failing" }), {
      code: -32602,
      message: /There is none/,
      data: { errorCode: "NOT_FOUND", hint: "Make one." },
    });
    await assert.rejects(
      client.getPrompt({ name: "plane" }),
      ({ data }: { data: { errorCode: string; hint: string } }) =>
        data.errorCode === "NOT_FOUND" && /plain/.test(data.hint),
    );
  }));

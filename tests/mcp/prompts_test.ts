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
  prompt("several", () => [
    { role: "assistant", content: "Well?" },
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri: "team://x", mimeType: "image/png", blob: new Uint8Array([1, 2]) },
      },
    },
  ]),
  prompt("failing", () => {
    throw new RefraktError("NOT_FOUND", "There is none", { hint: "Make one." });
  }),
  prompt("site_only", () => "never", { requires: ["site"] }),
];

Deno.test("prompts are listed, rendered and rejected by the protocol", async (test) => {
  await withClient({ prompts: PROMPTS }, async (client) => {
    await test.step("lists what applies to the project, with arguments", async () => {
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map(({ name }) => name), ["failing", "plain", "several"]);
      const plain = prompts.find(({ name }) => name === "plain")!;
      assert.equal(plain.title, "The prompt plain");
      assert.deepEqual(plain.arguments!.map(({ name, required }) => [name, required]), [
        ["whom", true],
      ]);
    });
    await test.step("a text becomes one user message, and blocks are encoded", async () => {
      const plain = await client.getPrompt({ name: "plain", arguments: { whom: "Ada" } });
      assert.deepEqual([plain.description, plain.messages], ["For the test.", [
        { role: "user", content: { type: "text", text: "Hello, Ada" } },
      ]]);
      const { messages } = await client.getPrompt({ name: "several" });
      assert.deepEqual(messages.map(({ role }) => role), ["assistant", "user"]);
      const block = messages[1]!.content as { resource: { blob: string } };
      assert.equal(block.resource.blob, "AQI=");
    });
    await test.step("an error has its code and hint, and an unknown name the nearest one", async () => {
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
    });
  });
});

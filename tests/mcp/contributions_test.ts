/** Tools, resources and prompts that a program contributes, as clients get them. */

import assert from "node:assert/strict";
import { defineTool, RefraktError } from "../../src/lib/plugin.ts";
import type { Prompt } from "../../src/plugin/prompt.ts";
import type { Resource } from "../../src/plugin/resource.ts";
import { ERAS, withClient, withClients } from "../support/in_process.ts";
import { makeProject } from "../support/project.ts";

const resource = (uri: string, read: Resource["read"], mimeType = "text/plain"): Resource => ({
  uri,
  name: uri.replace(/\W+/g, "-"),
  title: `The resource ${uri}`,
  description: "For the test.",
  mimeType,
  read,
});

const RESOURCES: Resource[] = [
  resource("team://text", () => ({ text: "Text", _meta: { "example/a": 1 } })),
  resource("team://data/{name}", ({ name }) => ({ data: { name } }), "application/json"),
  resource("team://broken", () => {
    throw new RefraktError("FILE_OPERATION_FAILED", "The disk is gone", { hint: "Find it." });
  }),
  resource("ui://team/view", () => ({ text: "<p>" }), "text/html"),
];

Deno.test("resources are read with their type, views unlisted; errors have a message, code, hint and URI", () =>
  withClient({ resources: RESOURCES }, async (client) => {
    const { resources } = await client.listResources();
    assert.ok(!resources.some(({ uri }) => uri.startsWith("ui:")));
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
    assert.deepEqual(
      await read("team://text"),
      { uri: "team://text", mimeType: "text/plain", text: "Text", _meta: { "example/a": 1 } },
    );
    const { text } = await read("team://data/a%20b") as { text: string };
    assert.deepEqual(JSON.parse(text), { name: "a b" });
    assert.equal((await read("ui://team/view") as { text: string }).text, "<p>");
    await assert.rejects(client.readResource({ uri: "team://broken" }), {
      code: -32603,
      message: /Failed to read resource: The disk is gone\. Find it\./,
      data: { uri: "team://broken", errorCode: "FILE_OPERATION_FAILED", hint: "Find it." },
    });
  }));

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

const HIDDEN = "\u202e\u200b\u0007\u{e0041}";
const SHOWN = String.raw`\u202e\u200b\u0007\udb40\udc41`;

Deno.test("titles and descriptions in lists are bounded and hide nothing", async () => {
  const title = `Ti${HIDDEN}tle ${"x".repeat(500)}`;
  const description = `De${HIDDEN}scription ${"x".repeat(5000)}`;
  const named = { name: "a", title, description };
  const contribution = {
    tools: [defineTool({ ...named, name: "a_b", input: {}, run: () => ({}) })],
    resources: [{ ...named, uri: "test://a", mimeType: "text/plain", read: () => ({ text: "" }) }],
    prompts: [{ ...named, arguments: [{ name: "x", description }], render: () => "" }],
  };
  await withClient(contribution, async (client) => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === "a_b")!;
    const { resources } = await client.listResources();
    const resource = resources.find(({ uri }) => uri === "test://a")!;
    const [prompt] = (await client.listPrompts()).prompts;
    for (const entry of [tool, resource, prompt!]) {
      assert.ok(entry.title!.startsWith(`Ti${SHOWN}tle xxx`) && entry.title!.length <= 120);
      assert.ok(entry.description!.startsWith(`De${SHOWN}scription xxx`));
      assert.ok(entry.description!.length <= 2000);
    }
    assert.ok(prompt!.arguments![0]!.description!.length <= 2000);
  });
});

Deno.test("a tool says how large its results are where Claude Code would show less", () =>
  withClients({ cwd: makeProject(), maxOutput: 100_000 }, (connect) =>
    connect(async (client) => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.find(({ name }) => name === "refrakt_detect")?._meta, {
        "anthropic/maxResultSizeChars": 100_000,
      });
    })));

const COMPLETED: Resource = {
  ...resource("team://thing/{one}/{two}", ({ one }) => ({ text: one! })),
  complete: (parameter, value, _context, others) => {
    if (parameter === "two") throw new Error("cannot");
    if (value === "odd") return [`a\u001b[31m\nb${"x".repeat(300)}`];
    if (others["two"] !== undefined) return [`beside ${others["two"]}`];
    return Array.from({ length: 120 }, (_, index) => `${value}${index}`);
  },
};

for (const era of ERAS) {
  Deno.test(`completes the parameters of resources, and no arguments of prompts, in the ${era} era`, () =>
    withClient({ resources: [COMPLETED] }, async (client) => {
      type Ref = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
      const complete = async (
        name: string,
        value: string,
        args: Record<string, string> = {},
        ref: Ref = { type: "ref/resource", uri: COMPLETED.uri },
      ) =>
        (await client.complete({ ref, argument: { name, value }, context: { arguments: args } }))
          .completion;
      const many = await complete("one", "v");
      assert.deepEqual([many.values.length, many.total, many.hasMore], [100, 120, true]);
      assert.equal(many.values[99], "v99");
      assert.deepEqual((await complete("one", "", { two: "2" })).values, ["beside 2"]);
      const [odd] = (await complete("one", "odd")).values;
      // deno-lint-ignore no-control-regex -- that there are none is what is tested
      assert.ok(odd!.length <= 200 && !/[\u0000-\u001f]/.test(odd!), odd);
      const none = { values: [], total: 0, hasMore: false };
      assert.deepEqual(await complete("two", ""), none, "a failure completes nothing");
      const refs: Ref[] = [
        { type: "ref/resource", uri: "team://other/{one}" },
        { type: "ref/prompt", name: "rune_write" },
      ];
      for (const ref of refs) assert.deepEqual(await complete("one", "", {}, ref), none);
    }, { era }));
}

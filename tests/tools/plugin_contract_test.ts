import assert from "node:assert/strict";
import { checkPlugin, copyPlugin } from "../../src/tools/plugin_contract.ts";

const command = (fields: Record<string, unknown> = {}) => ({
  name: "run",
  description: "Runs",
  mcpHandler: () => ({}),
  ...fields,
});
const plugin = (...commands: unknown[]) => ({ namespace: "made", commands });
const schemaOf = (inputSchema: unknown) =>
  declared(plugin(command({ inputSchema }))).commands[0]?.inputSchema;

const declared = (candidate: unknown) => checkPlugin(copyPlugin(candidate));

Deno.test("declarations are copied as bounded plain data, without the package's objects", () => {
  const shared = { type: "string" };
  const inputSchema = { type: "object", properties: { a: shared, b: shared } };
  const texts = { title: "Safe\u202egnp.exe\nnext", description: `Does ${"x".repeat(10_000)}` };
  const { commands, problems } = declared(plugin(command({ ...texts, inputSchema })));
  shared.type = "number";
  assert.deepEqual(problems, []);
  assert.deepEqual(commands, [{
    name: "run",
    description: `Does ${"x".repeat(1994)}…`,
    title: "Safe\u202egnp.exe next",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
    mcpHandler: true,
    index: 0,
  }]);
});

Deno.test("packages cannot choose tool names, nor names of others' resources and prompts", () => {
  const read = () => ({ text: "" });
  const render = () => "";
  const copied = declared({
    ...plugin(command({ toolName: "plan.update" })),
    resources: [
      { uri: "refrakt://plan/index", name: "index", read },
      { uri: "refrakt://made-up/x", name: "x", read },
      { uri: "file:///etc/passwd", name: "x", read },
      { uri: "refrakt://made/note", name: "note", read },
    ],
    prompts: [{ name: "plan_next", render }, { name: "made_talk", render }],
  });
  assert.ok(!("toolName" in copied.commands[0]!));
  assert.deepEqual(copied.resources.map(({ uri }) => uri), ["refrakt://made/note"]);
  assert.deepEqual(copied.prompts.map(({ name }) => name), ["made_talk"]);
  assert.equal(copied.problems.length, 4);
});

Deno.test("a __proto__ key is data", () => {
  const schema = schemaOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
  const { properties } = schema as { properties: object };
  assert.deepEqual(Object.keys(properties), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(properties), Object.prototype);
  assert.equal(({} as { type?: unknown }).type, undefined);
});

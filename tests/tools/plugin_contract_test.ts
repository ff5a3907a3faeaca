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

Deno.test("declarations are copied as plain data, without the package's objects", () => {
  const shared = { type: "string" };
  const inputSchema = { type: "object", properties: { a: shared, b: shared } };
  const { commands, problems } = declared(plugin(command({ title: "Run it", inputSchema })));
  shared.type = "number";
  assert.deepEqual(problems, []);
  assert.deepEqual(commands, [{
    name: "run",
    description: "Runs",
    title: "Run it",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
    mcpHandler: true,
    index: 0,
  }]);
});

Deno.test("copied texts are bounded", () => {
  const { commands } = declared(plugin(command({
    title: "Safe\u202egnp.exe\nnext",
    description: "Does\u0000 it\u200b.\u{e0041}\u001b[31m Now" + "x".repeat(10_000),
  })));
  assert.equal(commands[0]!.title, "Safe\u202egnp.exe next");
  assert.ok(commands[0]!.description.endsWith("xx…"));
  assert.equal(commands[0]!.description.length, 2000);
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

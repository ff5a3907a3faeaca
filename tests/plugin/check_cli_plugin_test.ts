import assert from "node:assert/strict";
import { checkPlugin } from "../../src/plugin/check_cli_plugin.ts";

const command = (fields: Record<string, unknown> = {}) => ({
  name: "run",
  description: "Runs",
  mcpHandler: () => ({}),
  ...fields,
});
const plugin = (...commands: unknown[]) => ({ namespace: "made", commands });
const schemaOf = (inputSchema: unknown) =>
  checkPlugin(plugin(command({ inputSchema }))).commands[0]?.inputSchema;

Deno.test("declarations are copied as bounded plain data, without the package's objects", () => {
  const shared = { type: "string" };
  const inputSchema = { type: "object", properties: { a: shared, b: shared } };
  const texts = { title: "Safe\u202egnp.exe\nnext", description: `Does ${"x".repeat(10_000)}` };
  const { commands, problems } = checkPlugin(plugin(command({ ...texts, inputSchema })));
  shared.type = "number";
  assert.deepEqual(problems, []);
  const [{ mcpHandler, ...data }] = commands as [(typeof commands)[0]];
  assert.equal(typeof mcpHandler, "function");
  assert.deepEqual(data, {
    name: "run",
    description: `Does ${"x".repeat(1994)}…`,
    title: "Safe\u202egnp.exe next",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
    index: 0,
  });
});

Deno.test("packages cannot choose tool names, and offer commands only", () => {
  const copied = checkPlugin({
    ...plugin(command({ toolName: "plan_update", icons: [], _meta: { ui: {} } })),
    resources: [{ uri: "refrakt://plan/index", name: "index", read: () => ({ text: "" }) }],
    prompts: [{ name: "plan_next", render: () => "" }],
  });
  const fields = Object.keys(copied.commands[0]!).sort();
  assert.deepEqual(fields, ["description", "index", "mcpHandler", "name"]);
  assert.deepEqual(Object.keys(copied).sort(), ["commands", "namespace", "problems"]);
  assert.deepEqual(copied.problems, []);
});

Deno.test("a __proto__ key is data", () => {
  const schema = schemaOf(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'));
  const { properties } = schema as { properties: object };
  assert.deepEqual(Object.keys(properties), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(properties), Object.prototype);
  assert.equal(({} as { type?: unknown }).type, undefined);
});

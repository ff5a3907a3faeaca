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

Deno.test("an invalid declaration affects only its command", () => {
  const large = Object.fromEntries(Array.from({ length: 500_000 }, (_, n) => [`k${n}`, 1]));
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const throwing = Object.defineProperty({}, "type", {
    enumerable: true,
    get() {
      throw new Error("got");
    },
  });
  const bad = [
    command({ inputSchema: { properties: large } }),
    command({ inputSchema: cyclic }),
    command({ inputSchema: throwing }),
    command({ outputSchema: throwing }),
    Object.defineProperty(command(), "description", {
      get() {
        throw new Error("got");
      },
    }),
    new Proxy(command(), {
      get() {
        throw new Error("got");
      },
    }),
    null,
    command({ name: "" }),
    command({ name: "x".repeat(65) }),
    command({ description: 1 }),
    { name: "idle", description: "Has no handler" },
  ];
  const { commands, problems } = declared(plugin(...bad, command({ name: "good" })));
  assert.deepEqual(commands.map(({ name, index }) => [name, index]), [["good", bad.length]]);
  const broken = new Set(problems.map(({ path }) => path.replace(/(?<=\]).*/, "")));
  assert.deepEqual([...broken], bad.map((_, index) => `commands[${index}]`));
  assert.match(problems[0]!.message, /^it is longer than 100000 characters/);
});

Deno.test("an invalid plugin is rejected with the reason", () => {
  const cases = [
    [null, /no valid namespace/],
    ["text", /no valid namespace/],
    [{ commands: [] }, /no valid namespace/],
    [{ namespace: "../x", commands: [] }, /no valid namespace/],
    [{ namespace: "x".repeat(40), commands: [] }, /no valid namespace/],
    [{ namespace: "x" }, /no list of commands/],
  ] as const;
  for (const [candidate, reason] of cases) {
    assert.throws(() => declared(candidate), reason);
  }
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

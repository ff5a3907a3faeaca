import assert from "node:assert/strict";
import type { Tool } from "@modelcontextprotocol/server";
import { installPackages } from "../support/installed.ts";
import { publish } from "../support/published.ts";
import { makeProject, SMALL_PLAN } from "../support/project.ts";
import { configFor, SCOPE } from "../support/registry.ts";
import { copyExample } from "../support/run.ts";
import { inProcess } from "../support/in_process.ts";
import { type Asked, withServer } from "../support/server.ts";

/** Schemas of plugins that were tested with only one client. */
const AWFUL: Readonly<Record<string, unknown>> = {
  lists: {
    properties: {
      either: { type: ["string", "array"] },
      bare: { type: "array" },
      tuple: { type: "array", items: [{ type: "string" }, { type: "number" }] },
      nested: { type: "array", items: { type: "array" } },
      anything: { type: "array", items: {} },
      choice: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    },
  },
  untyped: {
    properties: {
      no: false,
      values: { enum: ["a", "b", null] },
      numbers: { enum: [1, 2, 3] },
      maybe: { type: ["string", "null"], default: null },
    },
    required: ["values", "absent"],
  },
  choices: {
    type: "object",
    properties: {
      kind: { oneOf: [{ const: "a", title: "A" }, { const: "b", title: "B" }] },
      optional: { anyOf: [{ type: "integer" }, { type: "null" }] },
      shapes: {
        oneOf: [
          { type: "object", properties: { circle: { type: "number" } }, required: ["circle"] },
          { type: "object", properties: { square: { type: "number" } }, required: ["square"] },
        ],
      },
      both: { allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }] },
    },
    oneOf: [{ required: ["kind"] }, { required: ["shapes"] }],
  },
  references: {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: {
      name: { type: "string", minLength: 1 },
      tree: {
        type: "object",
        properties: { children: { type: "array", items: { $ref: "#/definitions/tree" } } },
      },
    },
    type: "object",
    properties: {
      name: { $ref: "#/definitions/name", description: "Its name" },
      tree: { $ref: "#/definitions/tree" },
    },
    if: { properties: { name: { const: "x" } } },
    then: { required: ["tree"] },
  },
};

/** Every node of a schema with its path. */
function* nodesOf(schema: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const { properties = {}, items, additionalProperties } = schema as Record<string, unknown>;
  yield [path, schema as Record<string, unknown>];
  const parts = { ...properties as object, items, "*": additionalProperties };
  for (const [name, part] of Object.entries(parts)) yield* nodesOf(part, `${path}.${name}`);
}

const ALLOWED = new Set(
  "type description default enum format pattern items properties required additionalProperties"
    .split(" "),
);

/** Parts of the schemas that some model API rejects. */
function refusals(tools: readonly Pick<Tool, "name" | "inputSchema">[]): string[] {
  const found: string[] = [];
  for (const { name, inputSchema } of tools) {
    if (inputSchema.type !== "object") found.push(`${name}: no object`);
    for (const [path, node] of nodesOf(inputSchema, name)) {
      const { type, items, enum: values, required = [] } = node;
      const refuse = (isRefused: boolean, what: string) =>
        isRefused && found.push(`${path}: ${what}`);
      for (const keyword of Object.keys(node)) refuse(!ALLOWED.has(keyword), keyword);
      refuse(typeof type !== "string", "no single type");
      // VS Code: "tool parameters array type must have items".
      const hasItems = typeof items === "object" && !Array.isArray(items);
      refuse(type === "array" && !hasItems, "an array without items");
      const isOdd = values !== undefined &&
        (type !== "string" || (values as string[]).includes(""));
      refuse(isOdd, "an enum of something else than texts");
      for (const field of required as string[]) {
        refuse(!Object.hasOwn(node["properties"] as object, field), field);
      }
    }
  }
  return found;
}

/** The tools listed when every plugin has loaded. */
async function toolsOf({ client, call }: Asked): Promise<Tool[]> {
  await call("refrakt_detect");
  return (await client.listTools()).tools as Tool[];
}

Deno.test("every model API accepts the schemas of all our tools", () =>
  inProcess(copyExample("site-and-plan"), async (session) => {
    const tools = await toolsOf(session);
    assert.deepEqual(refusals(tools), []);
    for (const { name } of tools) assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
  }, { plugins: ["ralph"] }));

Deno.test("schemas of other packages are rewritten, and the originals validate", async () => {
  await using server = await publish();
  const cwd = makeProject({
    ...SMALL_PLAN,
    "package.json": JSON.stringify({ dependencies: { [`${SCOPE}/awful`]: "^1.0.0" } }),
    "refrakt.config.json": configFor("awful"),
  });
  const plugin = `const schemas = ${JSON.stringify(AWFUL)};
export default {
  namespace: "awful",
  commands: Object.entries(schemas).map(([name, inputSchema]) => ({
    name, description: "Echoes.", inputSchema, mcpHandler: (input) => ({ input }),
  })),
};`;
  installPackages(cwd, [{ name: "awful", plugin, version: "1.0.0" }]);
  await withServer(cwd, async (session) => {
    const tools = (await toolsOf(session)).filter(({ name }) => name.startsWith("awful_"));
    assert.deepEqual(tools.map(({ name }) => name.slice(6)).sort(), Object.keys(AWFUL).sort());
    assert.deepEqual(refusals(tools), []);
    const listed = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name.slice(6), inputSchema.properties as never]),
    ) as Record<string, Record<string, unknown>>;
    const texts = { type: "array", items: { type: "string" } };
    for (const name of ["either", "bare", "tuple", "anything", "choice"]) {
      assert.deepEqual(listed["lists"]![name], texts, name);
    }
    assert.deepEqual(listed["lists"]!["nested"], { type: "array", items: texts });
    assert.deepEqual(listed["untyped"]!["values"], { type: "string", enum: ["a", "b"] });
    assert.deepEqual(listed["untyped"]!["numbers"], {
      type: "number",
      description: "One of 1, 2, 3",
    });
    assert.equal(Object.hasOwn(listed["untyped"]!, "no"), false);
    // Unions and references are left out of open objects, with a warning, and calls take them.
    assert.deepEqual(listed["choices"], { optional: { type: "integer" } });
    assert.deepEqual(listed["references"], {});
    const { warnings } = await session.ok("refrakt_detect");
    const text = warnings.map(({ message }: { message: string }) => message).join("\n");
    assert.match(text, /arguments of awful_choices are not listed: kind, shapes, both$/m);
    assert.match(text, /arguments of awful_references are not listed: name, tree$/m);
    // Accepted input reaches the plugin unchanged.
    assert.deepEqual(await session.ok("awful_lists", { either: "x" }), { input: { either: "x" } });
    assert.deepEqual(await session.ok("awful_lists", { bare: "y" }), { input: { bare: ["y"] } });
    assert.equal((await session.call("awful_choices", {})).errorCode, "INVALID_ARGS");
    assert.deepEqual(await session.ok("awful_choices", { kind: "a" }), { input: { kind: "a" } });
    assert.equal((await session.call("awful_references", { name: "x" })).errorCode, "INVALID_ARGS");
    assert.equal((await session.call("awful_references", { name: "y" })).isError, undefined);
  }, server.options(["--trust"], ["--no-prompt", "--allow-read=.", "--allow-write=plan"]));
});

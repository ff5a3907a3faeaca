import assert from "node:assert/strict";
import { specTypeSchemas } from "@modelcontextprotocol/server";
import { inputRequest, mutable, objectSchema } from "../../src/mcp/sdk_types.ts";

Deno.test("what is sent is the value itself, not a copy of it", () => {
  const icons = [{ src: "https://example.test/a.png", sizes: ["48x48"] }] as const;
  assert.equal(mutable(icons), icons);
  const schema = { type: "object", properties: { name: { type: "string" } } };
  assert.equal(objectSchema(schema), schema);
});

Deno.test("every request to a client is one of the specification: with parameters", () => {
  const roots = inputRequest({ method: "roots/list" });
  const form = inputRequest({
    method: "elicitation/create",
    params: { message: "Who?", requestedSchema: { type: "object", properties: {} } },
  });
  assert.deepEqual(roots, { method: "roots/list", params: {} });
  const { ListRootsRequest, ElicitRequest } = specTypeSchemas;
  assert.deepEqual(ListRootsRequest["~standard"].validate(roots), { value: roots });
  assert.deepEqual(ElicitRequest["~standard"].validate(form), { value: form });
});

/** Tests of arguments as models write them: lists, numbers and booleans as text, null, empty texts. */

import assert from "node:assert/strict";
import { errorOf } from "../support/calls.ts";
import { inProcess } from "../support/in_process.ts";
import { makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { defineSchema } from "../../src/plugin/schema.ts";

Deno.test("lists, objects, numbers and booleans may be JSON text, and null is left out", async () => {
  const cwd = makeProject(SMALL_PLAN);
  await inProcess(cwd, async ({ ok, call }) => {
    const made = async (input: Record<string, unknown>) => {
      const { id, path } = await ok("plan_create", { type: "work", ...input });
      return [id, readTree(cwd)[String(path)]] as const;
    };
    const [, two] = await made({ title: "Two", criteria: '["A","B"]', body: null });
    assert.match(two!, /- \[ \] A\n- \[ \] B\n/);
    const [, one] = await made({ title: "One", criteria: "A criterion" });
    assert.match(one!, /- \[ \] A criterion\n/);
    // What is a text stays a text.
    const [id, text] = await made({ title: "[x]", criteria: ['["A"]'] });
    assert.match(text!, /# \[x\]\n[^]*- \[ \] \["A"\]\n/);
    const update = { ids: `["${id}","WORK-001"]`, attrs: '{"priority":"high"}', preview: "true" };
    const updated = JSON.stringify(await ok("plan_update", update));
    for (const word of [String(id), "WORK-001", "priority"]) {
      assert.ok(updated.includes(word), updated);
    }
    for (const input of [{ count: "3", tag: null, milestone: "" }, { count: " 3 " }]) {
      assert.equal((await call("plan_next", input)).isError, undefined, JSON.stringify(input));
    }
    const listed = await ok("plan_list", { type: '["work","bug"]', status: "", text: null });
    assert.deepEqual(listed, await ok("plan_list", { type: ["work", "bug"] }));
    // A wrong value is still refused, and a required one is still required.
    const wrong = [["plan_next", { count: "three" }], ["plan_create", {
      type: "work",
      title: null,
    }]];
    for (const [name, input] of wrong as [string, Record<string, unknown>][]) {
      assert.equal((await call(name, input)).errorCode, "INVALID_ARGS");
    }
  });
});

Deno.test("an empty text removes an attribute, and is left out where it would be a filter", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-050.md":
      '{% work id="WORK-050" status="ready" assignee="ann" %}\n\n# Fifty\n\n{% /work %}\n',
  });
  await inProcess(cwd, async ({ ok }) => {
    await ok("plan_update", { id: "WORK-050", assignee: "" });
    assert.doesNotMatch(readTree(cwd)["plan/work/WORK-050.md"]!, /assignee/);
    const claimed = await ok("plan_claim", { assignee: "bob", tag: "", type: "", milestone: "" });
    assert.equal((claimed.items as unknown[]).length, 1);
  });
});

Deno.test("schemas of plugins are read in the same way", async () => {
  const schema = defineSchema({
    type: "object",
    properties: {
      paths: { type: "array", items: { type: "string" } },
      depth: { type: "integer" },
      deep: { type: "object", properties: { all: { type: "boolean" } } },
      kind: { type: "string", enum: ["a", "b"] },
      label: { type: "string" },
    },
    required: ["paths"],
  });
  const given = { paths: '["x"]', depth: "2", deep: '{"all":"True"}', kind: "a", label: "" };
  assert.deepEqual(await schema.parse(given), {
    paths: ["x"],
    depth: 2,
    deep: { all: true },
    kind: "a",
    label: "",
  });
  assert.equal((await errorOf(schema.parse({ paths: [], kind: "" }))).code, "INVALID_ARGS");
  assert.deepEqual(await schema.parse({ paths: "[x", label: "[1]" }), {
    paths: ["[x"],
    label: "[1]",
  });
});

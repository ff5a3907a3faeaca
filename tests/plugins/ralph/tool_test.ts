import assert from "node:assert/strict";
import { ralphPlugin } from "../../../plugins/ralph/plugin.ts";
import { defineSchema } from "../../../src/tools/schema.ts";
import { type Data, inLab } from "./support.ts";

Deno.test("every tool has annotations, schemas and a short description", () => {
  for (const command of ralphPlugin.commands) {
    const input = defineSchema(command.inputSchema!).json;
    assert.deepEqual([input["type"], input["additionalProperties"]], ["object", false]);
    const output = defineSchema(command.outputSchema!).json;
    const fields = Object.keys(output["properties"] as Data);
    for (const field of ["next", "warnings"]) assert.ok(fields.includes(field), command.name);
    assert.ok(fields.includes("todo") !== fields.includes("instructions"), command.name);
    assert.ok(command.title && command.description.length < 100);
    const reads = ["status", "help", "check"].includes(command.name);
    assert.equal(command.annotations!.readOnlyHint === true, reads, command.name);
    assert.equal(command.annotations!.destructiveHint === true, command.name === "cancel");
  }
});

Deno.test("every answer about a spec names it", () =>
  inLab(async ({ call }) => {
    await call("ralph_start", { name: "first", goal: "A" });
    await call("ralph_start", { name: "second", goal: "B" });
    for (const spec_name of ["first", "second"]) {
      const data = await call("ralph_research", { spec_name });
      assert.match(data["text"], new RegExp(`^Spec: ${spec_name}\n`));
      assert.equal(data["spec_name"], spec_name);
    }
  }));

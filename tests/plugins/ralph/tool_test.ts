import assert from "node:assert/strict";
import { inLab } from "./support.ts";

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

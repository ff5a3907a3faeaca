import assert from "node:assert/strict";
import { inLab, putSpec, stateOf } from "./support.ts";

Deno.test("concurrent calls each see what the previous one wrote", () =>
  inLab(async (lab) => {
    putSpec(lab, "auth", { phase: "execution" }, "- [ ] 1.1 A\n");
    const all = await Promise.all(
      Array.from({ length: 5 }, () => lab.call("ralph_implement", { max_iterations: 9 })),
    );
    assert.deepEqual(all.map((data) => data["task"].attempt).sort(), [1, 2, 3, 4, 5]);
    assert.equal(stateOf(lab, "auth")["revision"], 5);
  }));

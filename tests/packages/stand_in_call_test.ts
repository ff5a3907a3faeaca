import assert from "node:assert/strict";
import { appendOutput, currentCall, runAsCall } from "../../src/packages/stand_in_call.ts";

Deno.test("endless output is cut without an error", async () => {
  const { call: { stdout } } = await runAsCall("/project", () => {
    for (let index = 0; index < 3; index++) {
      appendOutput(currentCall()!, "stdout", "x".repeat(600_000));
    }
  });
  assert.equal(stdout.length, 1_000_000);
});

import assert from "node:assert/strict";
import { appendOutput, currentCall, runAsCall } from "../../src/stand_ins/call.ts";

Deno.test("a call that never ends is abandoned on abort", async () => {
  const controller = new AbortController();
  let later: (() => unknown) | undefined;
  const call = runAsCall("/project", () => {
    later = () => currentCall();
    return new Promise(() => {});
  }, { signal: controller.signal });
  await Promise.resolve();
  controller.abort(new Error("Enough"));
  await assert.rejects(call, /Enough/);
  assert.equal(later?.(), undefined);
});

Deno.test("endless output is cut without an error", async () => {
  const { call: { stdout } } = await runAsCall("/project", () => {
    for (let index = 0; index < 3; index++) {
      appendOutput(currentCall()!, "stdout", "x".repeat(600_000));
    }
  });
  assert.equal(stdout.length, 1_000_000);
});

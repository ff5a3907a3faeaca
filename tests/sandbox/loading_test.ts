import assert from "node:assert/strict";
import { runAsCall } from "../../src/sandbox/call.ts";
import { leaveOut, loading } from "../../src/sandbox/loading.ts";

Deno.test("what a Worker loads is told one module at a time, and a failure holds up no other", async () => {
  const told: (string | undefined)[] = [];
  const load = async (name: string) => {
    await Promise.resolve();
    if (name === "b") throw new TypeError("b");
    return name;
  };
  const { value } = await runAsCall(
    "/project",
    () => Promise.allSettled(["a", "b", "c"].map((name) => loading(name, () => load(name)))),
    { onLoading: (module) => told.push(module) },
  );
  assert.deepEqual(told, ["a", undefined, "b", undefined, "c", undefined]);
  assert.deepEqual(value?.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
});

Deno.test("a module that is left out is not loaded, and says why", async () => {
  leaveOut(["evil.mjs 1"]);
  const never = () => Promise.reject(new TypeError("loaded"));
  await assert.rejects(loading("evil.mjs 1", never), { code: "PLUGIN_LOAD_FAILED" });
  assert.equal(await loading("evil.mjs 2", () => Promise.resolve(2)), 2);
});

import assert from "node:assert/strict";
import { RealWorker } from "../../src/sandbox/originals.ts";
import { runAsCall } from "../../src/sandbox/call.ts";
import { enterSandbox } from "../../src/sandbox/mod.ts";
import { makeProject } from "../support/project.ts";

Deno.test("the real Worker is kept for the server while plugins get one that refuses", async () => {
  const root = makeProject();
  enterSandbox(root);
  assert.notEqual(globalThis.Worker, RealWorker);
  await assert.rejects(
    runAsCall(root, () => new Worker("data:text/javascript,", { type: "module" })),
    { code: "PERMISSION_DENIED" },
  );
  const worker = new RealWorker("data:text/javascript,postMessage(7)", { type: "module" });
  const said = await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));
  worker.terminate();
  assert.equal(said, 7);
});

import assert from "node:assert/strict";
import { anyWaits, importsAreHeld } from "../../src/io/imports.ts";
import { runProcess } from "../support/process.ts";
import { startRegistry } from "../support/registry.ts";
import { ROOT } from "../support/server.ts";

Deno.test("imports come through where nothing is downloaded, also beside a busy thread", async () => {
  const answer = importsAreHeld();
  const now = performance.now();
  while (performance.now() - now < 600);
  assert.equal(await answer, false);
});

Deno.test("one thread that waits is enough, and the others are not waited for", async () => {
  const [yes, no] = [Promise.resolve(true), Promise.resolve(false)];
  assert.equal(await anyWaits([new Promise(() => {}), yes]), true);
  assert.deepEqual([await anyWaits([no, no]), await anyWaits([])], [false, false]);
});

Deno.test("imports are held up as long as a package is downloaded", async () => {
  const sent = Promise.withResolvers<undefined>();
  const registry = await startRegistry([{ name: "slow" }], {
    intercept: (path) => path.endsWith(".tgz") ? sent.promise : undefined,
  });
  const program = `
    const { importsAreHeld } = await import("${ROOT}src/io/imports.ts");
    const name = "npm:@made-up/slow@1.0.0";
    void import(name);
    console.log(await importsAreHeld());
    Deno.exit();
  `;
  try {
    const args = ["eval", "--no-config", "--no-lock", program];
    const run = await runProcess(Deno.execPath(), args, ".", undefined, registry.env);
    assert.equal(run.stdout, "true\n", run.stderr);
  } finally {
    sent.resolve(undefined);
    await registry.stop();
  }
});

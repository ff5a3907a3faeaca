import assert from "node:assert/strict";
import { OLDEST_DENO, runtimeProblem, TESTED_DENO } from "../src/runtime.ts";
import { publishToRegistry } from "./support/jsr.ts";
import { oldDenos } from "./support/old_denos.ts";
import { runProcess } from "./support/process.ts";
import { makeProject } from "./support/project.ts";
import { ROOT } from "./support/server.ts";

Deno.test("an outdated Deno is reported with how to update, a newer one is not", () => {
  for (const version of ["1.46.3", "2.0.0", "2.8.99", "2.8.0-rc.1"]) {
    const problem = runtimeProblem(version);
    assert.match(problem!, /^@refrakt\/mcp needs Deno 2\.9 or newer, and this is Deno /);
    assert.ok(problem!.includes(version));
    assert.match(problem!, /deno upgrade.*npx -y deno@\d/);
  }
  for (const version of [OLDEST_DENO, TESTED_DENO, "2.9.0+abc", "2.10.0", "3.0.0"]) {
    assert.equal(runtimeProblem(version), undefined, version);
  }
});

Deno.test("real older Denos print the message, from a checkout and as published", async (t) => {
  await using registry = await publishToRegistry();
  const cwd = makeProject({
    "package.json": JSON.stringify({ dependencies: { "left-pad": "1.3.0" } }),
  });
  const programs = ["jsr:@refrakt/mcp", `${ROOT}mod.ts`];
  for (const [at, [version, deno]] of [...await oldDenos()].entries()) {
    await t.step(`Deno ${version}`, async () => {
      const flags = ["--no-config", "--no-prompt", "--quiet", "--allow-read=."];
      // A separate cache without modules of a newer Deno.
      const env = { DENO_DIR: makeProject(), NO_COLOR: "1", JSR_URL: registry.url };
      const args = ["run", ...flags, programs[at]!];
      const { code, stdout, stderr } = await runProcess(deno, args, cwd, undefined, env);
      assert.deepEqual([code, stdout], [1, ""], stderr);
      assert.equal(stderr, `Error: ${runtimeProblem(version)}\n`);
    });
  }
});

Deno.test("the README names the Deno that the tests run on", () => {
  const run = Deno.readTextFileSync(`${ROOT}README.md`).match(/npx -y deno@([\d.]+\d)/g);
  assert.ok(run !== null && run.every((text) => text.endsWith(TESTED_DENO)), String(run));
});

import assert from "node:assert/strict";
import { OLDEST_DENO, runtimeProblem, TESTED_DENO } from "../src/runtime.ts";
import { oldDenos } from "./support/old_denos.ts";
import { makeProject } from "./support/project.ts";
import { ROOT } from "./support/server.ts";

Deno.test("a Deno that is too old is named with how to update, and a newer one is not", () => {
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

Deno.test("the sentence comes on real older Denos, with nothing downloaded, from both programs", async (t) => {
  const cwd = makeProject({
    "package.json": JSON.stringify({ dependencies: { "left-pad": "1.3.0" } }),
  });
  for (const [version, program] of await oldDenos()) {
    for (const entry of ["mod.ts", "plugins/ralph/mod.ts"]) {
      await t.step(`Deno ${version}, ${entry}`, async () => {
        const denoDir = Deno.makeTempDirSync({ prefix: "refrakt-deno-" });
        const { code, stdout, stderr } = await new Deno.Command(program, {
          args: ["run", "--cached-only", "--no-prompt", "--allow-read=.", ROOT + entry],
          cwd,
          env: { DENO_DIR: denoDir, NO_COLOR: "1" },
        }).output();
        const text = new TextDecoder().decode(stderr);
        assert.deepEqual([code, stdout.length], [1, 0], text);
        assert.equal(text, `Error: ${runtimeProblem(version)}\n`);
        Deno.removeSync(denoDir, { recursive: true });
      });
    }
  }
});

Deno.test("the README names the Deno that the tests run on", () => {
  const run = Deno.readTextFileSync(`${ROOT}README.md`).match(/npx -y deno@([\d.]+\d)/g);
  assert.ok(run !== null && run.every((text) => text.endsWith(TESTED_DENO)), String(run));
});

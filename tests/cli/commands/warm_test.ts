import assert from "node:assert/strict";
import { copyExample, READ_ONLY, refrakt } from "../../support/run.ts";
import { runProcess } from "../../support/process.ts";
import { makeProject } from "../../support/project.ts";
import { childEnvironment, programOf, withServer } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

Deno.test("after warm, plan and site calls need no network", async () => {
  const cwd = copyExample("site-and-plan");
  const denoDir = temporaryFolder();
  const command = ["run", "--quiet", ...READ_ONLY, programOf(), "warm"];
  const warmed = await runProcess(Deno.execPath(), command, cwd, undefined, { DENO_DIR: denoDir });
  assert.equal(warmed.code, 0, warmed.stdout + warmed.stderr);
  assert.match(warmed.stderr, /^Loading the protocol\nLoading the plugins\n/);
  assert.match(warmed.stdout, /refrakt_inspect of main +ready/);
  await withServer(cwd, async ({ ok }) => {
    for (const name of ["plan_next", "plan_validate", "refrakt_contracts"]) await ok(name);
    for (const name of ["inspect", "inspect_audit", "reference"]) {
      await ok(`refrakt_${name}`, { rune: "hint" });
    }
  }, {
    grants: ["--cached-only", ...READ_ONLY],
    env: { ...childEnvironment(), DENO_DIR: denoDir },
  });
});

Deno.test("warm reports a package that cannot be downloaded, and exits with 1", async () => {
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ plugins: ["@refrakt-md/no-such-plugin"] }),
  });
  const { code, stdout } = await refrakt(cwd, ["warm", "--json"]);
  assert.equal(code, 1);
  const { ready, steps } = JSON.parse(stdout);
  assert.equal(ready, false);
  assert.match(JSON.stringify(steps), /"error":"[^"]*no-such-plugin/);
});

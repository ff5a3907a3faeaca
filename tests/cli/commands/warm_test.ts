import assert from "node:assert/strict";
import { copyExample, READ_ONLY, refrakt } from "../../support/run.ts";
import { runProcess } from "../../support/process.ts";
import { makeProject } from "../../support/project.ts";
import { ROOT } from "../../support/server.ts";
import { temporaryFolder } from "../../support/temporary.ts";

Deno.test("after warm, plan and site calls need no network", async () => {
  const cwd = copyExample("site-and-plan");
  const denoDir = temporaryFolder();
  const run = (flags: readonly string[], ...args: string[]) => {
    const command = ["run", ...flags, ...READ_ONLY, `${ROOT}mod.ts`, ...args];
    return runProcess(Deno.execPath(), command, cwd, undefined, { DENO_DIR: denoDir });
  };
  const warmed = await run(["--quiet"], "warm");
  assert.equal(warmed.code, 0, warmed.stdout + warmed.stderr);
  assert.match(warmed.stderr, /^Loading the protocol\nLoading the plugins\n/);
  assert.match(warmed.stdout, /refrakt\.inspect of main +ready/);
  const calls = [
    ["plan.next", "{}"],
    ["plan.validate", "{}"],
    ["refrakt.inspect", '{"rune":"hint"}'],
    ["refrakt.inspect_audit", '{"rune":"hint"}'],
    ["refrakt.reference", '{"rune":"hint"}'],
    ["refrakt.contracts", "{}"],
  ];
  for (const call of calls) {
    const { code, stderr } = await run(["--cached-only"], "call", ...call);
    assert.equal(code, 0, `${call}: ${stderr}`);
  }
});

Deno.test("warm reports a package that cannot be downloaded, and exits with 1", async () => {
  const cwd = makeProject({
    "refrakt.config.json": JSON.stringify({ plugins: ["@refrakt-md/no-such-plugin"] }),
  });
  const { code, stdout } = await refrakt(cwd, ["warm", "--json"]);
  assert.equal(code, 1);
  const { ready, steps } = JSON.parse(stdout) as {
    ready: boolean;
    steps: { name: string; error?: string }[];
  };
  assert.equal(ready, false);
  assert.match(steps.find(({ error }) => error !== undefined)!.error!, /no-such-plugin/);
});

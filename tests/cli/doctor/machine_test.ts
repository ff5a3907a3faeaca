import assert from "node:assert/strict";
import type { Finding } from "../../../src/cli/doctor/finding.ts";
import { commitAll } from "../../support/project.ts";
import { copyExample } from "../../support/run.ts";
import { serverArgs, type StartOptions } from "../../support/server.ts";

/** The findings about git and the grants, of a process with these grants and this PATH. */
async function findings(cwd: string, options: StartOptions, env: Record<string, string> = {}) {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: serverArgs({ ...options, args: ["doctor", "--json"] }),
    cwd,
    env,
  }).output();
  const all = JSON.parse(new TextDecoder().decode(stdout)).findings as Finding[];
  return {
    code,
    git: all.filter((f) => f.topic === "git"),
    grants: all.filter((f) => f.topic === "grant"),
  };
}

Deno.test("git that is not on the PATH is the cause, with and without the flag", async () => {
  const cwd = copyExample("plan");
  const read = ["--no-prompt", "--allow-read=."];
  for (const grants of [read, [...read, "--allow-run=git"]]) {
    const found = await findings(cwd, { grants }, { PATH: "/nowhere" });
    assert.equal(found.code, 1);
    assert.equal(found.git[0]!.status, "problem");
    assert.match(found.git[0]!.message, /not on the PATH/);
    assert.ok(!found.grants.some(({ message }) => message.includes("--allow-run")));
  }
});

Deno.test("git that is there and not granted is the missing flag, which stops nothing", async () => {
  const cwd = copyExample("plan");
  const found = await findings(cwd, {
    grants: ["--no-prompt", "--allow-read=.", "--allow-write=plan"],
  });
  assert.equal(found.code, 0);
  assert.deepEqual(found.git, []);
  assert.match(found.grants.at(-1)!.message, /--allow-run=git is missing: no history/);
});

Deno.test("a site alone needs no git", async () => {
  const found = await findings(copyExample("site"), {}, { PATH: "/nowhere" });
  assert.equal(found.git[0]!.status, "warning");
});

Deno.test("git says whether there is a repository", async () => {
  const cwd = copyExample("plan");
  assert.match((await findings(cwd, {})).git[0]!.message, /not a repository/);
  commitAll(cwd, "Start");
  const [git] = (await findings(cwd, {})).git;
  assert.deepEqual([git!.status, /^git version/.test(git!.message)], ["ok", true]);
});

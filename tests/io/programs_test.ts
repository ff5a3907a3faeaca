import assert from "node:assert/strict";
import { join } from "node:path";
import { runProcess } from "../support/process.ts";
import { makeProject } from "../support/project.ts";
import { temporaryFile } from "../support/temporary.ts";

const GIT = new URL("../../src/io/git.ts", import.meta.url).href;

Deno.test("no program is found on an empty PATH, and none in the project", async () => {
  const cwd = makeProject();
  for (const name of ["git", "git.exe", "git.cmd"]) {
    Deno.copyFileSync(Deno.execPath(), join(cwd, name));
  }
  const source = `import { isOnPath } from ${JSON.stringify(GIT)};
    console.log(["git", "deno", "no-such-program-here"].map((name) => isOnPath(name)).join());`;
  const file = temporaryFile("main.ts", source);
  const args = ["run", "--no-prompt", "--no-check", "--quiet", "--allow-run=git", file];
  const { stdout } = await runProcess(Deno.execPath(), args, cwd, undefined, { PATH: "/nowhere" });
  assert.equal(stdout, "false,false,false\n");
});

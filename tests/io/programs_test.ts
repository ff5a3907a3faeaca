import assert from "node:assert/strict";
import { join } from "node:path";
import { makeProject } from "../support/project.ts";
import { temporaryFile } from "../support/temporary.ts";

const GIT = new URL("../../src/io/git.ts", import.meta.url).href;

function ask(
  grants: readonly string[],
  env: Record<string, string>,
  cwd = Deno.cwd(),
): Record<string, boolean> {
  const source = `import { isOnPath } from ${JSON.stringify(GIT)};
    const programs = ["git", "deno", "no-such-program-here"];
    console.log(JSON.stringify(Object.fromEntries(programs.map((name) => [name, isOnPath(name)]))));`;
  const file = temporaryFile("main.ts", source);
  const { stdout } = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", "--quiet", ...grants, file],
    env,
    cwd,
  }).outputSync();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("no program is found on an empty PATH, and none in the project", () => {
  const cwd = makeProject();
  for (const name of ["git", "git.exe", "git.cmd"]) {
    Deno.copyFileSync(Deno.execPath(), join(cwd, name));
  }
  assert.deepEqual(
    ask(["--allow-run=git"], { PATH: "/nowhere" }, cwd),
    { git: false, deno: false, "no-such-program-here": false },
  );
});

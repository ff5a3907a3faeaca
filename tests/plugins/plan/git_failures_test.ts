import assert from "node:assert/strict";
import { gitError } from "../../../plugins/plan/git_failures.ts";
import { runGit } from "../../../src/io/git.ts";
import { makeProject } from "../../support/project.ts";

Deno.test("a failure of git is told by what it means, any other by git's first line or its exit code", async () => {
  const cwd = makeProject();
  const { message, hint } = gitError(await runGit(["log"], { cwd }), cwd);
  assert.equal(message, "The project is not in a git repository");
  assert.match(hint!, /git init/);
  assert.equal(
    gitError({ code: 128, stderr: "fatal: odd\nmore\n" }, cwd).message,
    "Git failed: fatal: odd",
  );
  assert.equal(gitError({ code: 9, stderr: "\n" }, cwd).message, "Git failed: exit code 9");
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { runGit } from "../../src/io/git.ts";
import { runGitSync } from "../../src/io/git_sync.ts";
import { commitAll, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

/** Its Worker is kept for a moment after the last call. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));

Deno.test("runGitSync() answers as runGit() does, also with errors and with much", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, "large.md": "some text\n".repeat(200_000) });
  commitAll(cwd, "one");
  for (const args of [["log", "--format=%s"], ["show", "HEAD:large.md"], ["show", "HEAD:none"]]) {
    assert.deepEqual(runGitSync(args, { cwd }), await runGit(args, { cwd }), args.join(" "));
  }
  for (const args of [["config", "-l"], ["log", "--output=stolen"]]) {
    assert.throws(() => runGitSync(args, { cwd }), { code: "PERMISSION_DENIED" });
  }
  assert.throws(() => runGitSync(["log"], { cwd: join(cwd, "gone") }), { code: "TOOL_FAILED" });
  await settled();
});

Deno.test("runGitSync() takes no more of git's output than its limit", async () => {
  const cwd = makeProject({ "large.md": "x".repeat(17_000_000) });
  commitAll(cwd, "one");
  assert.throws(() => runGitSync(["show", "HEAD:large.md"], { cwd }), {
    code: "TOOL_FAILED",
    message: /^Git printed more than 16777216 bytes$/,
  });
  await settled();
});

testUnless(
  NOT_UNIX,
  "runGitSync() ends git that waits for something, and works again",
  async () => {
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const fifo = (path: string) => new Deno.Command("mkfifo", { args: [path] }).outputSync();
    fifo(join(cwd, ".mailmap"));
    fifo(join(cwd, "config"));
    const late = { code: "TIMEOUT", message: "Git took longer than 0.3 seconds" };
    assert.throws(() => runGitSync(["log", "--format=%aN"], { cwd, timeoutMs: 300 }), late);
    git(cwd, "config", "include.path", join(cwd, "config"));
    for (const args of [["rev-parse", "HEAD"], ["ls-files"]]) {
      assert.throws(() => runGitSync(args, { cwd, timeoutMs: 300 }), late, args[0]);
    }
    assert.equal(runGitSync(["version"], { cwd }).code, 0);
    await settled();
  },
);

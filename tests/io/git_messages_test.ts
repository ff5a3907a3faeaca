import assert from "node:assert/strict";
import { join } from "node:path";
import { runGit } from "../../src/io/git.ts";
import { GIT_TROUBLE, gitTrouble } from "../../src/io/git_ask.ts";
import { runProcess } from "../support/process.ts";
import { commitAll, git, makeProject } from "../support/project.ts";
import { NOT_UNIX } from "../support/skip.ts";

const said = async (cwd: string, [program, ...args]: [string, ...string[]], env = {}) =>
  (await runProcess(program, args, cwd, undefined, { LC_ALL: "C", ...env })).stderr;

Deno.test("the installed git prints exactly the messages of the table", async () => {
  const stderr = async (cwd: string, ...args: string[]) => (await runGit(args, { cwd })).stderr;
  const outside = makeProject();
  const empty = makeProject();
  git(empty, "init", "-q");
  const source = makeProject({ "plan/a.md": "1" });
  commitAll(source, "first");
  const blob = git(source, "rev-parse", "HEAD:plan/a.md").trim();
  git(source, "config", "uploadpack.allowFilter", "true");
  const partial = makeProject();
  git(partial, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${source}`, "clone");
  const OTHER = { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };

  const sentences: Record<keyof typeof GIT_TROUBLE, string[]> = {
    noRepository: [await stderr(outside, "log")],
    noCommits: [await stderr(empty, "log"), await stderr(empty, "rev-parse", "HEAD")],
    otherOwner: [await said(empty, ["git", "rev-parse", "--is-inside-work-tree"], OTHER)],
    notFetched: [await stderr(join(partial, "clone"), "cat-file", "blob", blob)],
    tooLarge: [await said(source, ["git", "log"], { GIT_ALLOC_LIMIT: "100" })],
    folderGone: [
      // Windows keeps a folder in which a program runs.
      ...NOT_UNIX === undefined
        ? [await said(outside, ["sh", "-c", "mkdir x && cd x && rmdir ../x && git log"])]
        : [],
      await said(outside, ["git", "-C", "x", "log"]),
    ],
  };
  assert.deepEqual(Object.keys(sentences), Object.keys(GIT_TROUBLE));
  for (const [trouble, texts] of Object.entries(sentences)) {
    for (const text of texts) assert.equal(gitTrouble(text), trouble, text);
  }
  assert.equal(gitTrouble(await stderr(source, "log", "no-such-revision", "--")), undefined);
});

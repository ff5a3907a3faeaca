import assert from "node:assert/strict";
import { join } from "node:path";
import { splitCommand } from "../../src/sandbox/child_process.ts";
import { runGit, runGitSync } from "../../src/sandbox/git.ts";
import { commitAll, exists, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { withServer } from "../support/server.ts";
import { hostileRepository } from "../support/hostile.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

Deno.test("runGit() runs the allowed sub-commands, and nothing else", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  assert.equal(decode((await runGit(["log", "--format=%s"], { cwd })).stdout), "one");
  for (const command of ["config", "clone", "fetch", "gc", "commit", "grep", "-c", "--exec-path"]) {
    await assert.rejects(runGit([command], { cwd }), { code: "PERMISSION_DENIED" });
  }
});

Deno.test("runGit() refuses options that start programs, write files or leave the repository", () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  for (
    const args of [
      ["log", "--output=stolen"],
      ["log", "-p", "--ext-diff"],
      ["log", "-p", "--textconv"],
      ["log", "--remerge-diff"],
      ["log", "--show-signature"],
      ["show", "--outp=stolen"],
      ["cat-file", "--textconv", "HEAD:plan"],
      ["cat-file", "--textc", "HEAD:plan"],
      ["cat-file", "--filters", "HEAD:plan"],
      ["rev-parse", "--git-dir=/elsewhere"],
      ["log", "--format=\0"],
    ]
  ) {
    assert.throws(() => runGitSync(args, { cwd }), { code: "PERMISSION_DENIED" }, args.join(" "));
  }
  assert.ok(!exists(join(cwd, "stolen")));
  // What comes after "--" is a path, whatever it looks like.
  assert.equal(runGitSync(["log", "--", "--output=stolen"], { cwd }).code, 0);
  assert.ok(!exists(join(cwd, "stolen")));
});

Deno.test("runGit() ends with its signal, and stops at its limit", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  const signal = AbortSignal.abort();
  await assert.rejects(runGit(["log"], { cwd, signal }));
  await assert.rejects(runGit(["log", "-p"], { cwd, limit: 100 }), { code: "TOOL_FAILED" });
});

Deno.test("runGit() moves files only where the process may write", async () => {
  const cwd = makeProject({ ...SMALL_PLAN, "README.md": "x\n" });
  commitAll(cwd, "one");
  const script = `
    import { runGitSync } from ${
    JSON.stringify(new URL("../../src/sandbox/git.ts", import.meta.url))
  };
    const attempt = (...args) => {
      try {
        return runGitSync(["mv", ...args], { cwd: Deno.cwd() }).code;
      } catch (error) {
        return error.code;
      }
    };
    console.log(JSON.stringify([
      attempt("plan/work/WORK-001-first.md", "plan/work/moved.md"),
      attempt("README.md", "plan/README.md"),
      attempt("plan/work/moved.md", "moved.md"),
    ]));`;
  const file = join(cwd, "script.ts");
  await Deno.writeTextFile(file, script);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      "--no-prompt",
      "--allow-read",
      "--allow-write=plan",
      "--allow-run=git",
      file,
    ],
    cwd,
  }).output();
  assert.deepEqual(JSON.parse(decode(stdout)), [0, "PERMISSION_DENIED", "PERMISSION_DENIED"]);
  assert.ok(exists(join(cwd, "plan/work/moved.md")) && exists(join(cwd, "README.md")));
});

Deno.test("splitCommand() splits words as a shell does, and refuses what only a shell can do", () => {
  assert.deepEqual(splitCommand(`git log --format="%H %aI" -- 'a b.md'`), [
    "git",
    "log",
    "--format=%H %aI",
    "--",
    "a b.md",
  ]);
  assert.deepEqual(splitCommand(`git show "abc:plan/x.md" ""`), [
    "git",
    "show",
    "abc:plan/x.md",
    "",
  ]);
  for (
    const command of [
      'git log --since="x"; touch pwned',
      "git log $(touch pwned)",
      "git log `touch pwned`",
      'git log "$(touch pwned)"',
      'git log "`touch pwned`"',
      "git log | sh",
      "git log > file",
      "git log < file",
      "git log & touch pwned",
      "git log\ntouch pwned",
      "git log 'unfinished",
      "git log *",
      "git log \\; x",
    ]
  ) {
    assert.throws(() => splitCommand(command), { code: "PERMISSION_DENIED" }, command);
  }
});

Deno.test("nothing that a repository configures runs, whatever the server is asked", async () => {
  const { cwd, marks } = hostileRepository();
  await withServer(cwd, async ({ ok, call, read }) => {
    const history = await ok("plan.history", { id: "WORK-001" });
    assert.deepEqual(history.events.map((event: { kind: string }) => event.kind), [
      "attributes",
      "created",
    ]);
    assert.ok((await ok("plan.history", { all: true })).total >= 7);
    await ok("plan.history", { since: "1y", author: "a", status: "done", type: "work,bug" });
    for (const name of ["status", "next", "validate"]) await ok(`plan.${name}`);
    await read("refrakt://plan/index");
    await read("refrakt://plan/status");
    await ok("plan.update", { id: "WORK-002", status: "ready" });
    const moved = await ok("plan.migrate", { subcommand: "filenames", apply: true, useGit: true });
    assert.equal(moved.applied.length, 1, JSON.stringify(moved));
    await call("plan.history", { since: '"; touch marks/shell; echo "' });
    await call("plan.history", { id: "$(touch marks/shell)" });
  });
  assert.deepEqual(marks(), []);
  assert.ok(exists(join(cwd, "plan/milestones/first-release.md")));
});

Deno.test("the hostile repository of these tests is hostile indeed", () => {
  const { cwd, marks } = hostileRepository();
  for (const args of [["status"], ["diff"], ["log", "-p", "-2"]]) {
    try {
      git(cwd, ...args);
    } catch {
      // Some of the programs make git fail; they ran all the same.
    }
  }
  assert.ok(marks().length > 2, marks().join());
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { splitCommand } from "../../src/sandbox/child_process.ts";
import { runGit } from "../../src/io/git.ts";
import { runGitSync } from "../../src/io/git_sync.ts";
import { commitAll, exists, git, makeProject, readTree, SMALL_PLAN } from "../support/project.ts";
import { withServer } from "../support/server.ts";
import { hostileRepository } from "../support/hostile.ts";
import { NOT_LINUX, NOT_ROOT, NOT_UNIX, testUnless } from "../support/skip.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

Deno.test("runGit() runs the allowed sub-commands, and nothing else", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  assert.equal(decode((await runGit(["log", "--format=%s"], { cwd })).stdout), "one");
  for (const command of ["config", "clone", "fetch", "gc", "commit", "grep", "-c", "--exec-path"]) {
    await assert.rejects(runGit([command], { cwd }), { code: "PERMISSION_DENIED" });
  }
});

Deno.test("runGit() refuses options that start programs, write files or leave the repository", async () => {
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
      ["log", "--format=%H %GG"],
      ["log", "--diff-merges=remerge", "-p"],
      ["log", "--submodule=diff", "-p"],
      ["log", "--alternate-refs"],
      ["log", "--alternate-ref"],
      ["log", "--use-mailmap"],
      ["log", "-O/etc/passwd"],
      ["log", "-L:main:plan"],
      ["log", "--exec"],
      ["ls-files", "--exclude-from=/etc/passwd"],
      ["ls-files", "-X", "/etc/passwd"],
      ["mv", "-f", "plan", "other"],
      ["remote", "update"],
      ["remote"],
    ]
  ) {
    await assert.rejects(runGit(args, { cwd }), { code: "PERMISSION_DENIED" }, args.join(" "));
  }
  assert.ok(!exists(join(cwd, "stolen")));
  // What comes after "--" is a path, whatever it looks like.
  assert.equal((await runGit(["log", "--", "--output=stolen"], { cwd })).code, 0);
  assert.ok(!exists(join(cwd, "stolen")));
});

Deno.test("runGit() gives git no variable of the process", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  Deno.env.set("GIT_DIR", "/nowhere");
  try {
    for (const run of [runGit, runGitSync]) assert.equal((await run(["log"], { cwd })).code, 0);
  } finally {
    Deno.env.delete("GIT_DIR");
  }
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
    JSON.stringify(new URL("../../src/io/git_sync.ts", import.meta.url))
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
      attempt("--", "plan/work/moved.md", "-evil.md"),
      attempt("--", "plan/work/moved.md", "plan/-fine.md"),
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
  assert.deepEqual(JSON.parse(decode(stdout)), [
    0,
    "PERMISSION_DENIED",
    "PERMISSION_DENIED",
    "PERMISSION_DENIED",
    0,
  ]);
  assert.ok(exists(join(cwd, "plan/-fine.md")) && exists(join(cwd, "README.md")));
});

Deno.test("runGit() looks at and moves the files of the project, wherever the repository says they lie", async () => {
  const outside = makeProject({ ...SMALL_PLAN, "inner/a.md": "outside", "plan/secret.md": "x" });
  const cwd = makeProject({ ...SMALL_PLAN, "inner/a.md": "inside" });
  commitAll(cwd, "one");
  git(cwd, "config", "core.worktree", outside);
  const before = readTree(outside);
  const others = await runGit(["ls-files", "--others"], { cwd });
  assert.equal(decode(others.stdout), "");
  const args = ["mv", "--", "plan/work/WORK-001-first.md", "plan/work/moved.md"];
  assert.equal((await runGit(args, { cwd })).code, 0);
  assert.ok(exists(join(cwd, "plan/work/moved.md")));
  // Where the repository's folder may not be read, it is git that knows where the files lie.
  const honest = makeProject({ "inner/a.md": "x", "plan/b.md": "x" });
  commitAll(honest, "one");
  const script = `
    import { runGit } from ${JSON.stringify(new URL("../../src/io/git.ts", import.meta.url))};
    import { runGitSync } from ${
    JSON.stringify(new URL("../../src/io/git_sync.ts", import.meta.url))
  };
    const codes = [];
    for (const cwd of ${JSON.stringify([join(cwd, "inner"), join(honest, "inner")])}) {
      for (const args of [["mv", "--", "a.md", "b.md"], ["ls-files", "--others"]]) {
        for (const run of [runGit, runGitSync]) {
          try { codes.push((await run(args, { cwd })).code); }
          catch (error) { codes.push(error.code); }
        }
      }
    }
    console.log(JSON.stringify(codes));`;
  const inner = [join(cwd, "inner"), join(honest, "inner")].join();
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-lock", `--allow-read=${inner}`, `--allow-write=${inner}`, "--allow-run=git"]
      .concat(`data:text/typescript,${encodeURIComponent(script)}`),
    cwd,
  }).output();
  const refused = "PERMISSION_DENIED";
  assert.deepEqual(JSON.parse(decode(stdout) || decode(stderr)), [
    ...[refused, refused, refused, refused],
    // The second of two moves finds nothing to move.
    ...[0, 128, 0, 0],
  ]);
  assert.deepEqual(readTree(outside), before);
});

testUnless(NOT_LINUX, "git that waits for something ends with the process", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  new Deno.Command("mkfifo", { args: [join(cwd, ".mailmap")] }).outputSync();
  const script = `
    import { runGit } from ${JSON.stringify(new URL("../../src/io/git.ts", import.meta.url))};
    void runGit(["log", "--format=%aN"], { cwd: Deno.cwd() });
    setTimeout(() => Deno.exit(0), 300);`;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", `data:text/typescript,${encodeURIComponent(script)}`],
    cwd,
  }).output();
  assert.equal(code, 0);
  await until(() => worksIn(cwd) === 0);
});

testUnless(
  NOT_LINUX,
  "runGit() runs so many at a time, and the others when it is their turn",
  async () => {
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    new Deno.Command("mkfifo", { args: [join(cwd, ".mailmap")] }).outputSync();
    const controller = new AbortController();
    const { signal } = controller;
    const running = Array.from(
      { length: 7 },
      () => runGit(["log", "--format=%aN"], { cwd, signal }).catch(() => {}),
    );
    await until(() => worksIn(cwd) >= 4);
    assert.equal(worksIn(cwd), 4);
    controller.abort();
    await Promise.all(running);
  },
);

/** How many processes have this working directory. */
function worksIn(cwd: string): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/${name}/cwd`) === cwd;
    } catch {
      // No process, or it has just ended.
      return false;
    }
  }).length;
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isDone(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(isDone());
}

Deno.test("runGit() understands a repository whose settings name the home directory", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  git(cwd, "config", "core.excludesFile", "~/ignored");
  const { code, stderr } = await runGit(["ls-files", "--others", "--exclude-standard"], { cwd });
  assert.equal(code, 0, stderr);
});

testUnless(
  NOT_UNIX,
  "runGit() reads no file that the settings name, and waits for none",
  async () => {
    const outside = makeProject({ "map": "Secret <secret@example.com> Ada <ada@example.com>\n" });
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const name = async () => {
      const args = ["log", "--format=%aN <%aE>"];
      return decode((await runGit(args, { cwd, timeoutMs: 20_000 })).stdout);
    };
    git(cwd, "config", "mailmap.file", join(outside, "map"));
    assert.equal(await name(), "Ada <ada@example.com>");
    new Deno.Command("mkfifo", { args: [join(outside, "fifo")] }).outputSync();
    git(cwd, "config", "mailmap.file", join(outside, "fifo"));
    assert.equal(await name(), "Ada <ada@example.com>");
    // The map in the working tree cannot be turned off; waiting for it has an end.
    new Deno.Command("mkfifo", { args: [join(cwd, ".mailmap")] }).outputSync();
    const waiting = runGit(["log", "--format=%aN"], { cwd, timeoutMs: 300 });
    await assert.rejects(waiting, { code: "TIMEOUT", message: /longer than 0.3 seconds/ });
  },
);

testUnless(
  NOT_ROOT,
  "runGit() reads the project's repository whoever owns it, and keeps git's guard for others",
  async () => {
    const cwd = makeProject({ ...SMALL_PLAN, "sub/a.md": "a" });
    commitAll(cwd, "one");
    new Deno.Command("chown", { args: ["-R", "65534", cwd] }).outputSync();
    assert.equal((await runGit(["log"], { cwd })).code, 0);
    // A folder of it is a project too; an unreadable place around it would not count.
    assert.equal((await runGit(["log"], { cwd: join(cwd, "sub") })).code, 0);
    const stranger = makeProject();
    git(stranger, "init", "-q", "--bare", "bare.git");
    new Deno.Command("chown", { args: ["-R", "65534", stranger] }).outputSync();
    const bare = await runGit(["log"], { cwd: join(stranger, "bare.git") });
    assert.match(bare.stderr, /safe\.bareRepository|dubious ownership|bare repository/);
  },
);

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

Deno.test("nothing that a repository configures runs, whatever git is asked", async () => {
  const { cwd, marks } = hostileRepository();
  const missing = "1".repeat(40);
  for (
    const args of [
      ["log", "--all", "-p", "-m"],
      ["log", "--all", "-p", "--cc", "--stat"],
      ["log", "--all", "-p", "--diff-merges=on"],
      ["log", "--all", "--format", "%H %GG %G?"],
      ["log", "--all", "--pretty=fuller", "--decorate=full"],
      ["log", "--follow", "-Sx", "--", "plan/work/WORK-001-first.md"],
      ["show", "side"],
      ["show", `${missing}:plan`],
      ["cat-file", "-p", missing],
      ["cat-file", "--batch-all-objects", "--batch-check"],
      ["ls-files", "-m"],
      ["ls-files", "-o", "--exclude-standard"],
      ["mv", "-n", "plan/bugs/crash.md", "plan/bugs/moved.md"],
      ["mv", "plan/bugs/crash.md", "plan/bugs/moved.md"],
      ["merge-base", "HEAD", "side"],
      ["remote", "get-url", "origin"],
    ]
  ) {
    await runGit(args, { cwd });
    assert.deepEqual(marks(), [], args.join(" "));
  }
  for (const args of [["log", "-p", "-m", "side"], ["ls-files", "-m"]]) runGitSync(args, { cwd });
  assert.deepEqual(marks(), []);
});

Deno.test("the hostile repository of these tests is hostile indeed", () => {
  const { cwd, marks } = hostileRepository();
  const commands = [["status"], ["diff"], ["log", "-p", "-m", "side"], ["log", "-p", "-2"]];
  const more = [["cat-file", "-p", "1".repeat(40)], ["mv", "plan/bugs/crash.md", "plan/bugs/x.md"]];
  for (const args of [...commands, ["log", "--format=%GG", "side"], ...more]) {
    try {
      git(cwd, ...args);
    } catch {
      // Some of the programs make git fail; they ran all the same.
    }
  }
  const ran = new Set(marks());
  const expected = ["hook-post-index-change", "fsmonitor", "clean", "included", "merge", "gpg"];
  for (const program of [...expected, "remote"]) {
    assert.ok(ran.has(program), `${program} of ${[...ran].join()}`);
  }
});

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { runGit } from "../../src/io/git.ts";
import { hostileRepository } from "../support/hostile.ts";
import { commitAll, exists, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

testUnless(NOT_UNIX, "git is not asked where its own files lead out of the project", async () => {
  const secret = join(makeProject({ "secret": "SECRET LINE\n" }), "secret");
  const all = "HEAD config objects/info/alternates refs/heads/x";
  const [conditional, hard] = ["a conditional include", "a hard link"];
  for (const name of [...all.split(" "), "refs", conditional, hard]) {
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const path = join(cwd, ".git", name);
    if (name === conditional) git(cwd, "config", "includeIf.gitdir:/.path", secret);
    else if (name === hard) Deno.linkSync(secret, join(cwd, ".git/shallow"));
    else {
      if (exists(path)) Deno.removeSync(path, { recursive: true });
      Deno.symlinkSync(name.includes("/") || /[A-Zks]/.test(name) ? secret : dirname(secret), path);
    }
    // Git reads these, and quotes them in an error.
    const said = [conditional, hard].includes(name)
      ? /^Git could not read/
      : /is a link out of the repository/;
    await inProcess(cwd, async ({ call, ok }) => {
      const answer = await call("plan.history");
      assert.equal(answer.errorCode, "TOOL_FAILED", name);
      assert.match(answer.content[0].text, said, name);
      assert.ok((await ok("plan.next")).items.length > 0);
      const text = JSON.stringify([answer, await call("plan.list", { branches: true })]);
      assert.ok(!text.includes("SECRET"), text);
    });
  }
});

testUnless(NOT_UNIX, "git is not started where it would wait for a file", async () => {
  const outside = join(makeProject(), "pipe");
  const put = (path: string, text: string) => (cwd: string) =>
    Deno.writeTextFileSync(join(cwd, path), text, { append: true, create: true });
  const config = (text: string) => put(".git/config", text);
  const link = (to: string) => (cwd: string) => Deno.symlinkSync(to, join(cwd, "link"));
  const moved = (text: string, ...names: string[]) => (cwd: string) => {
    for (const name of names) Deno.renameSync(join(cwd, ".git", name), join(cwd, "g", name));
    if (names.length > 2) Deno.removeSync(join(cwd, ".git"), { recursive: true });
    put(names.length > 2 ? ".git" : ".git/commondir", text)(cwd);
  };
  const alternates = put(".git/objects/info/alternates", "# x\n../../g\n");
  const cases: readonly (readonly [name: string, pipe: string, ...((cwd: string) => void)[]])[] = [
    ["in the project", "own", config('[Include] path = "../own" ; x\n')],
    ["quoted in parts", "own", config('[include]\n path = "../o"w"n" # x\n')],
    ["after a comment that ends in a backslash", "own", config("# \\\n[include]\npath = ../own")],
    ["after a config of 5 MB", "own", config(`#${"x".repeat(5e6)}\n[include]\npath = ../own`)],
    [
      "in an included file",
      "own",
      config('[includeIf "gitdir:/"]\n\tpath = more\n'),
      put(".git/more", "[include]\n# x\nPATH = ..\\\n/own\n"),
    ],
    ["in a worktree's config", "own", put(".git/config.worktree", "[include]\npath = ../own\n")],
    ["outside, by a link", outside, link(dirname(outside)), config("[include]\npath=../link/pipe")],
    ["above a link", outside, link(dirname(outside)), config("[include]\npath=../link/../x")],
    ["in a user's home", outside, config("[include]\n path = ~root/pipe\n")],
    [
      "by a link to it",
      "own",
      link("/proc/self"),
      config('[includeIf "gitdir:/"]\npath=../link/cwd/own'),
    ],
    [
      "after includes without end",
      "own",
      config(`[include]\n${" path = more\n".repeat(50)} path = ../own`),
      put(".git/more", `[include]\n${" path = more\n".repeat(50)}`),
    ],
    ["a map of names", ".mailmap"],
    ["a file of refs", ".git/packed-refs"],
    ["a worktree's folder", ".git/worktrees/x/gitdir"],
    ["git's index", ".git/index"],
    ["alternates of alternates", "g/info/alternates", alternates],
    ["objects of alternates", "g/pack/pack-1.idx", alternates],
    ["a common folder", "g/config", moved("../g\n", "objects", "refs")],
    [
      "another folder, by git's own",
      "g/shallow",
      moved("gitdir: /proc/self/cwd/g\n", "HEAD", "objects", "refs"),
    ],
  ];
  for (const [name, pipe, ...changes] of cases) {
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const path = pipe === outside ? pipe : join(cwd, pipe);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (exists(path)) Deno.removeSync(path);
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    for (const change of changes) change(cwd);
    const start = performance.now();
    const place = { cwd: join(cwd, "plan"), timeoutMs: 120_000 };
    const asked = runGit(["log", "-1", "--format=%aN"], place);
    const refused = { code: "TOOL_FAILED", message: /Git (is not asked|cannot read)/ };
    await assert.rejects(asked, refused, name);
    // Before it is started: nothing is left to end after a kill of the server.
    assert.ok(performance.now() - start < 60_000, name);
  }
});

testUnless(NOT_UNIX, "no call makes git write, also not through a linked index", async () => {
  const { "plan/bugs/BUG-001-crash.md": bug, ...rest } = SMALL_PLAN;
  const cwd = makeProject({ ...rest, "plan/bugs/crash.md": bug! });
  commitAll(cwd, "one");
  const outside = join(makeProject(), "index");
  Deno.renameSync(join(cwd, ".git/index"), outside);
  Deno.symlinkSync(outside, join(cwd, ".git/index"));
  const stampsOf = () =>
    [outside, ...[...walkFiles(join(cwd, ".git"))]].map((path) =>
      `${path} ${Deno.lstatSync(path).mtime?.getTime()} ${Deno.lstatSync(path).ino}`
    );
  const before = stampsOf();
  await inProcess(cwd, async ({ ok, call }) => {
    await ok("plan.migrate", { subcommand: "filenames", apply: true });
    const refused = await call("plan.migrate", { subcommand: "pr-attrs", apply: true });
    assert.equal(refused.isError, true);
    await ok("plan.history");
    await ok("plan.list", { branches: true });
    await ok("plan.create", { type: "work", title: "New" });
    await ok("plan.review");
    await ok("plan.validate");
  });
  assert.ok(exists(join(cwd, "plan/bugs/BUG-001-crash.md")));
  assert.deepEqual(stampsOf(), before);
});

function* walkFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* walkFiles(join(folder, name));
    else yield join(folder, name);
  }
}

Deno.test("no call runs a program that the repository configures, as plain git does", async () => {
  const { cwd, marks } = hostileRepository();
  await inProcess(cwd, async ({ ok, call, read }) => {
    const history = await ok("plan.history", { id: "WORK-001" });
    assert.deepEqual(history.events.map((event: { kind: string }) => event.kind), [
      "attributes",
      "created",
    ]);
    assert.ok((await ok("plan.history")).total >= 6);
    await ok("plan.history", { since: "1y", sinceNewest: "1y" });
    await ok("refrakt.query", { sql: "select * from elsewhere, events, commits, commit_entities" });
    for (const name of ["status", "next", "validate"]) await ok(`plan.${name}`);
    await read("refrakt://plan/index");
    await read("refrakt://plan/status");
    await ok("plan.update", { id: "WORK-002", status: "in-progress", assignee: "ada" });
    assert.equal((await ok("plan.list", { claimed: true })).total, 1);
    const moved = await ok("plan.migrate", { subcommand: "filenames", apply: true });
    assert.equal(moved.applied.length, 1, JSON.stringify(moved));
    await call("plan.history", { since: '"; touch marks/shell; echo "' });
    await call("plan.history", { id: "$(touch marks/shell)" });
  });
  assert.deepEqual(marks(), []);
  assert.ok(exists(join(cwd, "plan/milestones/first-release.md")));
  const commands = [["status"], ["diff"], ["log", "-p", "-m", "side"], ["log", "-p", "-2"]];
  const more = [["cat-file", "-p", "1".repeat(40)], ["mv", "plan/specs", "plan/others"]];
  for (const args of [...commands, ["log", "--format=%GG", "side"], ...more]) {
    try {
      git(cwd, ...args);
    } catch {
      // Some of the programs make git fail after they ran.
    }
  }
  const ran = new Set(marks());
  const expected = ["hook-post-index-change", "conditional", "clean", "included", "merge", "gpg"];
  for (const program of [...expected, "remote"]) {
    assert.ok(ran.has(program), `${program} of ${[...ran].join()}`);
  }
});

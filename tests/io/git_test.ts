import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { createServer } from "../../mod.ts";
import { type GitOptions, runGit } from "../../src/io/git.ts";
import { commitAll, exists, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { addHistory, gitProcesses } from "../support/git_objects.ts";
import { README_PERMISSIONS, ROOT, withServer } from "../support/server.ts";
import { hostileRepository } from "../support/hostile.ts";
import { NOT_LINUX, NOT_ROOT, NOT_UNIX, testUnless } from "../support/skip.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

Deno.test("runGit() passes none of the process's environment to git", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  Deno.env.set("GIT_DIR", "/nowhere");
  try {
    assert.equal((await runGit(["log"], { cwd })).code, 0);
  } finally {
    Deno.env.delete("GIT_DIR");
  }
});

Deno.test("runGit() stops on abort and at its output limit", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  const signal = AbortSignal.abort();
  await assert.rejects(runGit(["log"], { cwd, signal }));
  await assert.rejects(runGit(["log", "-p"], { cwd, limit: 100 }), { code: "TOOL_FAILED" });
});

testUnless(NOT_LINUX, "git that waits for something ends with the process", async () => {
  const cwd = slowRepository();
  const script = `
    import { runGit } from ${JSON.stringify(new URL("../../src/io/git.ts", import.meta.url))};
    runGit(["log", "--format=%aN"], { cwd: Deno.cwd() }).catch(() => {});
    setTimeout(() => Deno.exit(0), 300);`;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-lock", `data:text/typescript,${encodeURIComponent(script)}`],
    cwd,
  }).output();
  assert.equal(code, 0);
  await until(() => worksIn(cwd) === 0);
});

/** The number of processes with this working directory. */
function worksIn(cwd: string): number {
  return [...Deno.readDirSync("/proc")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/${name}/cwd`) === cwd;
    } catch {
      // No process, or it has just exited.
      return false;
    }
  }).length;
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isDone(); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.ok(isDone());
}

testUnless(
  NOT_UNIX,
  "runGit() reads no file that the settings name, and waits for none",
  async () => {
    const outside = makeProject({ "map": "Secret <secret@example.com> Ada <ada@example.com>\n" });
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const name = async () => {
      const args = ["log", "--raw", "--format=%aN <%aE>"];
      return decode((await runGit(args, { cwd, timeoutMs: 20_000 })).stdout).split("\n")[0];
    };
    git(cwd, "config", "mailmap.file", join(outside, "map"));
    assert.equal(await name(), "Ada <ada@example.com>");
    new Deno.Command("mkfifo", { args: [join(outside, "fifo")] }).outputSync();
    for (const setting of ["mailmap.file", "diff.orderFile", "core.excludesFile"]) {
      git(cwd, "config", setting, join(outside, "fifo"));
    }
    assert.equal(await name(), "Ada <ada@example.com>");
    const waiting = runGit(["log", "--format=%aN"], { cwd: slowRepository(), timeoutMs: 200 });
    await assert.rejects(waiting, { code: "TIMEOUT", message: /longer than 0.2 seconds/ });
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
    // A subfolder is a project too; an unreadable folder above it does not matter.
    assert.equal((await runGit(["log"], { cwd: join(cwd, "sub") })).code, 0);
    const stranger = makeProject();
    git(stranger, "init", "-q", "--bare", "bare.git");
    new Deno.Command("chown", { args: ["-R", "65534", stranger] }).outputSync();
    const bare = await runGit(["log"], { cwd: join(stranger, "bare.git") });
    assert.match(bare.stderr, /safe\.bareRepository|dubious ownership|bare repository/);
  },
);

testUnless(
  NOT_UNIX,
  "a named pipe that git reads is named",
  async () => {
    const files = [
      ...[".git/HEAD", ".git/config", ".git/packed-refs", ".git/shallow", ".git/refs/heads/main"],
      ".mailmap",
    ];
    for (const file of files) {
      const cwd = makeProject(SMALL_PLAN);
      commitAll(cwd, "one");
      // Git looks for a loose ref before the packed ones.
      if (file === ".git/packed-refs") git(cwd, "pack-refs", "--all");
      if (exists(join(cwd, file))) Deno.removeSync(join(cwd, file));
      new Deno.Command("mkfifo", { args: [join(cwd, file)] }).outputSync();
      const server = await createServer({ cwd });
      const isNamed = (error: { code: string; message: string; hint: string }) => {
        assert.equal(error.code, "TOOL_FAILED", file);
        assert.equal(error.message, `Git cannot read ${file}: it is a pipe or a device`);
        assert.match(error.hint, /remove it/);
        return true;
      };
      await assert.rejects(server.callTool("plan.history", {}), isNamed);
      await assert.rejects(server.callTool("plan.history", {}), isNamed);
      const { items } = await server.callTool("plan.next", {}) as { items: { id: string }[] };
      assert.equal(items[0]!.id, "WORK-001");
      const { unchecked } = await server.callTool("plan.next-id", { type: "work" }) as {
        unchecked: string;
      };
      // Ids need no names of authors.
      if (file !== ".mailmap") assert.match(unchecked, /Git cannot read/, file);
    }
  },
);

/** A project where git waits for a file outside, until it is stopped. */
function slowRepository(): string {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  const pipe = join(makeProject(), "config");
  new Deno.Command("mkfifo", { args: [pipe] }).outputSync();
  // Others that lead out are refused.
  git(cwd, "config", "includeIf.gitdir:/.path", pipe);
  return cwd;
}

testUnless(NOT_LINUX, "a call that is cancelled ends its git process", async () => {
  const cwd = slowRepository();
  await withServer(cwd, async ({ client, ok }) => {
    // Asks git nothing: for half a minute, `plan.create` asks no git that has failed.
    await ok("plan.list");
    for (const name of ["plan.create", "plan.history", "plan.review"]) {
      const controller = new AbortController();
      const input = name === "plan.create" ? { type: "work", title: "New" } : {};
      const { signal } = controller;
      const call = assert.rejects(
        client.callTool({ name, arguments: input }, undefined, { signal }),
      );
      call.catch(() => {});
      // The server itself works there, too.
      await until(() => worksIn(cwd) > 1);
      const start = performance.now();
      controller.abort();
      await call;
      await until(() => worksIn(cwd) === 1);
      assert.ok(performance.now() - start < 2000, name);
    }
  });
});

testUnless(NOT_LINUX, "equal questions are one process, until the last caller leaves", async () => {
  const cwd = slowRepository();
  const callers = Array.from({ length: 4 }, () => new AbortController());
  const asked = callers.map(({ signal }) =>
    assert.rejects(runGit(["log"], { cwd, signal }), { code: "TIMEOUT" })
  );
  await until(() => gitProcesses(cwd).length === 1);
  for (const caller of callers.slice(1)) caller.abort();
  await Promise.all(asked.slice(1));
  assert.equal(gitProcesses(cwd).length, 1);
  callers[0]!.abort();
  await asked[0];
  await until(() => gitProcesses(cwd).length === 0);
});

testUnless(NOT_UNIX, "git is not asked where its own files lead out of the project", async () => {
  const secret = join(makeProject({ "secret": "SECRET LINE\n" }), "secret");
  const all =
    "shallow packed-refs HEAD config info/attributes objects/info/alternates refs/heads/x";
  const conditional = "a conditional include";
  for (const name of [...all.split(" "), "refs", "info", conditional]) {
    const cwd = makeProject(SMALL_PLAN);
    commitAll(cwd, "one");
    const path = join(cwd, ".git", name);
    if (name === conditional) git(cwd, "config", "includeIf.gitdir:/.path", secret);
    else {
      if (exists(path)) Deno.removeSync(path, { recursive: true });
      Deno.symlinkSync(name.includes("/") || /[A-Zks]/.test(name) ? secret : dirname(secret), path);
    }
    // Git reads that one, and quotes it in an error.
    const said = name === conditional ? /^Git could not read/ : /is a link out of the repository/;
    await withServer(cwd, async ({ call, ok }) => {
      const answer = await call("plan.history");
      assert.equal(answer.errorCode, "TOOL_FAILED", name);
      assert.match(answer.content[0].text, said, name);
      assert.ok((await ok("plan.next")).items.length > 0);
      const text = JSON.stringify([answer, await call("plan.list", { branches: true })]);
      assert.ok(!text.includes("SECRET"), text);
    }, { grants: README_PERMISSIONS });
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
    ["escaped", 'o\t"n', config('[include]\n path = ../o\\t\\"n\n')],
    ["after a comment that ends in a backslash", "own", config("# \\\n[include]\npath = ../own")],
    ["after a config of 5 MB", "own", config(`#${"x".repeat(5e6)}\n[include]\npath = ../own`)],
    [
      "in an included file",
      "own",
      config('[includeIf "gitdir:/"]\n\tpath = more\n'),
      put(".git/more", "[include]\n# x\nPATH = ..\\\n/own\n"),
    ],
    ["in a worktree's config", "own", put(".git/config.worktree", "[include]\npath = ../own\n")],
    ["outside", outside, config(`[include]\n path = ${outside}\n`)],
    ["outside, by a link", outside, link(dirname(outside)), config("[include]\npath=../link/pipe")],
    ["above a link", outside, link(dirname(outside)), config("[include]\npath=../link/../x")],
    ["in a user's home", outside, config("[include]\n path = ~root/pipe\n")],
    ["beside git itself", outside, config("[include]\n path = %(prefix)/pipe\n")],
    [
      "by git's own folder",
      "own",
      config('[includeIf "gitdir:/"]\n path = /proc/self/cwd/own\n'),
    ],
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
    ["attributes", "plan/.gitattributes"],
    ["a file of refs", ".git/packed-refs"],
    ["a ref", ".git/refs/tags/x"],
    ["a worktree's folder", ".git/worktrees/x/gitdir"],
    ["an index of objects", ".git/objects/pack/pack-1.idx"],
    ["a graph", ".git/objects/info/commit-graph"],
    ["git's index", ".git/index"],
    ["patterns of a sparse checkout", ".git/info/sparse-checkout"],
    ["alternates of alternates", "g/info/alternates", alternates],
    ["objects of alternates", "g/pack/pack-1.idx", alternates],
    ["a common folder", "g/config", moved("../g\n", "objects", "refs")],
    ["another folder", "g/shallow", moved("gitdir: g\n", "HEAD", "objects", "refs")],
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
    const asked = runGit(["log", "-1", "--format=%aN"], { cwd: join(cwd, "plan") });
    const refused = { code: "TOOL_FAILED", message: /Git (is not asked|cannot read)/ };
    await assert.rejects(asked, refused, name);
    // Before it is started: nothing is left to end after a kill of the server.
    assert.ok(performance.now() - start < 250, name);
  }
});

/** Starts the server, calls a tool, ends the server while git works for it. */
async function endDuring(
  cwd: string,
  name: string,
  how: Deno.Signal | "EOF" | "EOF with nobody who reads",
): Promise<void> {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", ...README_PERMISSIONS, join(ROOT, "mod.ts")],
    cwd,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = server.stdin.getWriter();
  const send = (message: unknown) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  const clientInfo = { name: "t", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const call = { name, arguments: name === "plan.list" ? { branches: true } : {} };
  await send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: call });
  await until(() => gitProcesses(cwd).length > 0);
  const start = performance.now();
  if (how.startsWith("EOF")) await writer.close();
  else server.kill(how as Deno.Signal);
  if (how === "EOF") await server.stdout.pipeTo(new WritableStream());
  else await server.stdout.cancel();
  await server.status;
  // While somebody may read, an answer is waited for.
  assert.equal(performance.now() - start > 3500, how === "EOF");
  await writer.close().catch(() => {});
}

for (const how of ["SIGTERM", "SIGINT", "SIGHUP", "EOF", "EOF with nobody who reads"] as const) {
  testUnless(NOT_LINUX, `git ends with a server that ${how} ends`, async () => {
    const cwd = slowRepository();
    await endDuring(cwd, "plan.history", how);
    await until(() => gitProcesses(cwd).length === 0);
  });
}

testUnless(NOT_LINUX, "git ends within 5 s of a server that is killed", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  addHistory(cwd, "plan/work/WORK-003-third.md", 4000, 100_000);
  for (const name of ["plan.history", "plan.list", "plan.next"]) {
    await endDuring(cwd, name, "SIGKILL");
    const start = performance.now();
    await until(() => gitProcesses(cwd).length === 0);
    assert.ok(performance.now() - start < 5000, name);
  }
});

testUnless(NOT_LINUX, "slow git calls hold others only while all places are taken", async () => {
  const [slow, cwd] = [slowRepository(), makeProject(SMALL_PLAN)];
  commitAll(cwd, "one");
  const controller = new AbortController();
  // Equal questions would be one process.
  const ask = (options: GitOptions, index = 0) => runGit(["log", `-${index + 1}`], options);
  const begin = (index: number) => ask({ cwd: slow, signal: controller.signal }, index);
  const held = [0, 1, 2].map(begin);
  for (let call = 0; call < 8; call++) {
    assert.equal((await runGit(["log"], { cwd, timeoutMs: 2000 })).code, 0);
  }
  held.push(begin(3));
  const start = performance.now();
  await assert.rejects(runGit(["log"], { cwd, timeoutMs: 300 }), { code: "TIMEOUT" });
  assert.ok(performance.now() - start < 1500);
  const gone = new AbortController();
  const waits = runGit(["log"], { cwd, signal: gone.signal });
  gone.abort();
  await assert.rejects(waits, { code: "TIMEOUT" });
  const last = runGit(["log"], { cwd });
  controller.abort();
  for (const call of held) await assert.rejects(call, { code: "TIMEOUT" });
  assert.equal((await last).code, 0);
  // Every place is free again.
  const all = await Promise.all(Array.from({ length: 9 }, (_, index) => ask({ cwd }, index)));
  assert.ok(all.every(({ code }) => code === 0));
});

Deno.test("a repository that git rejects is reported as damaged, not as missing", async () => {
  const cwd = makeProject(SMALL_PLAN);
  commitAll(cwd, "one");
  Deno.writeTextFileSync(join(cwd, ".git/HEAD"), "garbage\n");
  await withServer(cwd, async ({ call }) => {
    const answer = await call("plan.history", {});
    assert.equal(answer.errorCode, "TOOL_FAILED");
    assert.match(answer.content[0].text, /repository is damaged/);
    assert.match(answer.hint!, /HEAD/);
  });
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
  await withServer(cwd, async ({ ok, call }) => {
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

Deno.test("no call runs a program that the repository configures", async () => {
  const { cwd, marks } = hostileRepository();
  await withServer(cwd, async ({ ok, call, read }) => {
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
});

Deno.test("plain git does run the programs of the hostile repository", () => {
  const { cwd, marks } = hostileRepository();
  const commands = [["status"], ["diff"], ["log", "-p", "-m", "side"], ["log", "-p", "-2"]];
  const more = [["cat-file", "-p", "1".repeat(40)], ["mv", "plan/bugs/crash.md", "plan/bugs/x.md"]];
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

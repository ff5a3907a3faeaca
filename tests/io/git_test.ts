import assert from "node:assert/strict";
import { join } from "node:path";
import { orElse } from "../../src/errors.ts";
import { type GitOptions, runGit } from "../../src/io/git.ts";
import { askGit, GIT_TROUBLE, gitTrouble } from "../../src/io/git_ask.ts";
import { commitAll, type Files, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { gitProcesses } from "../support/git_objects.ts";
import { inProcess } from "../support/in_process.ts";
import { initialized, type RawServer } from "../support/raw.ts";
import { runProcess } from "../support/process.ts";
import { NOT_LINUX, NOT_ROOT, NOT_UNIX, testUnless } from "../support/skip.ts";
import { temporaryFile } from "../support/temporary.ts";

/** A plan with a commit. */
function committed(files: Files = SMALL_PLAN): string {
  const cwd = makeProject(files);
  commitAll(cwd, "one");
  return cwd;
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();

Deno.test("runGit() passes none of the process's environment to git", async () => {
  const cwd = committed();
  Deno.env.set("GIT_DIR", "/nowhere");
  try {
    assert.equal((await runGit(["log"], { cwd })).code, 0);
  } finally {
    Deno.env.delete("GIT_DIR");
  }
});

Deno.test("runGit() stops on abort and at its output limit", async () => {
  const cwd = committed();
  const signal = AbortSignal.abort();
  await assert.rejects(runGit(["log"], { cwd, signal }));
  await assert.rejects(runGit(["log", "-p"], { cwd, limit: 100 }), { code: "TOOL_FAILED" });
});

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone(); tries++) {
    assert.ok(tries < 3600);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

testUnless(
  NOT_UNIX,
  "runGit() reads no file that the settings name, and waits for none",
  async () => {
    const outside = makeProject({ "map": "Secret <secret@example.com> Ada <ada@example.com>\n" });
    const cwd = committed();
    const name = async () => {
      const args = ["log", "--raw", "--format=%aN <%aE>"];
      return decode((await runGit(args, { cwd, timeoutMs: 180_000 })).stdout).split("\n")[0];
    };
    git(cwd, "config", "mailmap.file", join(outside, "map"));
    assert.equal(await name(), "Ada <ada@example.com>");
    new Deno.Command("mkfifo", { args: [join(outside, "fifo")] }).outputSync();
    for (const setting of ["mailmap.file", "diff.orderFile", "core.excludesFile"]) {
      git(cwd, "config", setting, join(outside, "fifo"));
    }
    assert.equal(await name(), "Ada <ada@example.com>");
    const waiting = askGit(["log", "--format=%aN"], { cwd: slowRepository(), timeoutMs: 200 });
    await assert.rejects(waiting, { code: "TIMEOUT", message: /longer than 0.2 seconds/ });
  },
);

testUnless(
  NOT_ROOT,
  "runGit() reads the project's repository whoever owns it, and keeps git's guard for others",
  async () => {
    const cwd = committed({ ...SMALL_PLAN, "sub/a.md": "a" });
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

/** A project where git waits for a file outside, until it is stopped. */
function slowRepository(): string {
  const cwd = committed();
  const pipe = join(makeProject(), "config");
  new Deno.Command("mkfifo", { args: [pipe] }).outputSync();
  git(cwd, "config", "include.path", pipe);
  return cwd;
}

testUnless(NOT_LINUX, "a call that is cancelled ends its git process", async () => {
  const cwd = slowRepository();
  await inProcess(cwd, async ({ client }) => {
    const controller = new AbortController();
    const { signal } = controller;
    const call = assert.rejects(client.callTool({ name: "plan_history" }, undefined, { signal }));
    call.catch(() => {});
    await until(() => gitProcesses(cwd).length > 0);
    controller.abort();
    await call;
    await until(() => gitProcesses(cwd).length === 0);
  });
});

testUnless(NOT_LINUX, "equal questions are one process, until the last caller leaves", async () => {
  const cwd = slowRepository();
  const callers = [new AbortController(), new AbortController()];
  const asked = callers.map(({ signal }) =>
    assert.rejects(runGit(["log"], { cwd, signal }), { code: "TIMEOUT" })
  );
  await until(() => gitProcesses(cwd).length > 0);
  // Time for a second one.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(gitProcesses(cwd).length, 1);
  for (const [at, caller] of callers.entries()) {
    caller.abort();
    await asked[at];
    if (at === 0) assert.equal(gitProcesses(cwd).length, 1);
  }
  await until(() => gitProcesses(cwd).length === 0);
});

Deno.test("a question has no answer from before it was asked", async () => {
  const cwd = committed();
  const before = runGit(["rev-parse", "HEAD"], { cwd });
  await new Promise((resolve) => setTimeout(resolve, 0));
  // The process that runs is older than this commit.
  git(cwd, "commit", "-q", "--allow-empty", "-m", "two");
  const after = runGit(["rev-parse", "HEAD"], { cwd });
  assert.equal(decode((await after).stdout), git(cwd, "rev-parse", "HEAD"));
  await before;
});

/** Starts the server, calls a tool, and ends the server while git works for it. */
async function endDuring(
  cwd: string,
  name: string,
  end: (server: RawServer) => Promise<unknown>,
  args: readonly string[] = [],
  working: Promise<unknown> = until(() => gitProcesses(cwd).length > 0),
): Promise<void> {
  const server = await initialized(cwd, { args });
  const input = name === "plan_claim" ? { id: "WORK-001", assignee: "ada" } : {};
  const params = { name, arguments: input };
  server.send({ jsonrpc: "2.0", id: 99, method: "tools/call", params });
  await working;
  await end(server);
}

testUnless(NOT_LINUX, "git ends with a server whose input ends", async () => {
  const cwd = slowRepository();
  await endDuring(cwd, "plan_history", ({ end }) => end());
  await until(() => gitProcesses(cwd).length === 0);
});

testUnless(
  NOT_LINUX,
  "git and its helpers end soon after a server that is killed, where a remote is silent",
  async () => {
    const cwd = committed();
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const address = `http://127.0.0.1:${port}/a.git`;
    const connected = listener.accept();
    const kill = ({ pid, end }: RawServer) => (Deno.kill(pid, "SIGKILL"), end());
    await endDuring(cwd, "plan_claim", kill, ["--remote", address], connected);
    const isNamed = ({ name }: Deno.DirEntry) =>
      orElse(() => Deno.readTextFileSync(`/proc/${name}/cmdline`).includes(address), false);
    await until(() => ![...Deno.readDirSync("/proc")].some(isNamed));
    (await connected).close();
  },
);

testUnless(NOT_LINUX, "slow git calls hold others only while all places are taken", async () => {
  const [slow, cwd] = [slowRepository(), committed()];
  const controller = new AbortController();
  // Equal questions would be one process.
  const ask = (options: GitOptions, index = 0) => runGit(["log", `-${index + 1}`], options);
  const begin = (index: number) => ask({ cwd: slow, signal: controller.signal }, index);
  const held = [0, 1, 2].map(begin);
  for (let call = 0; call < 8; call++) {
    assert.equal((await runGit(["log"], { cwd, timeoutMs: 180_000 })).code, 0);
  }
  held.push(begin(3));
  await assert.rejects(runGit(["log"], { cwd, timeoutMs: 300 }), { code: "TIMEOUT" });
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

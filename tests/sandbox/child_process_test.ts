import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { runAsCall } from "../../src/sandbox/call.ts";
import { childProcessModule, splitCommand } from "../../src/sandbox/child_process.ts";
import { commitAll, makeProject } from "../support/project.ts";

Deno.test("a command line is split into words as a shell would", () => {
  assert.deepEqual(splitCommand(`git log  -1 --format='%H %s' "a b"c ''`), [
    "git",
    "log",
    "-1",
    "--format=%H %s",
    "a bc",
    "",
  ]);
});

Deno.test("what only a shell could do is refused", () => {
  const lines = [
    "git log; id",
    "git log | sh",
    "git $(id)",
    "git `id`",
    'git "$(id)"',
    "git log > x",
  ];
  for (
    const line of [
      ...lines,
      "git log\nid",
      "git 'open",
      "git a*",
      "git ~/x",
      "git a\\ b",
      "git # x",
      "git & id",
    ]
  ) {
    assert.throws(() => splitCommand(line), { code: "PERMISSION_DENIED" }, line);
  }
});

type Run = (...args: unknown[]) => unknown;

Deno.test("git alone is run, within the project, with the answers of Node's module", () => {
  const root = makeProject({ "a.md": "a" });
  commitAll(root, "Begin");
  const { execSync, execFileSync, spawnSync, spawn, exec } = childProcessModule(() =>
    root
  ) as Record<string, Run>;
  assert.equal(execSync!("git log --format=%s", { encoding: "utf8" }), "Begin\n");
  assert.ok(Buffer.isBuffer(execFileSync!("git", ["log", "--format=%s"])));
  assert.equal(
    (spawnSync!("git", ["show", "none"], { encoding: "utf8" }) as { status: number }).status,
    128,
  );
  assert.throws(() => execFileSync!("git", ["show", "none"], { encoding: "utf8" }), {
    status: 128,
  });
  assert.throws(() => execFileSync!("git", ["log"], { cwd: ".." }), {
    code: "PERMISSION_DENIED",
  });
  for (const program of ["sh", "/usr/bin/git", "git.exe", ""]) {
    // Arguments that git takes, so that it is the program that is refused.
    for (const args of [["-c", "id"], ["version"]]) {
      assert.throws(
        () => execFileSync!(program, args),
        { code: "PERMISSION_DENIED", message: /does not run/ },
        program,
      );
    }
    const { error, status } = spawnSync!(program) as { error: { code: string }; status: null };
    assert.deepEqual([error.code, status], ["PERMISSION_DENIED", null]);
  }
  for (const run of [spawn, exec]) {
    assert.throws(() => run!("git log"), { code: "PERMISSION_DENIED" });
  }
});

Deno.test("a call may run git so many times, and for so long", async () => {
  const root = makeProject({ "a.md": "a" });
  const limited = (runs: number, milliseconds: number) => {
    const { execSync } = childProcessModule(() => root, { runs, milliseconds });
    return runAsCall(root, () => {
      for (let count = 0; count < 3; count++) (execSync as Run)("git version");
    });
  };
  await limited(3, 60_000);
  await assert.rejects(limited(2, 60_000), { code: "TIMEOUT", message: /Git was run 2 times/ });
  await assert.rejects(limited(3, 1), { code: "TIMEOUT", message: /Git was run 1 times/ });
  // Its Worker is kept for a moment after the last run.
  await new Promise((resolve) => setTimeout(resolve, 200));
});

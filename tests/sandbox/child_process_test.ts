import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
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
    assert.throws(
      () => execFileSync!(program, ["-c", "id"]),
      { code: "PERMISSION_DENIED" },
      program,
    );
    const { error, status } = spawnSync!(program) as { error: { code: string }; status: null };
    assert.deepEqual([error.code, status], ["PERMISSION_DENIED", null]);
  }
  for (const run of [spawn, exec]) {
    assert.throws(() => run!("git log"), { code: "PERMISSION_DENIED" });
  }
});

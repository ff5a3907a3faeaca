import assert from "node:assert/strict";
import { join } from "node:path";
import { hostileRepository } from "../support/hostile.ts";
import { commitAll, exists, git, makeProject, SMALL_PLAN } from "../support/project.ts";
import { inProcess } from "../support/in_process.ts";
import { NOT_UNIX, testUnless } from "../support/skip.ts";

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
    await ok("plan_migrate", { subcommand: "filenames", apply: true });
    const refused = await call("plan_migrate", { subcommand: "pr-attrs", apply: true });
    assert.equal(refused.isError, true);
    await ok("plan_history");
    await ok("plan_list", { branches: true });
    await ok("plan_create", { type: "work", title: "New" });
    await ok("plan_review");
    await ok("plan_validate");
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
    const history = await ok("plan_history", { id: "WORK-001" });
    assert.deepEqual(history.events.map((event: { kind: string }) => event.kind), [
      "attributes",
      "created",
    ]);
    assert.ok((await ok("plan_history")).total >= 6);
    await ok("plan_history", { since: "1y", sinceNewest: "1y" });
    await ok("refrakt_query", { sql: "select * from elsewhere, events, commits, commit_entities" });
    for (const name of ["status", "next", "validate"]) await ok(`plan_${name}`);
    await read("refrakt://plan/index");
    await read("refrakt://plan/status");
    await ok("plan_update", { id: "WORK-002", status: "in-progress", assignee: "ada" });
    assert.equal((await ok("plan_list", { claimed: true })).total, 1);
    const moved = await ok("plan_migrate", { subcommand: "filenames", apply: true });
    assert.equal(moved.applied.length, 1, JSON.stringify(moved));
    await call("plan_history", { since: '"; touch marks/shell; echo "' });
    await call("plan_history", { id: "$(touch marks/shell)" });
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
  const expected = ["hook-post-index-change", "conditional", "clean", "included", "driver", "gpg"];
  for (const program of [...expected, "remote"]) {
    assert.ok(ran.has(program), `${program} of ${[...ran].join()}`);
  }
});

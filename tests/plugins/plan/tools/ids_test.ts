import assert from "node:assert/strict";
import { join } from "node:path";
import {
  commitAll,
  entity,
  git,
  makeProject,
  onBranch,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

/** A work item as a file of a project. */
function work(number: number, title = `Item ${number}`, name = "item") {
  const id = `WORK-${String(number).padStart(3, "0")}`;
  return { [`plan/work/${id}-${name}.md`]: entity("work", { id, status: "ready" }, title, "") };
}

Deno.test("a new id is unused on branches, in worktrees and in earlier commits", async (test) => {
  const cwd = makeProject({ ".gitignore": ".worktrees/\n", ...work(1), ...work(2) });
  commitAll(cwd, "Begin");
  await inProcess(cwd, async ({ ok, call }) => {
    const nextId = async () => {
      const { nextId, unchecked } = await ok("plan_next_id", { type: "work" });
      return { nextId, unchecked };
    };
    await test.step("a local branch; an explicit id names it", async () => {
      assert.deepEqual(await nextId(), { nextId: "WORK-003", unchecked: undefined });
      onBranch(cwd, "feature/x", { ...work(3), ...work(4) });
      assert.deepEqual(await nextId(), { nextId: "WORK-005", unchecked: undefined });
      const taken = await call("plan_create", { type: "work", title: "Mine", id: "WORK-003" });
      assert.equal(taken.errorCode, "VALIDATION_ERROR");
      assert.match(taken.content[0].text, /WORK-003 already exists: the branch "feature\/x"/);
      assert.match(taken.hint!, /^Omit id/);
      const { id, unchecked } = await ok("plan_create", { type: "work", title: "Mine" });
      assert.deepEqual([id, unchecked], ["WORK-005", undefined]);
      assert.equal((await ok("plan_create", { type: "work", preview: true })).id, "WORK-006");
    });
    await test.step("a remote-tracking branch", async () => {
      onBranch(cwd, "theirs", work(10));
      const commit = git(cwd, "rev-parse", "theirs").trim();
      git(cwd, "branch", "-q", "-D", "theirs");
      git(cwd, "update-ref", "refs/remotes/origin/theirs", commit);
      assert.equal((await nextId()).nextId, "WORK-011");
    });
    await test.step("an id in small letters", async () => {
      writeFiles(cwd, { "plan/work/work-017.md": entity("work", { id: "work-017" }, "Small", "") });
      assert.equal((await nextId()).nextId, "WORK-018");
    });
    await test.step("a file that was removed since the last commit, which may be made again", async () => {
      writeFiles(cwd, work(20));
      commitAll(cwd, "Add 20");
      Deno.removeSync(join(cwd, "plan/work/WORK-020-item.md"));
      assert.equal((await nextId()).nextId, "WORK-021");
      const again = { type: "work", title: "Again", id: "WORK-020" };
      assert.equal((await ok("plan_create", again)).id, "WORK-020");
    });
    await test.step("a file that was removed or got another id in an earlier commit", async () => {
      writeFiles(cwd, work(30));
      commitAll(cwd, "Add 30");
      Deno.removeSync(join(cwd, "plan/work/WORK-030-item.md"));
      commitAll(cwd, "Remove 30");
      assert.deepEqual(await nextId(), { nextId: "WORK-031", unchecked: undefined });
      writeFiles(cwd, work(40));
      commitAll(cwd, "Add 40");
      git(cwd, "mv", "plan/work/WORK-040-item.md", "plan/work/WORK-021-item.md");
      writeFiles(cwd, work(21));
      commitAll(cwd, "Change its id");
      commitAll(cwd, "Go on", "--allow-empty");
      const { id } = await ok("plan_create", { type: "work", title: "Newest" });
      assert.equal(id, "WORK-041");
    });
  });
});

Deno.test("plan_validate finds an id that two branches gave to different entities", async (test) => {
  const cwd = makeProject(work(1));
  commitAll(cwd, "Begin");
  onBranch(cwd, "feature/x", { ...work(2, "Theirs", "theirs"), ...work(3, "Same") });
  writeFiles(cwd, { ...work(2, "Mine", "mine"), ...work(3, "Same"), ...work(4, "Merged") });
  writeFiles(cwd, {
    "plan/specs/SPEC-001-x.md": entity("spec", { id: "SPEC-001" }, "X", "After `WORK-002`.\n"),
  });
  commitAll(cwd, "Mine");
  git(cwd, "branch", "copy", "feature/x");
  // The same entity, which was merged and changed afterwards.
  onBranch(cwd, "squashed", work(5, "Before"));
  git(cwd, "merge", "-q", "--squash", "squashed");
  commitAll(cwd, "Squash");
  writeFiles(cwd, work(5, "After"));
  commitAll(cwd, "Rename");
  await inProcess(cwd, async ({ ok }) => {
    await test.step("once, with the call that corrects it", async () => {
      const { groups } = await ok("plan_validate", { type: "id-on-two-branches" });
      const [{ message, branch, ...group }, ...others] = groups;
      assert.deepEqual([group, others], [{
        type: "id-on-two-branches",
        severity: "warning",
        count: 1,
        file: "work/WORK-002-mine.md",
        ids: ["WORK-002"],
        fix: { tool: "plan_rename", arguments: { kind: "id", from: "WORK-002" } },
      }, []]);
      // Both branches are at the same commit.
      assert.match(branch, /^(copy|feature\/x)$/);
      assert.equal(message, `WORK-002 is a different entity on "${branch}": "Theirs"`);
    });
    await test.step("which is one call, references included; then the merge has no duplicate", async () => {
      const { to, changed } = await ok("plan_rename", { kind: "id", from: "WORK-002" });
      assert.deepEqual([to, changed], ["WORK-006", 1]);
      assert.deepEqual((await ok("plan_validate", { type: "id-on-two-branches" })).groups, []);
      commitAll(cwd, "Renumber");
      assert.equal((await ok("plan_history", { id: "WORK-002" })).id, "WORK-006");
      git(cwd, "merge", "-q", "--no-edit", "feature/x");
      assert.equal((await ok("plan_validate", { severity: "error" })).counts.errors, 0);
      assert.equal((await ok("plan_get", { id: "WORK-002" })).title, "Theirs");
    });
  });
});

Deno.test("a repository without commits has no ids", async () => {
  const cwd = makeProject(work(1));
  git(cwd, "init", "-q", "-b", "main");
  await inProcess(cwd, async ({ ok }) => {
    const { nextId, unchecked } = await ok("plan_next_id", { type: "work" });
    assert.deepEqual([nextId, unchecked], ["WORK-002", undefined]);
  });
});

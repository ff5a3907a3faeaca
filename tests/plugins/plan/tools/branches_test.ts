import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { commitAll, entity, git, makeProject, writeFiles } from "../../../support/project.ts";
import { withServer } from "../../../support/server.ts";

/** A work item as a file of a project. */
function work(number: number, attributes: Record<string, string>, body = "", title = "") {
  const id = `WORK-00${number}`;
  return {
    [`plan/work/${id}-item.md`]: entity(
      "work",
      { id, ...attributes },
      title || `Item ${number}`,
      body,
    ),
  };
}

const PLAN = {
  ".gitignore": ".worktrees/\n",
  ...work(1, { status: "ready" }, "- [ ] One\n- [ ] Two\n"),
  ...work(2, { status: "ready", priority: "low" }),
  ...work(3, { status: "ready" }),
  ...work(4, { status: "ready" }),
};

interface Row {
  id: string;
  status?: string;
  onlyElsewhere?: boolean;
  elsewhere?: Record<string, unknown>[];
}

/** Commits files on a branch, and goes back to main. */
function onBranch(cwd: string, name: string, ...commits: Record<string, string>[]): void {
  git(cwd, "checkout", "-q", "-B", name);
  for (const files of commits) {
    writeFiles(cwd, files);
    commitAll(cwd, `Change ${Object.keys(files).join(", ")}`);
  }
  git(cwd, "checkout", "-q", "main");
}

/** The states elsewhere by id, without dates. */
function statesOf(items: Row[]): Record<string, unknown> {
  return Object.fromEntries(
    items.flatMap(({ id, elsewhere }) =>
      elsewhere === undefined ? [] : [[id, elsewhere.map(({ date: _date, ...state }) => state)]]
    ),
  );
}

Deno.test("plan.list shows states on other branches, which are not checked out", async (test) => {
  const cwd = makeProject(PLAN);
  commitAll(cwd, "Begin");
  onBranch(cwd, "feature/x", {
    ...work(1, { status: "in-progress", assignee: "ada" }, "- [x] One\n- [ ] Two\n"),
    ...work(5, { status: "draft", milestone: "v9" }),
  });
  git(cwd, "branch", "feature/copy", "feature/x");
  onBranch(cwd, "old", work(2, { status: "done", priority: "low" }));
  git(cwd, "merge", "-q", "--squash", "old");
  commitAll(cwd, "Squash old");
  writeFiles(cwd, work(3, { status: "done" }));
  commitAll(cwd, "Finish");
  git(cwd, "branch", "behind", "HEAD~2");
  const listed = git(cwd, "status", "--porcelain");
  await withServer(cwd, async ({ ok, call }) => {
    await test.step("what the branch changed, by whom; what is behind or merged says nothing", async () => {
      const { items, branches, total } = await ok("plan.list", { branches: true });
      assert.deepEqual(statesOf(items), {
        "WORK-001": [{
          branch: "feature/copy",
          status: "in-progress",
          assignee: "ada",
          criteria: "1/2",
          others: 1,
        }],
        "WORK-005": [{
          branch: "feature/copy",
          status: "draft",
          title: "Item 5",
          differs: ["milestone"],
          others: 1,
        }],
      });
      assert.deepEqual(branches, { branches: 3, worktrees: 0 });
      assert.equal(total, 5);
      assert.deepEqual(
        items.map(({ id, status, onlyElsewhere }: Row) => [id, status, onlyElsewhere]).slice(0, 2),
        [["WORK-001", "ready", undefined], ["WORK-005", undefined, true]],
      );
    });
    await test.step("filters find a state elsewhere, and values that only a branch has", async () => {
      const ids = async (filter: Record<string, unknown>) =>
        (await ok("plan.list", { branches: true, ...filter })).items.map(({ id }: Row) => id);
      assert.deepEqual(await ids({ status: "in-progress" }), ["WORK-001"]);
      assert.deepEqual(await ids({ milestone: "v9" }), ["WORK-005"]);
      assert.equal((await call("plan.list", { milestone: "v9" })).errorCode, "NOT_FOUND");
      assert.equal((await ok("plan.list")).items.length, 4);
    });
    await test.step("a new commit on a branch is seen", async () => {
      git(cwd, "branch", "-q", "-D", "feature/copy");
      git(cwd, "checkout", "-q", "feature/x");
      writeFiles(cwd, work(4, { status: "review" }));
      commitAll(cwd, "Review");
      git(cwd, "checkout", "-q", "main");
      const { items } = await ok("plan.list", { branches: true });
      assert.deepEqual(statesOf(items)["WORK-004"], [{ branch: "feature/x", status: "review" }]);
    });
    await test.step("the board has them in words", async () => {
      const { _meta } = await call("plan.board", { show: "cards" });
      const { cards } = _meta!["refrakt/board"] as {
        cards: { id: string; elsewhere?: string[] }[];
      };
      assert.deepEqual(cards.find(({ id }) => id === "WORK-001")!.elsewhere, [
        "in-progress on feature/x by ada",
      ]);
    });
  });
  assert.equal(git(cwd, "status", "--porcelain"), listed);
});

Deno.test("plan.list reads worktrees in the project, and says which it may not read", async () => {
  const cwd = makeProject(PLAN);
  const outside = join(makeProject(), "outside");
  commitAll(cwd, "Begin");
  git(cwd, "worktree", "add", "-q", "-b", "inside", ".worktrees/inside");
  git(cwd, "worktree", "add", "-q", "-b", "outside", outside);
  const inside = join(cwd, ".worktrees/inside");
  // Not committed.
  writeFiles(inside, work(1, { status: "in-progress", assignee: "bob" }, "- [ ] One\n- [ ] Two\n"));
  writeFiles(inside, work(7, { status: "ready" }));
  // Committed where only git may look.
  writeFiles(outside, work(2, { status: "blocked", priority: "low" }));
  commitAll(outside, "Block");
  writeFiles(outside, work(3, { status: "blocked" }));
  const detached = `${outside}-detached`;
  git(cwd, "worktree", "add", "-q", "--detach", detached);
  writeFiles(detached, work(4, { status: "review" }));
  commitAll(detached, "Review");
  Deno.symlinkSync("/etc/passwd", join(inside, "plan/work/WORK-008-link.md"));
  await withServer(cwd, async ({ ok }) => {
    const { items, branches } = await ok("plan.list", { branches: true });
    const place = { worktree: ".worktrees/inside", branch: "inside" };
    assert.deepEqual(statesOf(items), {
      "WORK-001": [{ ...place, status: "in-progress", assignee: "bob" }],
      "WORK-002": [{ branch: "outside", status: "blocked" }],
      "WORK-004": [{ worktree: relative(cwd, detached), status: "review" }],
      "WORK-007": [{ ...place, status: "ready", title: "Item 7" }],
    });
    assert.equal(branches.worktrees, 1);
    assert.match(branches.leftOut[0], /outside: not readable; only its commits were checked$/);
    writeFiles(inside, work(1, { status: "ready" }, "- [ ] One\n- [ ] Two\n"));
    assert.equal(
      statesOf((await ok("plan.list", { branches: true })).items)["WORK-001"],
      undefined,
    );
  });
});

Deno.test("plan.list { branches } says where there is no git", async () => {
  await withServer(makeProject(PLAN), async ({ ok }) => {
    const { items, branches } = await ok("plan.list", { branches: true });
    assert.equal(items.length, 4);
    assert.match(branches.leftOut[0], /not in a git repository/);
  });
});

import assert from "node:assert/strict";
import { join, relative } from "node:path";
import {
  commitAll,
  git,
  makeProject,
  onBranch,
  planFile,
  writeFiles,
} from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { withServer } from "../../../support/server.ts";
import { itemsOf } from "../../../support/rows.ts";

const work = (number: number, attributes: Record<string, string>, body = "") =>
  planFile(`WORK-00${number}`, attributes, body);

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

/** The states elsewhere by id, without dates. */
function statesOf(items: Row[]): Record<string, unknown> {
  return Object.fromEntries(
    items.flatMap(({ id, elsewhere }) =>
      elsewhere === undefined ? [] : [[id, elsewhere.map(({ date: _date, ...state }) => state)]]
    ),
  );
}

Deno.test("plan_list shows states on other branches, which are not checked out", async (test) => {
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
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("what the branch changed, by whom; what is behind or merged says nothing", async () => {
      const { branches, total, ...list } = await ok("plan_list", { branches: true });
      const items = itemsOf(list);
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
          title: "Item WORK-005",
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
        itemsOf(await ok("plan_list", { branches: true, ...filter })).map(({ id }: Row) => id);
      assert.deepEqual(await ids({ status: "in-progress" }), ["WORK-001"]);
      assert.deepEqual(await ids({ milestone: "v9" }), ["WORK-005"]);
      assert.equal((await call("plan_list", { milestone: "v9" })).errorCode, "NOT_FOUND");
      assert.equal(itemsOf(await ok("plan_list")).length, 4);
    });
    await test.step("a new commit on a branch is seen", async () => {
      git(cwd, "branch", "-q", "-D", "feature/copy");
      git(cwd, "checkout", "-q", "feature/x");
      writeFiles(cwd, work(4, { status: "review" }));
      commitAll(cwd, "Review");
      git(cwd, "checkout", "-q", "main");
      const items = itemsOf(await ok("plan_list", { branches: true }));
      assert.deepEqual(statesOf(items)["WORK-004"], [{ branch: "feature/x", status: "review" }]);
    });
  });
  assert.equal(git(cwd, "status", "--porcelain"), listed);
});

Deno.test("worktrees are read, and named by what may not be read and by the first write", async () => {
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
  git(cwd, "worktree", "add", "-q", "--detach", ".worktrees/alone");
  git(join(cwd, ".worktrees/alone"), "checkout", "-q", "--orphan", "alone");
  commitAll(join(cwd, ".worktrees/alone"), "Begin again");
  const detached = `${outside}-detached`;
  git(cwd, "worktree", "add", "-q", "--detach", detached);
  writeFiles(detached, work(4, { status: "review" }));
  commitAll(detached, "Review");
  Deno.symlinkSync("/etc/passwd", join(inside, "plan/work/WORK-008-link.md"));
  await withServer(cwd, async ({ ok, call }) => {
    const { branches, ...list } = await ok("plan_list", { branches: true });
    const items = itemsOf(list);
    const place = { worktree: ".worktrees/inside", branch: "inside" };
    assert.deepEqual(statesOf(items), {
      "WORK-001": [{ ...place, status: "in-progress", assignee: "bob" }],
      "WORK-002": [{ branch: "outside", status: "blocked" }],
      "WORK-004": [{ worktree: relative(cwd, detached), status: "review" }],
      "WORK-007": [{ ...place, status: "ready", title: "Item WORK-007" }],
    });
    assert.equal(branches.worktrees, 2);
    assert.match(branches.leftOut.at(-1), /alone": It has no common ancestor with HEAD$/);
    const flag = `--allow-read=${relative(cwd, outside)}/plan`;
    const only = "not readable; only its commits were checked";
    assert.ok(
      branches.leftOut[0].endsWith(`outside": ${only} (add ${flag})`),
      branches.leftOut[0],
    );
    writeFiles(inside, work(1, { status: "ready" }, "- [ ] One\n- [ ] Two\n"));
    assert.equal(
      statesOf(itemsOf(await ok("plan_list", { branches: true })))["WORK-001"],
      undefined,
    );
    const write = { id: "WORK-004", priority: "low" };
    assert.equal((await ok("plan_update", { ...write, preview: true })).checkout, undefined);
    const first = await ok("plan_update", write);
    assert.ok(first.checkout.startsWith(`Written in "${cwd}" ("main"); other worktrees: `));
    // In git's order, which is that of the paths.
    assert.match(first.checkout, /worktrees: (?:\S+ \([^)]+\), ){3}1 more$/);
    assert.equal((await ok("plan_update", { ...write, priority: "high" })).checkout, undefined);
    const refused = await call("plan_update", { ...write, dir: ".worktrees/inside/plan" });
    assert.match(refused.hint!, /--allow-write=\.worktrees\/inside\/plan,/);
  });
});

Deno.test("a broken branch is skipped and named; the others are checked", async () => {
  const cwd = makeProject({ ".gitignore": "x\n", ...work(1, { status: "ready" }) });
  commitAll(cwd, "Begin");
  onBranch(cwd, "good", work(2, { status: "in-progress", assignee: "ada" }));
  onBranch(cwd, "halved", work(3, { status: "in-progress", assignee: "ada" }));
  const tree = git(cwd, "rev-parse", "halved:plan").trim();
  const [object, kept] = [
    join(cwd, ".git/objects", tree.slice(0, 2), tree.slice(2)),
    join(cwd, "x"),
  ];
  Deno.renameSync(object, kept);
  Deno.writeTextFileSync(join(cwd, ".git/refs/heads/gone"), `${"1".repeat(40)}\n`);
  Deno.writeTextFileSync(join(cwd, ".git/refs/heads/garbage"), "garbage\n");
  await inProcess(cwd, async ({ ok }) => {
    const { rows, branches } = await ok("plan_list", { branches: true });
    assert.ok(JSON.stringify(rows).includes('"branch":"good"'), JSON.stringify(rows));
    const { nextId, unchecked } = await ok("plan_next_id", { type: "work" });
    assert.equal(nextId, "WORK-003");
    for (const sentences of [branches.leftOut.join("\n"), unchecked]) {
      assert.match(sentences, /branch "gone": its commit is missing/);
      assert.match(sentences, /branch "garbage": its ref is broken/);
      assert.match(sentences, /"halved": Objects are missing or damaged/);
      assert.ok(!/good|Branches and worktrees/.test(sentences), sentences);
    }
    assert.deepEqual((await ok("plan_review")).notChecked, undefined);
    Deno.renameSync(kept, object);
    assert.ok(!/halved/.test((await ok("plan_next_id", { type: "work" })).unchecked));
    const again = (await ok("plan_list", { branches: true })).branches;
    assert.ok(!/halved/.test(again.leftOut.join("\n")), again.leftOut.join("\n"));
    assert.equal(again.branches, branches.branches);
  });
});

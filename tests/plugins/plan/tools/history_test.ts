import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, git, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

interface Commit {
  hash: string;
  message: string;
  changes: { id: string; title?: string; what: string }[];
}

Deno.test("plan_history returns events by commit and in numbers", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  const work = join(cwd, "plan/work/WORK-001-parser.md");
  const replace = (path: string, pairs: Record<string, string>) => {
    let text = Deno.readTextFileSync(path);
    for (const [from, to] of Object.entries(pairs)) text = text.replace(from, () => to);
    Deno.writeTextFileSync(path, text);
  };
  commitAll(cwd, "Begin");
  const begin = git(cwd, "rev-parse", "HEAD");
  git(cwd, "branch", "begun");
  replace(work, { '"ready"': '"done"', "[ ] It renders": "[x] It renders", '"high"': '"low"' });
  replace(join(cwd, "plan/bugs/BUG-001-crash.md"), { confirmed: "fixed" });
  commitAll(cwd, "Finish the parser");
  const finished = git(cwd, "rev-parse", "--short", "HEAD");
  git(cwd, "mv", "plan/work/WORK-002-render.md", "plan/work/WORK-002-tables.md");
  writeFiles(cwd, {
    "plan/work/WORK-005-going.md": `${WIDE_PLAN["plan/work/WORK-005-going.md"]}\n`,
  });
  commitAll(cwd, "Rename and save again");
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("each commit has ids, titles and changes", async () => {
      const { commits, total } = await ok("plan_history");
      assert.equal(total, 13);
      assert.deepEqual(commits.map(({ message }: Commit) => message), [
        "Finish the parser",
        "Begin",
      ]);
      assert.deepEqual(commits[0].hash, finished);
      assert.deepEqual(commits[0].changes, [
        'BUG-001 "It crashes on umlauts": confirmed → fixed',
        'WORK-001 "Parse the tables": ready → done, priority high → low, 1 ticked, 2 of 3 done',
      ]);
      assert.ok(commits[1].changes.includes("WORK-001: created (ready)"));
    });
    await test.step("summary counts created entities and reached statuses", async () => {
      assert.deepEqual(await ok("plan_history", { summary: true }), {
        total: 13,
        commits: 2,
        created: { bug: 2, decision: 1, milestone: 2, spec: 1, work: 5 },
        reached: {
          bug: { confirmed: 1, fixed: 1, wontfix: 1 },
          decision: { accepted: 1 },
          milestone: { active: 1, complete: 1 },
          spec: { draft: 1 },
          work: { done: 2, "in-progress": 1, ready: 3 },
        },
      });
    });
    await test.step("since and until accept spans, dates and commits", async () => {
      const messages = async (input: Record<string, unknown>) =>
        (await ok("plan_history", input)).commits
          .map(({ message }: Commit) => message);
      const [all, first] = [["Finish the parser", "Begin"], ["Begin"]];
      for (const since of ["2 weeks", "3 months ago", "2020-01-31"]) {
        assert.deepEqual(await messages({ since }), all, since);
      }
      for (const since of [begin, "HEAD~2", "begun"]) {
        assert.deepEqual(await messages({ since }), all.slice(0, 1), since);
      }
      assert.deepEqual(await messages({ sinceNewest: "1d" }), all);
      assert.deepEqual(await messages({ until: begin.slice(0, 9) }), first);
      assert.deepEqual(await messages({ since: begin, until: finished }), ["Finish the parser"]);
      assert.deepEqual(await messages({ until: "2020-01-31" }), []);
      for (const since of ["abcdef0123", "someday", "5 fortnights"]) {
        const answer = await call("plan_history", { since });
        assert.equal(answer.errorCode, "INVALID_ARGS");
        assert.match(answer.hint!, /2 weeks/);
      }
    });
    await test.step("if the range is empty, it returns the newest event", async () => {
      const { total, newest } = await ok("plan_history", { since: "2090-01-01" });
      assert.equal(total, 0);
      assert.match(newest.date, /^\d{4}-\d{2}-\d{2}$/);
      assert.match(newest.call, /sinceNewest/);
    });
  });
});

Deno.test("the history counts commits and says what it leaves out", async () => {
  const cwd = makeProject(planFile("WORK-001"));
  commitAll(cwd, "Begin");
  const numbers = Array.from({ length: 50 }, (_, at) => at + 100);
  writeFiles(cwd, Object.assign({}, ...numbers.map((number) => planFile(`WORK-${number}`))));
  commitAll(cwd, "Plan more");
  await inProcess(cwd, async ({ ok }) => {
    const { commits: [one], totalCommits, nextCursor } = await ok("plan_history", { limit: 1 });
    assert.deepEqual([one.changes.length, one.totalChanges, totalCommits], [30, 50, 2]);
    const rest = await ok("plan_history", { limit: 1, cursor: nextCursor });
    assert.deepEqual(rest.commits.map(({ message }: Commit) => message), ["Begin"]);
    assert.equal(rest.nextCursor, undefined);
  });
});

Deno.test("plan_history says who changed what, also without a commit", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "ready" }, "Some text.\n\n- [ ] One\n- [ ] Two\n"),
    ...planFile("WORK-002", { status: "ready" }, "- [ ] One\n"),
    ...planFile("WORK-003", { status: "ready" }),
  });
  commitAll(cwd, "Begin");
  const text = (id: string) => Deno.readTextFileSync(join(cwd, `plan/work/${id}.md`));
  const write = (id: string, edit: (text: string) => string) =>
    writeFiles(cwd, { [`plan/work/${id}.md`]: edit(text(id)) });
  const start = git(cwd, "rev-parse", "HEAD");
  const commit = (by: string) => commitAll(cwd, `By ${by}`, `--author=${by} <${by}@example.com>`);
  git(cwd, "checkout", "-q", "-b", "agent/3");
  write("WORK-003", (text) => text.replace("ready", "done"));
  commit("codex");
  git(cwd, "checkout", "-q", "main");
  write(
    "WORK-001",
    (text) =>
      text.replace("ready", "in-progress").replace("[ ] One", "[x] One").replace("Some", "More"),
  );
  writeFiles(cwd, planFile("BUG-001", { status: "reported" }));
  commit("claude-7");
  write("WORK-001", (text) => text.replace("[ ] Two", "[x] Two"));
  commit("Grace");
  write(
    "WORK-002",
    (text) => text.replace('status="ready"', 'status="review" assignee="claude-7"'),
  );

  await inProcess(cwd, async ({ ok }) => {
    const all = await ok("plan_history", { since: start, workingTree: true, summary: true });
    assert.deepEqual(all.authors, [
      {
        by: "claude-7",
        changes: [
          'WORK-002 "Item WORK-002": ready → review, assignee - → claude-7 (not committed)',
          'WORK-001 "Item WORK-001": ready → in-progress, 1 ticked, 1 of 2 done, text +1 −1',
          'BUG-001 "Item BUG-001": created (reported)',
        ],
      },
      { by: "codex", changes: ['WORK-003 "Item WORK-003": ready → done (on agent/3)'] },
      { by: "Grace", changes: ['WORK-001 "Item WORK-001": 1 ticked, 2 of 2 done'] },
    ]);
    assert.deepEqual([all.total, all.commits], [5, 3]);
    const own = await ok("plan_history", { since: "1d", by: "GRACE", summary: true });
    assert.deepEqual([own.authors.length, own.total, own.commits], [1, 1, 1]);
    const none = await ok("plan_history", { since: "1d", by: "Eve", workingTree: true });
    assert.match(none.warnings.join(), /No changes by "Eve"; others are by .*claude-7/);
  });
});

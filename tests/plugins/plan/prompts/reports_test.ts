import assert from "node:assert/strict";
import { inProcess } from "../../../support/in_process.ts";
import { renderPrompt } from "../../../support/plan.ts";
import { commitAll, entity, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { WIDE_PLAN } from "../tools/plan.ts";

const BUG = "plan/bugs/BUG-001-crash.md";
const cwd = makeProject(WIDE_PLAN);
commitAll(cwd, "Begin");
writeFiles(cwd, {
  [BUG]: WIDE_PLAN[BUG]!.replace("confirmed", "fixed").replace(
    "{% /bug %}",
    "## Resolution\n\nCompleted: 2026-01-09\n\nIt knows umlauts.\n\n{% /bug %}",
  ),
  ...planFile(
    "WORK-006",
    { status: "blocked" },
    '## Dependencies\n- {% ref "WORK-001" /%}\n',
    "Stuck",
  ),
});
commitAll(cwd, "Fix the crash");

const notes = (args: Record<string, string>) => renderPrompt(cwd, "plan_release_notes", args);

const review = (milestone?: string) =>
  renderPrompt(makeProject(WIDE_PLAN), "plan_review", milestone === undefined ? {} : { milestone });

Deno.test("release notes since a time list what was done since, with resolutions", async () => {
  const { lists } = await notes({ since: "7d" });
  assert.match(lists, /Fixed \(1\):\n- BUG-001 \(fixed\).*: It knows umlauts\./);
  assert.ok(!lists.includes("WORK-003"), "it was done when it was created");
  assert.match(
    (await notes({ since: "2030-01-01" })).texts,
    /Nothing was done or fixed since.*newest change was on \d{4}-.*plan_history \{ sinceNewest/,
  );
});

Deno.test("a stand-up lists what has changed by author, as plan_history and today do", async () => {
  const { texts, lists } = await renderPrompt(cwd, "plan_standup");
  assert.match(texts, /stand-up since "1d"/);
  assert.match(lists, /^## Since yesterday on \w+: 2 commits\n\n\*\*\w+\*\*\n\n- /);
  await inProcess(cwd, async ({ ok }) => {
    const { authors } = await ok("plan_history", { since: "1d", workingTree: true });
    const rows = authors.flatMap(({ changes }: { changes: string[] }) => changes);
    assert.equal(rows.length, 12);
    assert.deepEqual(lists.match(/(?<=^- ).*$/gm), rows);
  });
  assert.deepEqual((await renderPrompt(cwd, "plan_standup", { since: "2030-01-01" })).lists, "");
  const old = makeProject(planFile("WORK-001"));
  commitAll(old, "Begin", "--date=2026-01-02T12:00:00Z");
  writeFiles(old, planFile("WORK-002"));
  commitAll(old, "Go on", "--date=2026-01-09T12:00:00Z");
  const newest = await renderPrompt(old, "plan_standup");
  assert.match(newest.texts, /stand-up since "2026-01-09"/);
  assert.match(newest.lists, /^## Since 2026-01-09 on main: 1 commit\n[^]*WORK-002/);
  assert.doesNotMatch(newest.lists, /WORK-001/);
});

Deno.test("a milestone review groups items by status, with blockers", async () => {
  const { lists, embedded } = await review("v1.0.0");
  assert.deepEqual(embedded.map(({ uri }) => uri), ["refrakt://plan/milestone/v1.0.0"]);
  assert.match(lists, /ready \(2\):\n.*\n- WORK-002 \(ready\).*: waits for WORK-001/);
  assert.match(lists, /in-progress \(1\):\n- WORK-005/);
  assert.ok(!lists.includes("WORK-003"), "an item of another milestone");
});

const work = (id: string, attributes: Record<string, string>, body = "") =>
  entity("work", { id, priority: "high", complexity: "simple", ...attributes }, `Item ${id}`, body);

Deno.test("triage lists each open item that needs a decision once, and the errors", async () => {
  const { lists, embedded } = await renderPrompt(
    makeProject({
      "plan/work/a.md": work("WORK-001", { status: "draft" }),
      "plan/work/b.md": work(
        "WORK-002",
        { status: "blocked", milestone: "v1" },
        '## Dependencies\n- {% ref "WORK-003" /%}\n',
      ),
      "plan/work/c.md": work("WORK-003", { status: "ready" }),
      "plan/work/d.md": work("WORK-004", { status: "ready", milestone: "v1" }),
      "plan/work/e.md": work("WORK-005", { status: "done" }),
      "plan/work/f.md": work("WORK-006", { status: "blocked" }),
      "plan/work/g.md": work("WORK-007", { status: "nonsense", milestone: "v1" }),
      "plan/milestones/v1.md": entity("milestone", { name: "v1", status: "active" }, "v1", ""),
    }),
    "plan_triage",
  );
  assert.deepEqual(embedded, []);
  assert.match(lists, /^New \(1\):\n- WORK-001 \(draft\) Item WORK-001$/m);
  assert.match(lists, /^Blocked \(2\):\n- WORK-002 .*: waits for WORK-003$/m);
  assert.match(lists, /^- WORK-006 .*: Marked blocked, but it lists no dependencies$/m);
  assert.match(lists, /^Without a milestone \(1\):\n- WORK-003 /m);
  assert.match(lists, /^Errors reported by plan_validate:\n- invalid-status ×1: .*nonsense/m);
  for (const id of ["WORK-004", "WORK-005"]) assert.ok(!lists.includes(`- ${id}`), id);
});

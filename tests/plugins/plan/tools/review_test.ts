import assert from "node:assert/strict";
import { commitAll, git, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

interface Fix {
  tool: string;
  arguments: Record<string, unknown>;
  when: string;
}

const RESOLVED = "## Resolution\nCompleted: 2026-01-05\n\nDone.\n";
const MILESTONE = { milestone: "v1.0.0" };

/** Commits everything as of so many days ago. */
function commitAgo(cwd: string, days: number, message: string): void {
  const date = new Date(Date.now() - days * 86_400_000).toISOString();
  commitAll(cwd, message, "--allow-empty", "--date", date);
}

const dependsOn = (id: string) => `## Dependencies\n- {% ref "${id}" /%}\n`;

/** The kind and the id of each line. */
const kindsOf = (findings: Record<string, string[]>) =>
  Object.entries(findings).flatMap(([kind, lines]) =>
    lines.map((line) => [kind, line.split(":", 1)[0]!])
  );

/** A plan of which some statuses do not fit. */
function project(): string {
  const cwd = makeProject({
    ...planFile("v1.0.0", { status: "active" }),
    ...planFile("WORK-001", { status: "done" }, `- [x] One\n- [ ] Two\n\n${RESOLVED}`),
    ...planFile("WORK-002", { status: "done", ...MILESTONE }, RESOLVED),
    ...planFile("WORK-003", { status: "in-progress", assignee: "ada" }),
    ...planFile("WORK-004", { status: "in-progress" }),
    ...planFile("WORK-005", { status: "in-progress", assignee: "bo" }),
    ...planFile("WORK-006", { status: "blocked" }, dependsOn("WORK-001")),
    ...planFile("WORK-007", { status: "blocked" }, dependsOn("WORK-009")),
    ...planFile("WORK-008", { status: "in-progress", assignee: "cy" }, "- [ ] One\n- [ ] Two\n"),
    ...planFile("WORK-009", { status: "ready" }),
    ...planFile("WORK-010", { status: "draft" }, "- [x] One\n"),
    ...planFile("BUG-001", { status: "confirmed" }, "- [x] One\n"),
    ...planFile("BUG-002", { status: "fixed" }, "- [ ] One\n"),
  });
  git(cwd, "init", "-q", "-b", "main");
  commitAgo(cwd, 90, "Begin");
  const ticked = planFile(
    "WORK-008",
    { status: "in-progress", assignee: "cy" },
    "- [x] One\n- [x] Two\n",
  );
  writeFiles(cwd, ticked);
  commitAgo(cwd, 10, "Do it");
  git(cwd, "checkout", "-q", "-b", "feature");
  commitAgo(cwd, 3, "Look into WORK-005");
  git(cwd, "checkout", "-q", "main");
  return cwd;
}

Deno.test("plan_review finds statuses that do not fit, a line each, with the call that corrects it", async (test) => {
  await inProcess(project(), async ({ ok, call }) => {
    await test.step("each kind, and nothing that cannot be seen", async () => {
      const { findings, total, counts } = await ok("plan_review");
      const sorted = kindsOf(findings).sort();
      assert.deepEqual(sorted, [
        ["criteria-done", "BUG-001"],
        ["criteria-done", "WORK-008"],
        ["idle", "WORK-003"],
        ["idle", "WORK-004"],
        ["nothing-blocks", "WORK-006"],
        ["open-criteria", "BUG-002"],
        ["open-criteria", "WORK-001"],
        ["work-done", "v1.0.0"],
      ]);
      assert.equal(total, 8);
      assert.deepEqual(Object.keys(counts), [
        "open-criteria",
        "criteria-done",
        "work-done",
        "nothing-blocks",
        "idle",
      ]);
      const lines = Object.values<string[]>(findings).flat();
      assert.ok(lines.includes("WORK-001: done with 1 of 2 criteria open"), String(lines));
      assert.ok(lines.includes("v1.0.0: not complete, but its work is finished: 1 item"));
      assert.ok(lines.every((line) => !line.includes("\n") && line.length < 120));
      assert.equal(
        findings["criteria-done"][0],
        "WORK-008: in-progress with 2 of 2 criteria ticked",
      );
    });
    await test.step("milestone, since, idle, status and kind narrow it down", async () => {
      const find = async (input: Record<string, unknown>) =>
        kindsOf((await ok("plan_review", input)).findings);
      assert.deepEqual(await find(MILESTONE), [["work-done", "v1.0.0"]]);
      assert.deepEqual(await find({ since: "30d" }), [["criteria-done", "WORK-008"]]);
      const idle = await find({ kind: "idle", idle: "1d" });
      assert.deepEqual(idle.map(([, id]) => id).sort(), [
        "WORK-003",
        "WORK-004",
        "WORK-005",
        "WORK-008",
      ]);
      assert.deepEqual(await find({ status: "fixed" }), [["open-criteria", "BUG-002"]]);
      const { newest } = await ok("plan_review", { kind: "idle", since: "1d" });
      const [, args] = /^plan_review (.*)$/.exec(newest.call)!;
      assert.ok((await ok("plan_review", JSON.parse(args!))).total > 0);
      assert.equal((await call("plan_review", { kind: "merged-pr" })).errorCode, "INVALID_ARGS");
    });
    await test.step("plan_status counts those of a milestone", async () => {
      assert.deepEqual((await ok("plan_status", MILESTONE)).review, { "work-done": 1 });
    });
    await test.step("each correction is a call that can be made, and ends its finding", async () => {
      for (const [, id] of kindsOf((await ok("plan_review")).findings)) {
        const { fixes } = await ok("plan_review", { id });
        for (const { tool, arguments: given } of fixes as Fix[]) await ok(tool, given);
      }
      assert.deepEqual((await ok("plan_review")).findings, {});
    });
  });
});

Deno.test("without git, plan_review finds what the plan alone shows, and says what it left out", async () => {
  const cwd = makeProject({
    ...planFile("WORK-001", { status: "done" }, "- [ ] One\n"),
    ...planFile("WORK-002", { status: "in-progress", assignee: "ada" }),
  });
  await inProcess(cwd, async ({ ok }) => {
    const { findings, notChecked } = await ok("plan_review", { idle: "0d" });
    assert.deepEqual(kindsOf(findings), [["open-criteria", "WORK-001"]]);
    assert.match(notChecked.join(), /idle was not checked/);
  });
});

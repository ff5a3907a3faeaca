import assert from "node:assert/strict";
import { commitAll, git, makeProject, planFile, writeFiles } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

interface Finding {
  kind: string;
  id: string;
  text: string;
  evidence: string[];
  fix: { tool: string; arguments: Record<string, unknown>; when?: string };
}

const RESOLVED = "## Resolution\nCompleted: 2026-01-05\n\nDone.\n";

/** Commits everything as of so many days ago. */
function commitAgo(cwd: string, days: number, message: string): string {
  const date = new Date(Date.now() - days * 86_400_000).toISOString();
  commitAll(cwd, message, "--allow-empty", "--date", date);
  return git(cwd, "rev-parse", "HEAD");
}

/** The kind and the id of each line. */
const kindsOf = (findings: Record<string, string[]>) =>
  Object.entries(findings).flatMap(([kind, lines]) =>
    lines.map((line) => [kind, line.split(" ", 1)[0]!])
  );

Deno.test("plan_review finds drift, with evidence and the call that corrects it", async (test) => {
  const cwd = makeProject({
    ...planFile("v1.0.0", { status: "active" }),
    ...planFile("WORK-001", { status: "done" }, `- [x] One\n- [ ] Two\n\n${RESOLVED}`),
    ...planFile("WORK-002", { status: "done", source: "SPEC-001", milestone: "v1.0.0" }),
    ...planFile("SPEC-001", { status: "accepted" }),
    ...planFile("SPEC-002", { status: "accepted" }),
    ...planFile("WORK-003", { status: "in-progress", assignee: "ada" }),
    ...planFile("WORK-004", { status: "ready", source: "SPEC-002" }),
    ...planFile("WORK-005", { status: "ready" }),
    ...planFile("BUG-001", { status: "confirmed" }),
    ...planFile("WORK-006", { status: "blocked" }, '## Dependencies\n- {% ref "WORK-001" /%}\n'),
    ...planFile("WORK-007", { status: "blocked" }, '## Dependencies\n- {% ref "WORK-005" /%}\n'),
    ...planFile("WORK-008", { status: "done" }, RESOLVED),
    ...planFile("WORK-009", { status: "done" }, RESOLVED),
    ...planFile("WORK-010", { status: "review", pr: "acme/app#12" }),
    ...planFile("WORK-011", { status: "review", pr: "acme/other#13" }),
    ...planFile("WORK-012", { status: "review", pr: "https://example.com/acme/app/pull/14" }),
    ...planFile("WORK-014", { status: "done", pr: "#15" }, RESOLVED),
    ...planFile("WORK-013", { status: "in-progress", pr: "#12, #99" }),
    ...planFile("WORK-016", { status: "done" }, RESOLVED),
  });
  git(cwd, "init", "-q", "-b", "main");
  git(cwd, "remote", "add", "origin", "git@example.com:acme/app.git");
  const begin = commitAgo(cwd, 90, "Begin");
  writeFiles(cwd, { "eight.txt": "8\n" });
  const eight = commitAgo(cwd, 80, "Do WORK-008");
  writeFiles(cwd, { "nine.txt": "9\n" });
  commitAgo(cwd, 79, "Do WORK-009");
  git(cwd, "revert", "--no-edit", "HEAD");
  git(cwd, "revert", "--no-edit", "HEAD");
  git(cwd, "revert", "--no-edit", eight);
  writeFiles(cwd, { "sixteen.txt": "15\n" });
  commitAgo(cwd, 78, "Do WORK-016");
  git(cwd, "revert", "--no-edit", "HEAD");
  writeFiles(cwd, { "sixteen.txt": "16\n" });
  commitAgo(cwd, 77, "Do WORK-016 again");
  commitAgo(cwd, 5, "Start on WORK-005 (#13)");
  commitAgo(cwd, 5, "Do some of it (#12)");
  commitAgo(cwd, 4, "Merge pull request #14 from acme/twelve");
  writeFiles(cwd, { "fourteen.txt": "14\n" });
  commitAgo(cwd, 4, "Do it (#15)");
  git(cwd, "revert", "--no-edit", "HEAD");
  git(cwd, "checkout", "-q", "-b", "feature");
  commitAgo(cwd, 3, "Look into BUG-001");
  git(cwd, "checkout", "-q", "main");
  await inProcess(cwd, async ({ ok }) => {
    await test.step("each kind, and nothing that cannot be seen", async () => {
      const { findings, total, counts, examined } = await ok("plan_review");
      assert.deepEqual(kindsOf(findings), [
        ["reverted", "WORK-008"],
        ["reverted", "WORK-014"],
        ["merged-pr", "WORK-010"],
        ["merged-pr", "WORK-012"],
        ["open-criteria", "WORK-001"],
        ["spec-done", "SPEC-001"],
        ["milestone-done", "v1.0.0"],
        ["nothing-blocks", "WORK-006"],
        ["idle", "WORK-003"],
        ["idle", "WORK-004"],
        ["idle", "WORK-013"],
        ["no-resolution", "WORK-002"],
      ]);
      assert.equal(total, 12);
      assert.equal(counts.idle, 3);
      assert.deepEqual(findings["open-criteria"], ["WORK-001 1 of 2"]);
      assert.deepEqual(examined, { entities: 19, commits: 15, git: true, idle: "30d" });
    });
    const byId = new Map<string, Finding>();
    await test.step("evidence names lines and commits", async () => {
      const { findings } = await ok("plan_review");
      for (const [, id] of kindsOf(findings)) {
        const { details, findings: own } = await ok("plan_review", { id });
        byId.set(id!, details[0]);
        assert.deepEqual(kindsOf(own), kindsOf(findings).filter(([, one]) => one === id));
      }
      assert.equal(byId.get("WORK-001")!.evidence[0], "plan/work/WORK-001.md:6");
      assert.match(byId.get("WORK-001")!.text, /1 of 2 criteria open: Two/);
      assert.match(byId.get("WORK-008")!.evidence.join("\n"), /Revert "Do WORK-008"/);
      assert.ok(byId.get("WORK-008")!.evidence.includes(`reverts ${eight.slice(0, 7)}`));
      assert.match(
        byId.get("WORK-010")!.evidence[1]!,
        /^[0-9a-f]{7} \d{4}-\d\d-\d\d Do some of it/,
      );
      assert.ok(byId.get("WORK-003")!.evidence.some((one) => one.startsWith(begin.slice(0, 7))));
    });
    await test.step("milestone, since, idle and kind narrow it down", async () => {
      const find = async (input: Record<string, unknown>) =>
        kindsOf((await ok("plan_review", input)).findings);
      assert.deepEqual(await find({ milestone: "v1.0.0" }), [
        ["spec-done", "SPEC-001"],
        ["milestone-done", "v1.0.0"],
        ["no-resolution", "WORK-002"],
      ]);
      const merged = [["merged-pr", "WORK-010"], ["merged-pr", "WORK-012"]];
      assert.deepEqual(await find({ since: "30d", kind: "merged-pr" }), merged);
      assert.deepEqual(await find({ kind: "idle", idle: "1d" }), [
        ["idle", "WORK-003"],
        ["idle", "WORK-004"],
        ["idle", "WORK-013"],
        ["idle", "WORK-005"],
        ["idle", "BUG-001"],
      ]);
      const { newest } = await ok("plan_review", { kind: "spec-done", since: "1d" });
      const [, args] = /^plan_review (.*)$/.exec(newest.call)!;
      assert.ok((await ok("plan_review", JSON.parse(args!))).total > 0);
    });
    await test.step("each correction is a call that can be made, and ends its finding", async () => {
      for (const { fix } of byId.values()) await ok(fix.tool, fix.arguments);
      const after = await ok("plan_review");
      // What was marked done above has no open criteria, and what was set back is not committed.
      assert.deepEqual(kindsOf(after.findings), []);
    });
  });
});

Deno.test("plan_review tells what is done but not marked, and what is only marked", async () => {
  const criteria = (mark: string) => `- [${mark}] One\n- [${mark}] Two\n`;
  const item = (id: string, status: string, mark: string) =>
    planFile(id, { status, milestone: "v1.0.0" }, criteria(mark));
  const cwd = makeProject({
    ...planFile("v1.0.0", { status: "active" }),
    ...item("WORK-001", "in-progress", " "),
    ...item("WORK-002", "ready", " "),
    ...item("WORK-003", "ready", " "),
    ...item("WORK-004", "draft", "x"),
  });
  commitAgo(cwd, 20, "Plan WORK-001, WORK-002 and WORK-003");
  writeFiles(cwd, { ...item("WORK-001", "in-progress", "x"), "three.txt": "3\n" });
  commitAgo(cwd, 10, "Do WORK-003");
  writeFiles(cwd, { ...item("WORK-002", "done", " "), ...item("WORK-003", "done", " ") });
  commitAgo(cwd, 5, "Update statuses");
  await inProcess(cwd, async ({ ok }) => {
    const { findings, counts } = await ok("plan_review");
    assert.deepEqual(findings, {
      "open-criteria": ["WORK-002 2 of 2", "WORK-003 2 of 2"],
      "criteria-done": ["WORK-001 in-progress, 2 of 2"],
      "no-resolution": ["WORK-002", "WORK-003"].map((id) =>
        findings["no-resolution"].find((line: string) => line.startsWith(id))
      ),
    });
    assert.deepEqual((await ok("plan_status", { milestone: "v1.0.0" })).review, counts);
    const fixesOf = async (id: string) =>
      (await ok("plan_review", { id })).details.map(({ fix }: Finding) => fix.arguments);
    const [done] = await fixesOf("WORK-001");
    assert.equal(done.status, "done");
    assert.match(done.resolve, /All criteria are ticked, the last in \w+ \S+ Do WORK-003\./);
    const reset = { id: "WORK-002", if: { status: "done" }, status: "ready" };
    assert.deepEqual(await fixesOf("WORK-002"), [reset, reset]);
    assert.deepEqual((await fixesOf("WORK-003"))[0].check, [1, 2]);
  });
});

import assert from "node:assert/strict";
import { entity, makeProject, planFile, SMALL_PLAN } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";

Deno.test("validate and status report conflict markers, duplicate ids and unread entities", async () => {
  const cwd = makeProject({
    ...SMALL_PLAN,
    "plan/work/WORK-001-again.md": entity("work", { id: "WORK-001", status: "draft" }, "Again", ""),
    ...planFile(
      "SPEC-002",
      { status: "draft" },
      "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> other\n",
      "Merged",
    ),
    "plan/work/WORK-010-two.md": entity("work", { id: "WORK-010" }, "One", "") +
      entity("work", { id: "WORK-011" }, "Two", "") +
      '```\n{% work id="WORK-012" %}\n{% /work %}\n```\n',
    ...planFile("BUG-003", {}, '## Notes\n\n{% hint type="note" %}\n\nText.\n', "Open"),
    "plan/work/WORK-009-large.md": entity("work", { id: "WORK-009" }, "L", "x\n".repeat(600_000)),
  });
  await inProcess(cwd, async ({ ok, call, read }) => {
    interface Issue {
      type: string;
      message: string;
    }
    const { issues } = await ok("plan_validate", { detail: "full" }) as { issues: Issue[] };
    const { warnings } = await ok("plan_status", { detail: "full" }) as { warnings: Issue[] };
    for (const list of [issues, warnings]) {
      const said = (type: string) =>
        list.filter((issue) => issue.type === type).map(({ message }) => message).join();
      assert.match(
        said("conflict-markers"),
        /SPEC-002\.md" has conflict markers in line 5 and line 9/,
      );
      assert.match(said("duplicate-id"), /WORK-001.*work\/WORK-001/);
      assert.match(said("unreadable"), /WORK-009-large\.md" cannot be read/);
      assert.equal(
        said("further-entity"),
        'WORK-011 is not read, because "work/WORK-010-two.md" has WORK-010 before it; ' +
          "move it to its own file",
      );
    }
    const refused = await call("plan_get", { id: "WORK-011" });
    assert.equal(refused.errorCode, "NOT_FOUND");
    assert.match(refused.hint!, /work\/WORK-010-two\.md" has WORK-010 before it/);
    await assert.rejects(
      read("refrakt://plan/work/WORK-011"),
      /WORK-010-two\.md" has WORK-010 before it/,
    );
    assert.match(JSON.stringify(await ok("plan_next_id", { type: "work" })), /"WORK-012"/);
    const [open] = issues.filter(({ type }) => type === "unclosed");
    assert.match(open!.message, /^The tag \{% hint %\} that opens in line 7 is not closed, so its/);
  });
});

/** `plan.create` with criteria of another entity, and milestones of other branches. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, entity, git, makeProject, readTree } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan.create { splitFrom } moves criteria into a new item, or changes nothing", async (test) => {
  const cwd = makeProject({
    ...WIDE_PLAN,
    "plan/work/WORK-006-deep.md": entity(
      "work",
      { id: "WORK-006", status: "ready", source: "SPEC-001", milestone: "v1.0.0" },
      "Deep",
      "## Acceptance Criteria\n- [ ] One\n- [ ] Two\n  goes on\n- [x] Three\n- [ ] Four\n",
    ),
  });
  await inProcess(cwd, async ({ ok, call }) => {
    await test.step("with their lines and marks, source and milestone", async () => {
      const made = await ok("plan.create", {
        type: "work",
        title: "Part",
        attrs: { priority: "low" },
        splitFrom: { id: "work-006", criteria: [3, 2], dependsOn: true },
      });
      assert.deepEqual(made.splitFrom, { id: "WORK-006", moved: 2 });
      const part = await ok("plan.get", { id: made.id });
      assert.deepEqual(
        part.criteria.map(({ text, checked }: { text: string; checked?: true }) => [text, checked]),
        [["Two goes on", undefined], ["Three", true]],
      );
      assert.match(
        Deno.readTextFileSync(join(cwd, made.path)),
        /- \[ \] Two\n {2}goes on\n- \[x\]/,
      );
      const { milestone, source, priority } = part.attributes;
      assert.deepEqual([milestone, source, priority], ["v1.0.0", "SPEC-001", "low"]);
      assert.deepEqual(part.dependencies.map(({ id }: { id: string }) => id), ["WORK-006"]);
      const text = Deno.readTextFileSync(join(cwd, "plan/work/WORK-006-deep.md"));
      assert.match(text, /Criteria\n- \[ \] One\n- \[ \] Four\n/);
    });
    await test.step("criteria of the call come first, and the rest may wait for the part", async () => {
      const made = await ok("plan.create", {
        type: "bug",
        title: "Other part",
        criteria: ["Mine"],
        splitFrom: { id: "WORK-006", criteria: [2] },
        blocks: ["WORK-006"],
      });
      const part = await ok("plan.get", { id: made.id, fields: ["criteria"] });
      assert.deepEqual(part.criteria.map(({ text }: { text: string }) => text), ["Mine", "Four"]);
      const rest = await ok("plan.get", { id: "WORK-006" });
      assert.deepEqual([rest.criteria.length, rest.dependencies[0].id], [1, made.id]);
    });
    await test.step("nothing is written if a part of it fails", async () => {
      const before = readTree(cwd);
      const inputs = [
        { splitFrom: { id: "WORK-006", criteria: [1, 9] } },
        { splitFrom: { id: "WORK-099", criteria: [1] } },
        { splitFrom: { id: "WORK-006", criteria: [1] }, blocks: ["WORK-098"] },
        { splitFrom: { id: "WORK-006", criteria: [1], dependsOn: true }, blocks: ["WORK-006"] },
        { splitFrom: { id: "WORK-006", criteria: [1] }, attrs: { status: "nosuch" } },
      ];
      for (const input of inputs) {
        const answer = await call("plan.create", { type: "work", title: "No", ...input });
        assert.ok(answer.isError, JSON.stringify(input));
      }
      assert.deepEqual(readTree(cwd), before);
    });
  });
});

Deno.test("a milestone's file has its name, and one of another branch can be created here", async () => {
  const cwd = makeProject(WIDE_PLAN);
  git(cwd, "init", "-q", "-b", "main");
  commitAll(cwd, "Begin");
  git(cwd, "checkout", "-q", "-b", "next");
  await inProcess(cwd, async ({ ok, call }) => {
    const input = { type: "milestone", id: "v0.31.0", title: "Carried over from v1.0.0" };
    const { path } = await ok("plan.create", input);
    assert.equal(path, "plan/milestones/v0.31.0.md");
    commitAll(cwd, "Add the milestone");
    git(cwd, "checkout", "-q", "main");
    const refused = await call("plan.create", input);
    assert.match(refused.content[0].text, /v0\.31\.0 already exists: the branch next/);
    assert.match(refused.hint!, /anyway: true/);
    assert.equal((await ok("plan.create", { ...input, anyway: true })).path, path);
  });
});

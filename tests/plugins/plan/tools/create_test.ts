import assert from "node:assert/strict";
import { join } from "node:path";
import { commitAll, git, makeProject } from "../../../support/project.ts";
import { inProcess } from "../../../support/in_process.ts";
import { WIDE_PLAN } from "./plan.ts";

Deno.test("plan_create takes the texts, and names the placeholders that are left", async (test) => {
  const cwd = makeProject(WIDE_PLAN);
  const read = (path: string) => Deno.readTextFileSync(join(cwd, path));
  await inProcess(cwd, async ({ ok }) => {
    await test.step("without texts every part of the template is a placeholder", async () => {
      const made = await ok("plan_create", { type: "work", title: "Plain" });
      assert.equal(made.id, "WORK-006");
      assert.equal(made.file, "work/WORK-006-plain.md");
      assert.deepEqual(
        made.placeholders,
        ["description", "Acceptance Criteria", "Approach", "References"],
      );
    });
    await test.step("new sections stand in the given order, beside those of the template", async () => {
      const names = ["Scope", "Approach", "Rollout", "References", "Later"];
      const sections = Object.fromEntries(names.map((name) => [name, "Text."]));
      const made = await ok("plan_create", {
        type: "work",
        title: "Order",
        sections,
        criteria: ["It is so"],
      });
      const headings = [...read(made.path).matchAll(/^## (.*)$/gm)].map(([, name]) => name!);
      assert.deepEqual(headings.filter((name) => name !== "Dependencies"), [
        "Acceptance Criteria",
        ...names,
      ]);
      await ok("plan_undo", { token: made.undo });
    });
    await test.step("beside given sections no placeholder is left", async () => {
      const made = await ok("plan_create", {
        type: "work",
        title: "Sort the table",
        attrs: { status: "ready", milestone: "v1.0.0", source: "SPEC-001" },
        sections: {
          description: "Rows come in any order.",
          Dependencies: '- {% ref "WORK-001" /%}',
        },
        criteria: ["It sorts", "It is stable"],
      });
      assert.equal(made.placeholders, undefined);
      const text = read(made.path);
      assert.ok(!/First criterion|Description of the change|## Approach/.test(text));
      const item = await ok("plan_get", { id: made.id });
      assert.deepEqual(item.criteria.map(({ text }: { text: string }) => text), [
        "It sorts",
        "It is stable",
      ]);
      assert.equal(item.sections.description, "Rows come in any order.");
      assert.deepEqual(item.dependencies.map(({ id }: { id: string }) => id), ["WORK-001"]);
      const { blocked } = await ok("plan_status");
      assert.deepEqual(blocked.map(({ id }: { id: string }) => id), ["WORK-002", made.id]);
    });
    await test.step("a body stands in place of the template", async () => {
      const made = await ok("plan_create", {
        type: "spec",
        title: "Whole",
        body: "In short.\n\n## Details\nMany.",
      });
      assert.equal(made.placeholders, undefined);
      assert.equal(
        read(made.path).split("\n\n").slice(1).join("\n\n"),
        "# Whole\n\nIn short.\n\n## Details\nMany.\n\n{% /spec %}\n",
      );
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
    const { path } = await ok("plan_create", input);
    assert.equal(path, "plan/milestones/v0.31.0.md");
    commitAll(cwd, "Add the milestone");
    git(cwd, "checkout", "-q", "main");
    const refused = await call("plan_create", input);
    assert.match(refused.content[0].text, /v0\.31\.0 already exists: the branch "next"/);
    assert.match(refused.hint!, /anyway: true/);
    assert.equal((await ok("plan_create", { ...input, anyway: true })).path, path);
  });
});
